// Highlights in the input: it shows what is highlighted elsewhere, and its caret or the pointer
// over it highlights a field. When the caret rests in another message, that message is shown.
import { attend, hover } from "../../display/highlight.js";
import { chooseAtCaret, onAnswer, said, total } from "../decoding.js";
import { text } from "./editor.js";
import { point } from "./inline_problem.js";
import { mark } from "./painting.js";
import { placeOf, spanOf } from "../../commands/places.js";

const REST = 150;
let spots = null;
let stale = false;
let last = null;

// The fields of the shown message: [name, start, end]; the same until the next response.
const known = () => {
  spots ??= JSON.parse(said().spots ?? "[]");
  return spots;
};

const fieldAt = (place) => {
  if (stale) return null;
  const found =
    known().find(([, start, end]) => start <= place && place < end) ??
    known().find((one) => one[2] === place);
  return found ? { fields: [found[0]], note: "", message: said().chosen } : null;
};

const stretchesOf = ({ fields, note, message }) => {
  if (note) {
    const selector = `.diagnostic[data-message="${message}"][data-number="${note}"]`;
    const found = document.querySelector(selector);
    return found ? [placeOf(found)] : [];
  }
  if (message !== said().chosen) return [];
  return known().filter(([name]) => fields.includes(name)).map(([, start, end]) => [start, end]);
};

const show = () => mark("lit", last && !stale ? stretchesOf(last) : [], 3);

// The first part of a response highlights the same again. Its places come with the rest.
document.addEventListener("lit", ({ detail }) => {
  const stays = stale && JSON.stringify(detail) === JSON.stringify(last);
  last = detail;
  if (!stays) show();
});

// Hovering over another message in the list shows where it is.
document.addEventListener("mouseover", (event) => {
  const element = event.target instanceof Element ? event.target : null;
  const row = element?.closest(".message[data-number]:not(.chosen)");
  mark("near", row && !stale ? [spanOf(row.dataset.number)] : [], 2);
});

// Between a key and its response the highlight stays; otherwise it would flicker.
const atCaret = () => {
  if (!stale) attend(fieldAt(text.selectionStart));
};

document.addEventListener("selectionchange", () => {
  if (document.activeElement === text) atCaret();
});
text.addEventListener("blur", () => attend(null));

let asked = 0;
text.addEventListener("pointermove", (event) => {
  cancelAnimationFrame(asked);
  asked = requestAnimationFrame(() => {
    const place = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const inside = place?.offsetNode === text;
    hover(inside ? fieldAt(place.offset) : null);
    if (!stale) point(inside ? place.offset : null);
  });
});
text.addEventListener("pointerleave", () => {
  cancelAnimationFrame(asked);
  hover(null);
  point(null);
});

let resting = 0;
const rest = () => {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const [start, end] = spanOf(said().chosen);
    const place = text.selectionStart;
    if (document.activeElement !== text || stale || total() < 2) return;
    if (place < start || place > end) chooseAtCaret();
  }, REST);
};
text.addEventListener("pointerup", rest);
// A key that leaves the caret where it is chooses no message: Alt with an arrow chose another one.
let before = 0;
text.addEventListener("keydown", (event) => {
  if (!event.repeat) before = text.selectionStart;
});
text.addEventListener("keyup", (event) => {
  const moved = text.selectionStart !== before;
  if (moved && /^(Arrow|Home|End|Page)/.test(event.key)) rest();
});

text.addEventListener("edited", (event) => {
  stale = true;
  clearTimeout(resting);
  if (!event.detail.typed) show();
});
onAnswer(() => {
  stale = false;
  spots = null;
  if (document.activeElement === text) atCaret();
  show();
});
