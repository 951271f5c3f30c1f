// One span, lit everywhere it is drawn: wire, table, sentence, diagnostics, tokens, and by `lit` also the input.
//
// What is lit is the first of: what was pinned by a click, what the pointer is over, what has the focus or the caret. It
// is one or more fields (`data-f`), or a diagnostic (`data-number`), of one message.

import { command } from "../commands/commands.js";

const NOTHING = { fields: [], note: "", message: "" };
const held = { pinned: null, hovered: null, focused: null };
let lit = NOTHING;
let index = null;

const scope = () => document.querySelector("#reading, .entry");
const chosen = () => document.querySelector("#reading-state, .entry")?.dataset.chosen ?? "";
const same = (one, other) =>
  one.note === other.note && one.message === other.message && one.fields.join(" ") === other.fields.join(" ");

const add = (map, name, element) => {
  if (!map.has(name)) map.set(name, []);
  map.get(name).push(element);
};

// Everything drawn of the message that is shown, by field; made once after each answer.
const drawn = () => {
  if (index) return index;
  index = new Map();
  const number = CSS.escape(chosen());
  const places = `.shown [data-f], .message.chosen [data-f], .diagnostic[data-message="${number}"][data-f]`;
  for (const one of scope()?.querySelectorAll(places) ?? []) {
    for (const name of one.dataset.f.split(" ").filter(Boolean)) add(index, name, one);
  }
  return index;
};

const elementsOf = ({ fields, note, message }) => {
  const found = [];
  if (!message || message === chosen()) for (const name of fields) found.push(...(drawn().get(name) ?? []));
  else found.push(...rowOf(message, fields.map((name) => `[data-f="${CSS.escape(name)}"]`)));
  if (note) {
    found.push(...document.querySelectorAll(`.diagnostic[data-message="${message}"][data-number="${note}"]`));
    const runs = `[data-n~="${note}"]`;
    found.push(...rowOf(message, [runs]));
    if (message === chosen()) found.push(...document.querySelectorAll(`.shown ${runs}`));
  }
  return found;
};

const rowOf = (message, selectors) =>
  selectors.flatMap((one) => [...document.querySelectorAll(`.message[data-number="${CSS.escape(message)}"] ${one}`)]);

const draw = () => {
  const now = held.pinned ?? held.hovered ?? held.focused ?? NOTHING;
  scope()?.classList.toggle("has-pin", held.pinned !== null);
  if (same(now, lit)) return;
  lit = now;
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const one of elementsOf(now)) one.classList.add("lit");
  tell(now);
  document.dispatchEvent(new CustomEvent("lit", { detail: now }));
};

// A line of words under the wire: what is lit, where it stands, and how to let go of it.
const tell = ({ fields, note }) => {
  const line = document.querySelector(".readout.of-fields");
  if (!line) return;
  const row = fields.length ? document.querySelector(`.shown [data-place][data-f="${CSS.escape(fields[0])}"]`) : null;
  const words = row
    ? [fields.join(", ").replaceAll("␠", " "), row.querySelector(".label")?.textContent, `column ${row.dataset.place}`]
    : [fields.join(", ") || (note ? "Between the fields" : "Point at any part; a click holds it.")];
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

// Holds what is lit now, or lets go of what is held.
const hold = () => {
  if (held.pinned) letGo();
  else if (lit.fields.length || lit.note) pin(lit);
};
command({ words: "Hold what is lit, or let it go", keys: "Space", elsewhere: true, group: "Lit together", run: hold });
command({ words: "Let go of what is held", keys: "Escape", elsewhere: true, group: "Lit together", run: letGo });

// What an element stands for; null when for nothing that can be lit.
const meant = (target) => {
  const place = target instanceof Element ? target.closest("[data-f], .diagnostic[data-number]") : null;
  if (!place || !scope()?.contains(place)) return null;
  const fields = (place.dataset.f ?? "").split(" ").filter(Boolean);
  const note = place.dataset.number ?? "";
  const message = place.dataset.message ?? place.closest(".message")?.dataset.number ?? chosen();
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
  if (event.key !== " " || event.target.closest("input, textarea, select, button, a, summary")) return;
  const what = meant(event.target);
  if (!what) return;
  event.preventDefault();
  pin(held.pinned && same(held.pinned, what) ? null : what);
});

// After an answer the same is lit in what is drawn now; what the pointer was over may have moved away.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "reading" && event.target.id !== "reading") return;
  index = null;
  lit = NOTHING;
  if (event.detail.target.id === "reading") {
    held.hovered = null;
    if (held.pinned?.note) held.pinned = null;
  }
  draw();
});
