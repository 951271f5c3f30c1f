// The problem under the pointer, or the one that F8 came to, below its line: with its fix.
import { onAnswer, said } from "../decoding.js";
import { lineElement, text, topOf } from "./editor.js";
import { placeOf } from "../../commands/places.js";

const GRACE = 250;
const card = document.getElementById("inline-problem");
let shown = null;
let timer = 0;

const hide = () => {
  clearTimeout(timer);
  shown = null;
  card.hidden = true;
  card.replaceChildren();
};

const fill = (note) => {
  const copy = note.cloneNode(true);
  copy.removeAttribute("id");
  copy.removeAttribute("tabindex");
  copy.removeAttribute("data-stamp");
  const place = document.createElement("div");
  place.className = copy.className;
  place.append(...copy.childNodes);
  card.replaceChildren(place);
};

export const showInline = (note) => {
  clearTimeout(timer);
  if (shown === note) return;
  const [start] = placeOf(note);
  const line = lineElement(start);
  if (!line) return;
  shown = note;
  card.hidden = false; // before it is filled, or else a screen reader would not read it
  fill(note);
  const box = text.parentElement;
  const top = topOf(line);
  // Up to the next pixel: heights of lines have fractions.
  const below = Math.ceil(top + line.getBoundingClientRect().height);
  const fits = below + card.offsetHeight <= box.scrollTop + box.clientHeight;
  const above = top - card.offsetHeight;
  card.style.top = `${fits || above < box.scrollTop ? below : above}px`;
  card.style.insetInlineStart = "1rem";
};

// The problem at a place of the text: the one with the shortest range.
const problemAt = (place) => {
  let found = null;
  let least = Infinity;
  for (const note of document.querySelectorAll("#reading .diagnostic[data-message]:not(.fresh)")) {
    const [start, end] = placeOf(note);
    const length = Math.max(end - start, 1);
    if (start <= place && place < start + length && length < least) {
      found = note;
      least = length;
    }
  }
  return found;
};

const leave = () => {
  clearTimeout(timer);
  timer = setTimeout(hide, GRACE);
};

export const point = (place) => {
  const note = place === null ? null : problemAt(place);
  if (note) showInline(note);
  else if (shown) leave();
};

card.addEventListener("pointerenter", () => clearTimeout(timer));
card.addEventListener("pointerleave", leave);
text.addEventListener("edited", hide);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (card.contains(document.activeElement)) text.focus({ preventScroll: true });
  hide();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".diagnostic, #inline-problem, .editor")) hide();
});
onAnswer(() => {
  if (shown && !(shown.isConnected && said().chosen)) hide();
});
