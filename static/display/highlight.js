// Highlight one span everywhere it is drawn: raw text, table, sentence, problems, tokens, and, by
// the event `lit`, the input.
//
// The highlight is the first of: what a click pinned, what the pointer is over, what has the focus
// or the caret. It is one or more fields (`data-f`) of one message, or a problem (`data-number`).

import { command } from "../commands/commands.js";

const NOTHING = { fields: [], note: "", message: "" };
const held = { pinned: null, hovered: null, focused: null };
let lit = NOTHING;
let index = null;

const scope = () => document.querySelector("#reading, .entry, .desk-packet");
const chosen = () => document.querySelector("#reading-state, .entry")?.dataset.chosen ?? "";
const same = (one, other) =>
  one.note === other.note &&
  one.message === other.message &&
  one.fields.join(" ") === other.fields.join(" ");

const add = (map, name, element) => {
  if (!map.has(name)) map.set(name, []);
  map.get(name).push(element);
};

// All elements of the shown message, by field; collected once after each response.
const drawn = () => {
  if (index) return index;
  index = new Map();
  const number = CSS.escape(chosen());
  const places = [
    ".shown [data-f]",
    ".message.chosen [data-f]",
    `.diagnostic[data-message="${number}"][data-f]`,
  ].join();
  for (const one of scope()?.querySelectorAll(places) ?? []) {
    for (const name of one.dataset.f.split(" ").filter(Boolean)) add(index, name, one);
  }
  return index;
};

const elementsOf = ({ fields, note, message }) => {
  const found = [];
  if (!message || message === chosen())
    for (const name of fields) found.push(...(drawn().get(name) ?? []));
  else found.push(...rowOf(message, fields.map((name) => `[data-f="${CSS.escape(name)}"]`)));
  if (note) {
    const listed = `.diagnostic[data-message="${message}"][data-number="${note}"]`;
    found.push(...document.querySelectorAll(listed));
    const runs = `[data-n~="${note}"]`;
    found.push(...rowOf(message, [runs]));
    if (message === chosen()) found.push(...document.querySelectorAll(`.shown ${runs}`));
  }
  return found;
};

const rowOf = (message, selectors) => {
  const row = `.message[data-number="${CSS.escape(message)}"]`;
  return selectors.flatMap((one) => [...document.querySelectorAll(`${row} ${one}`)]);
};

// A row has the hue of its name. With `:has` for it, each new element of a hue would style hundreds
// of others again.
const HUES = [...Array(8).keys()].map((number) => `h${number}`);
const LIT = HUES.map((hue) => `lit-${hue}`);
const hueIn = (element) =>
  LIT.filter((_, hue) => element.querySelector(`:scope > .${HUES[hue]}`));

const draw = () => {
  const now = held.pinned ?? held.hovered ?? held.focused ?? NOTHING;
  scope()?.classList.toggle("has-pin", held.pinned !== null);
  if (same(now, lit)) return;
  lit = now;
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit", ...LIT);
  for (const one of elementsOf(now)) one.classList.add("lit", ...hueIn(one));
  for (const bill of document.querySelectorAll(".bill-all"))
    bill.classList.toggle("has-lit", bill.querySelector(".lit") !== null);
  tell(now);
  document.dispatchEvent(new CustomEvent("lit", { detail: now }));
};

const columns = (place) => (place.includes("–") ? `columns ${place}` : `column ${place}`);

// The line under the raw text: what is highlighted, where it is, and how to unpin it.
const tell = ({ fields, note }) => {
  const line = document.querySelector(".readout.of-fields");
  if (!line) return;
  const names = fields.join(", ");
  const place = names && `.shown [data-place][data-f="${CSS.escape(fields[0])}"]`;
  const row = place && document.querySelector(place);
  const words = row
    ? [
        names.replaceAll("␠", " "),
        row.querySelector(".label")?.textContent,
        columns(row.dataset.place),
      ]
    : [names || (note ? "Separator" : "Point at a field to highlight it; click to pin it.")];
  line.querySelector(".about").textContent = words.filter(Boolean).join(" · ");
};

export const hover = (what) => {
  held.hovered = what;
  draw();
};
export const attend = (what) => {
  held.focused = what;
  draw();
};
export const pin = (what) => {
  held.pinned = what;
  draw();
};
export const letGo = () => {
  held.pinned = held.hovered = held.focused = null;
  draw();
};

// Pin the highlight, or unpin it.
const hold = () => {
  if (held.pinned) letGo();
  else if (lit.fields.length || lit.note) pin(lit);
};
const listed = { elsewhere: true, group: "Highlight" };
command({ words: "Pin or unpin highlight", keys: "Space", ...listed, run: hold });
command({ words: "Unpin", keys: "Escape", ...listed, run: letGo });

// The fields or the problem that an element belongs to, or null.
const meant = (target) => {
  const element = target instanceof Element ? target : null;
  const place = element?.closest("[data-f], .diagnostic[data-number]");
  if (!place || !scope()?.contains(place)) return null;
  const fields = (place.dataset.f ?? "").split(" ").filter(Boolean);
  const note = place.dataset.number ?? "";
  const row = place.closest(".message");
  const message = place.dataset.message ?? row?.dataset.number ?? chosen();
  return fields.length || note ? { fields, note, message } : null;
};

document.addEventListener("mouseover", (event) => {
  if (event.target.id !== "text") hover(meant(event.target));
});
document.addEventListener("focusin", (event) => {
  if (event.target.id !== "text") attend(meant(event.target));
});
document.addEventListener("click", (event) => {
  if (event.target.closest("button, a, summary, input, textarea, select, label")) return;
  if (!getSelection().isCollapsed) return;
  pin(meant(event.target));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing) letGo();
  if (event.key !== " ") return;
  if (event.target.closest("input, textarea, select, button, a, summary")) return;
  const what = meant(event.target);
  if (!what) return;
  event.preventDefault();
  pin(held.pinned && same(held.pinned, what) ? null : what);
});

// After a response, highlight the same again; what was under the pointer may have moved.
const again = () => {
  index = null;
  lit = NOTHING;
  draw();
};
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "reading") again();
});
document.addEventListener("patching", again);
document.addEventListener("patched", () => {
  held.hovered = null;
  if (held.pinned?.note) held.pinned = null;
  again();
});

// Another message is shown by a script of ours.
export const forget = () => {
  index = null;
  lit = NOTHING;
  letGo();
};
