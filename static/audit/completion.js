// Completion in the search box: a combobox over a listbox. The focus stays in the box, the arrow
// keys move the selection, and Tab or Enter inserts what is selected. The server finds the
// suggestions; one request is under way at a time, and an answer to other text is dropped.
import { command } from "../commands/commands.js";

const PAUSE = 40;
// An error appears when the typing has rested for so long.
const QUIET = 600;
const LIST = "completions";

const field = document.querySelector("[data-complete]");
const box = field?.querySelector("input");
const form = box?.form;

const make = (name, attributes) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.hidden = true;
  return element;
};
const list = make("ul", { id: LIST, role: "listbox", "aria-label": "Suggestions" });
const note = make("p", { class: "search-problem" });
const said = make("p", { role: "status", class: "visually-hidden" });
const mirror = make("div", { class: "search-mirror", "aria-hidden": "true" });

let at = -1;
let span = [0, 0];
let listed = "";
let timer = 0;
let scolding = 0;
let busy = false;
let waiting = null;

const options = () => [...list.children];
const isOpen = () => !list.hidden;

const select = (index) => {
  const all = options();
  at = index < -1 ? all.length - 1 : index >= all.length ? -1 : index;
  for (const [number, option] of all.entries()) {
    option.setAttribute("aria-selected", String(number === at));
  }
  if (at < 0) box.removeAttribute("aria-activedescendant");
  else {
    box.setAttribute("aria-activedescendant", all[at].id);
    all[at].scrollIntoView({ block: "nearest" });
  }
};

const close = () => {
  clearTimeout(timer);
  waiting = null;
  list.hidden = true;
  list.replaceChildren();
  box.setAttribute("aria-expanded", "false");
  said.textContent = "";
  select(-1);
};

const forgive = () => {
  clearTimeout(scolding);
  note.hidden = true;
  mirror.hidden = true;
};

// Underline a place of the text, which lies under the box letter by letter.
const underline = (start, end) => {
  const text = box.value;
  const mark = document.createElement("span");
  mark.textContent = text.slice(start, Math.max(end, start + 1)) || " ";
  mirror.replaceChildren(text.slice(0, start), mark, text.slice(Math.max(end, start + 1)));
  mirror.hidden = false;
  mirror.scrollLeft = box.scrollLeft;
};

const scold = (problem) => {
  forgive();
  if (!problem || box.value === box.defaultValue) return;
  scolding = setTimeout(() => {
    if (isOpen()) return;
    note.textContent = problem.textContent;
    note.hidden = false;
    said.textContent = note.textContent;
    underline(Number(problem.dataset.start), Number(problem.dataset.end));
  }, QUIET);
};

// Without being asked for, the list opens only where something was typed.
const isWanted = (asked, found) => {
  const all = [...found.children];
  const [start, end] = [Number(found.dataset.start), Number(found.dataset.end)];
  if (!all.length) return false;
  if (asked.explicit) return true;
  const typed = asked.value.slice(start, end);
  if (all.length === 1 && all[0].dataset.insert.trimEnd() === typed) return false;
  return Boolean(typed) || /[:@(]$/.test(asked.value.slice(0, start));
};

const show = (asked, page) => {
  const found = page.querySelector("ul");
  if (!found) return;
  if (isWanted(asked, found)) {
    span = [Number(found.dataset.start), Number(found.dataset.end)];
    listed = asked.value;
    list.replaceChildren(...found.children);
    list.hidden = false;
    list.scrollTop = 0;
    box.setAttribute("aria-expanded", "true");
    said.textContent = found.dataset.summary;
    select(-1);
  } else close();
  scold(page.querySelector("p"));
};

const isCurrent = (asked) =>
  document.activeElement === box &&
  box.value === asked.value &&
  box.selectionStart === asked.caret &&
  box.selectionEnd === asked.caret;

const ask = async (explicit) => {
  const asked = { value: box.value, caret: box.selectionStart, explicit };
  if (busy) {
    waiting = { explicit };
    return;
  }
  busy = true;
  waiting = null;
  try {
    const fields = { log: form.elements.log?.value ?? "", q: asked.value, caret: asked.caret };
    const answer = await fetch(`${field.dataset.complete}?${new URLSearchParams(fields)}`);
    const usable = answer.ok && !answer.redirected;
    const text = usable ? await answer.text() : "";
    if (isCurrent(asked) && !waiting) {
      show(asked, new DOMParser().parseFromString(text, "text/html"));
      if (!usable) close();
    }
  } catch {
    close(); // Without a connection, the box works as before.
  } finally {
    busy = false;
  }
  if (waiting) ask(waiting.explicit);
};

const accept = (option) => {
  if (box.value !== listed) {
    // What was typed since would stay behind the suggestion.
    ask(true);
    return;
  }
  const [start, end] = span;
  const { insert } = option.dataset;
  close();
  box.focus();
  box.setSelectionRange(start, end);
  // This one can be undone, and fires an event of input.
  if (document.execCommand?.("insertText", false, insert)) return;
  box.setRangeText(insert, start, end, "end");
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
};

const keys = {
  ArrowDown: () => (isOpen() ? select(at + 1) : ask(true)),
  ArrowUp: () => isOpen() && select(at - 1),
  Escape: () => isOpen() && close(),
  Tab: (event) => at >= 0 && !event.shiftKey && accept(options()[at]),
  Enter: () => at >= 0 && accept(options()[at]),
};

const press = (event) => {
  if (event.isComposing || event.altKey || event.metaKey) return;
  if (event.ctrlKey) {
    if (event.code !== "Space") return;
    event.preventDefault();
    ask(true);
    return;
  }
  if (/^(ArrowLeft|ArrowRight|Home|End)$/.test(event.key)) close();
  const done = keys[event.key]?.(event);
  // Each answers false where the key keeps its own meaning.
  if (done === false || !(event.key in keys)) {
    if (event.key === "Enter" || event.key === "Tab") close();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
};

const type = (event) => {
  forgive();
  clearTimeout(timer);
  if (event.isComposing) return;
  timer = setTimeout(() => ask(false), PAUSE);
};

if (box) {
  const combobox = {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": LIST,
    autocapitalize: "off",
  };
  for (const [name, value] of Object.entries(combobox)) box.setAttribute(name, value);
  said.hidden = false;
  box.after(mirror);
  field.append(list, note, said);

  box.addEventListener("input", type);
  box.addEventListener("compositionend", type);
  box.addEventListener("keydown", press);
  box.addEventListener("scroll", () => {
    mirror.scrollLeft = box.scrollLeft;
  });
  box.addEventListener("pointerdown", close);
  box.addEventListener("blur", close);
  form.addEventListener("submit", close);
  // The focus stays in the box.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) accept(option);
  });

  const group = "Trail";
  const run = () => {
    box.focus();
    ask(true);
  };
  command({ words: "Complete the search", keys: "Ctrl+Space", elsewhere: true, group, run });
}
