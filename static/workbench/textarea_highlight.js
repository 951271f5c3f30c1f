// The input lights up with the rest: what is lit elsewhere is marked in it, and its caret or the pointer over it lights
// the field there. A caret that comes to rest in another message shows that one.
import { attend, hover } from "../display/highlight.js";
import { chooseAtCaret, onAnswer, said, total } from "./decoding.js";
import { mark, text } from "./editor.js";
import { placeOf, spanOf } from "../commands/places.js";

const REST = 150;
let spots = null;
let stale = false;
let last = null;

// Where the fields of the message stand: [name, start, end]; the same until the next answer.
const known = () => {
  spots ??= JSON.parse(said().spots ?? "[]");
  return spots;
};

const fieldAt = (place) => {
  if (stale) return null;
  const found = known().find(([, start, end]) => start <= place && place < end) ?? known().find((one) => one[2] === place);
  return found ? { fields: [found[0]], note: "", message: said().chosen } : null;
};

const stretchesOf = ({ fields, note, message }) => {
  if (note) {
    const found = document.querySelector(`.diagnostic[data-message="${message}"][data-number="${note}"]`);
    return found ? [placeOf(found)] : [];
  }
  if (message !== said().chosen) return [];
  return known().filter(([name]) => fields.includes(name)).map(([, start, end]) => [start, end]);
};

const show = () => mark("lit", last && !stale ? stretchesOf(last) : [], 3);

document.addEventListener("lit", (event) => {
  last = event.detail;
  show();
});

// Pointing at another message of the list shows where it is.
document.addEventListener("mouseover", (event) => {
  const row = event.target instanceof Element ? event.target.closest(".message[data-number]:not(.chosen)") : null;
  mark("near", row && !stale ? [spanOf(row.dataset.number)] : [], 2);
});

// Between a key and its answer what is lit stays as it is, rather than to go out and come back.
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
    hover(place?.offsetNode === text ? fieldAt(place.offset) : null);
  });
});
text.addEventListener("pointerleave", () => {
  cancelAnimationFrame(asked);
  hover(null);
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
text.addEventListener("keyup", (event) => {
  if (/^(Arrow|Home|End|Page)/.test(event.key)) rest();
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
