// The input: a textarea over a layer that paints. Nothing ever replaces, disables, or sets the
// textarea, so the browser keeps caret and undo. Offsets are UTF-16 units of the whole text.

import { layer } from "./chunks.js";
import { areMissing, boxOf, elementAt, separateAt, setLines, settle } from "./lines.js";

export const text = document.getElementById("text");
const box = text.parentElement;
let starts = [0];
let count = 0;
let size = 0;

// The visible lines, from 0; null after anything has moved. `fits` is how many there can be.
let view = null;
let fits = 0;
// The lines taken for visible in a text that comes with the page.
const FIRST = [0, 80];

export const lay = () => {
  const lines = text.value.split("\n");
  starts = [];
  let place = 0;
  for (const line of lines) {
    starts.push(place);
    place += line.length + 1;
  }
  if (lines.length !== count) view = fits ? guess(lines.length - count) : null;
  count = lines.length;
  size = place - 1;
  setLines(lines, view ?? FIRST);
  if (!view) settle();
};

// Where the visible lines are after a paste: around the caret, which the browser shows. A guess
// needs no layout of the new text; if it is wrong, the colors come with the next request.
const guess = (added) => {
  const line = lineOf(text.selectionEnd);
  const [first, last] = view ?? [0, -1];
  if (first <= line && line <= last) return [first, last + Math.max(added, 0)];
  return [Math.max(line - fits, 0), line + (fits >> 1)];
};

const lineOf = (place) => {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
};

export const caretLine = () => lineOf(text.selectionEnd);

// The element of the line at a place of the text.
export const lineElement = (place) => {
  const line = lineOf(place);
  if (!elementAt(line)) separateAt(line);
  return elementAt(line);
};

// The part of each line that a range covers, for lines with an element of their own.
export const linesOf = (start, end) => {
  const found = [];
  for (let line = lineOf(start); line < starts.length && starts[line] < end; line += 1) {
    const length = (starts[line + 1] ?? size + 1) - 1 - starts[line];
    const [from, to] = [Math.max(start - starts[line], 0), Math.min(end - starts[line], length)];
    if (elementAt(line)) found.push({ element: elementAt(line), line, from, to });
  }
  return found;
};

// Where a line begins in the box that scrolls, in pixels.
export const topOf = (line) => {
  const start = box.getBoundingClientRect().top + box.clientTop - box.scrollTop;
  return line.getBoundingClientRect().top - start;
};

const look = () => {
  settle();
  const { offsetHeight: height, scrollTop: top } = box;
  const lineAt = (y) => {
    let low = 0;
    let high = count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const shared = boxOf(middle);
      const begin = topOf(shared);
      if (begin <= y && y < begin + shared.getBoundingClientRect().height) separateAt(middle);
      if (topOf(boxOf(middle)) <= y) low = middle;
      else high = middle;
    }
    return low;
  };
  return [lineAt(top - height / 2), lineAt(top + 1.5 * height)];
};

// The visible range of the text, and half as much above and below. Measuring makes the browser lay
// out the page, and a keystroke should not wait for that: the result holds until something moves.
export const inView = () => {
  view ??= look();
  return [starts[view[0]] ?? 0, starts[view[1] + 1] ?? size];
};

const moved = () => {
  view = null;
  if (areMissing(box.getBoundingClientRect().top)) settle();
};
box.addEventListener("scroll", moved, { passive: true });
// It is told after the layout, when measuring costs nothing.
const resized = new ResizeObserver(() => {
  moved();
  const height = parseFloat(getComputedStyle(layer).lineHeight);
  if (height) fits = Math.ceil(box.clientHeight / height);
});
resized.observe(layer);
resized.observe(box);

export const select = (start, end) => text.setSelectionRange(start, end);

// The box around the textarea scrolls, not the textarea, so the browser cannot show the selection.
// Only that box moves: on a narrow screen the page stays where its reader is.
export const reveal = (place) => {
  const line = lineElement(place);
  if (!line) return;
  const { offsetHeight: height } = line;
  const top = topOf(line);
  const seen = top >= box.scrollTop && top + height <= box.scrollTop + box.clientHeight;
  if (!seen) box.scrollTop = top - box.clientHeight / 3;
};

// Chromium inserts text line by line, 9 ms each, and markup at once: in a textarea that is text,
// too, and none of it becomes an element. Other browsers refuse markup here; their insertText is
// fast. Markup cannot contain NUL.
const ONE_PIECE = 10;
const asMarkup = (put) =>
  put.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// A command preserves the browser's undo history, which setting the value would clear.
const insert = (put) => {
  if (!put) return document.execCommand("delete");
  const many = put.split("\n", ONE_PIECE).length === ONE_PIECE && !put.includes("\0");
  if (many && document.execCommand("insertHTML", false, asMarkup(put))) return true;
  return document.execCommand("insertText", false, put);
};

export const replace = (start, end, put) => {
  text.focus({ preventScroll: true });
  select(start, end);
  if (!insert(put)) text.setRangeText(put, start, end, "end");
  lay();
  const detail = { atOnce: true, typed: false };
  text.dispatchEvent(new CustomEvent("edited", { bubbles: true, detail }));
};

// Typed means one character or deletion by hand. What is dropped and several characters at once
// count as pasted.
text.addEventListener("input", (event) => {
  lay();
  const pasted = /^insertFrom(Paste|Drop)$/.test(event.inputType) || event.data?.length > 2;
  const typed = !pasted && /^(insert|delete)/.test(event.inputType ?? "");
  const detail = { atOnce: pasted, typed };
  text.dispatchEvent(new CustomEvent("edited", { bubbles: true, detail }));
});
