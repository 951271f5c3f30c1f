// Time travel along a conversation: the slider shows the states at one message. The rows of the
// table below it have the states of every message, so a step needs no request.
import { command } from "../commands/commands.js";

// Where each slider was left, while the page is open: an edit of the text draws them all again.
const left = new Map();

const part = (timeline, selector) => timeline.querySelector(selector);
const rowsOf = (timeline) => [...timeline.querySelectorAll(".all-states tbody tr")];
const squeeze = (element) => element.textContent.trim().replace(/\s+/g, " ");
const numberOf = (row) => squeeze(row.querySelector("td"));
const isNew = (cell) => cell.classList.contains("new");

// Scroll only the box around the row, never the page.
const reveal = (row, box) => {
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
};

// Highlight the message in the sequence diagram and in its table.
const light = (timeline, place) => {
  const sequence = part(timeline.closest(".thread"), ".sequence");
  if (!sequence) return;
  for (const one of sequence.querySelectorAll(".now")) {
    one.classList.remove("now");
    one.removeAttribute("aria-current");
  }
  for (const [box, items] of [[".sequence-picture", "g.arrow"], [".sequence-table", "tbody tr"]]) {
    const row = sequence.querySelectorAll(`${box} ${items}`)[place];
    if (!row) continue;
    row.classList.add("now");
    row.setAttribute("aria-current", "true");
    if (sequence.open) reveal(row, part(sequence, box));
  }
};

const tell = (line, cell, since) => {
  const [state, changed] = line.querySelectorAll("td");
  line.classList.toggle("new", isNew(cell));
  state.textContent = squeeze(cell);
  state.className = `state ${cell.className.replace("new", "")}`.trim();
  changed.textContent = isNew(cell) ? "changed" : since ? `since ${since}` : "";
};

// The button that shows the message on this page, or the link to its packet.
const point = (chip, row) => {
  const { number, address } = row.dataset;
  if (address) chip.href = address;
  else chip.value = number;
  chip.textContent = numberOf(row);
  chip.setAttribute("aria-label", `${address ? "Packet" : "Show message"} ${number}`);
};

const show = (timeline) => {
  const rows = rowsOf(timeline);
  const slider = part(timeline, "input[type=range]");
  const at = Number(slider.value);
  const row = rows[at];
  const cells = (one) => [...one.querySelectorAll("td:not(:first-child, .why)")];
  for (const line of timeline.querySelectorAll(".now tr")) {
    const column = Number(line.dataset.column);
    const from = rows.slice(0, at + 1).findLast((one) => isNew(cells(one)[column]));
    // Of a long conversation, the rows begin later.
    const early = cells(rows[0])[column].dataset.since;
    tell(line, cells(row)[column], from ? numberOf(from) : early);
  }
  part(timeline, ".at-number").textContent = numberOf(row);
  point(part(timeline, ".moment .number"), row);
  const summary = squeeze(part(row, "th"));
  const why = part(row, ".why");
  part(timeline, ".moment .says").textContent = summary;
  part(timeline, ".moment .note").replaceChildren(...why.cloneNode(true).childNodes);
  const changes = [...timeline.querySelectorAll(".now tr.new")].map(
    (line) => `${line.dataset.kind} ${squeeze(part(line, "th"))} ${squeeze(part(line, ".state"))}`,
  );
  const words = [`${numberOf(row)}, ${summary}`, changes.join(", "), squeeze(why)];
  slider.setAttribute("aria-valuetext", words.filter(Boolean).join(". "));
  light(timeline, Number(row.dataset.place));
};

// Move to the next or previous message with a problem or finding. Stay if there is none.
const jump = (timeline, by) => {
  const slider = part(timeline, "input[type=range]");
  const places = rowsOf(timeline).flatMap((row, at) => (row.matches(".trouble") ? [at] : []));
  const at = Number(slider.value);
  const to = by > 0 ? places.find((one) => one > at) : places.findLast((one) => one < at);
  if (to === undefined) return;
  slider.value = String(to);
  left.set(timeline.dataset.thread, slider.value);
  show(timeline);
};

const near = () =>
  document.activeElement?.closest(".time-travel") ?? document.querySelector(".time-travel");

document.addEventListener("input", ({ target }) => {
  const timeline = target.matches("input[type=range]") && target.closest(".time-travel");
  if (!timeline) return;
  left.set(timeline.dataset.thread, target.value);
  show(timeline);
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".time-travel [data-problem]");
  if (button) jump(button.closest(".time-travel"), Number(button.dataset.problem));
});

// N and P in the slider and its buttons.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const by = { n: 1, p: -1 }[event.key?.toLowerCase()];
  const timeline = by && event.target.closest?.(".travel")?.closest(".time-travel");
  if (!timeline) return;
  event.preventDefault();
  jump(timeline, by);
});

const draw = (root) => {
  for (const timeline of root.querySelectorAll(".time-travel")) {
    const slider = part(timeline, "input[type=range]");
    const before = left.get(timeline.dataset.thread);
    if (before !== undefined) slider.value = before;
    show(timeline);
  }
};

document.addEventListener("htmx:load", (event) => draw(event.target));
draw(document);

const group = "Conversation timeline";
const keys = (key, by) => ({ keys: key, elsewhere: true, group, run: () => jump(near(), by) });
command({ words: "Next problem or finding in conversation", ...keys("N", 1) });
command({ words: "Previous problem or finding in conversation", ...keys("P", -1) });
