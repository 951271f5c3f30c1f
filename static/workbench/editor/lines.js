// The lines of the layer that paints, an element each. What does not change stays, and with it its
// colors. The many new lines of a paste that are out of view share elements for a moment: Chromium
// takes 35 ms to style and lay out a thousand elements with their numbers, 12 ms for the same lines
// in a few, and 3 ms if most of them wait.
import { insertBefore, layer, remove, replace } from "./chunks.js";

const MANY = 100;
const UNASKED = 1000;
let lines = [];
// The element of each line; null for a line that shares one.
let elements = [];
let shared = [];
let timer = 0;

const make = (content) => {
  const made = document.createElement("div");
  made.textContent = content;
  return made;
};

// Make an element for each of these lines.
const own = (from, to) => {
  for (let at = from; at < to; at += 1) elements[at] = make(lines[at]);
  return elements.slice(from, to);
};

const share = (from, to) => {
  if (from === to) return null;
  const made = make(lines.slice(from, to).join("\n") + "\n");
  made.className = "shared";
  made.style.counterIncrement = `line ${to - from}`;
  shared.push({ made, from, to });
  return made;
};

// Above the view they wait without their text, if the textarea is as high as all lines: the others
// are at the end of that height.
const SIZED = CSS.supports("field-sizing", "content");
const shareAbove = (from, to) => {
  const made = share(from, to);
  if (!made || !SIZED) return made;
  made.textContent = "";
  made.classList.add("waiting");
  layer.classList.add("hanging");
  return made;
};

// Whether lines in view wait.
export const areMissing = (top) => {
  const waiting = layer.classList.contains("hanging") && layer.querySelector(".waiting");
  return waiting && waiting.getBoundingClientRect().bottom > top;
};

// Make the lines from `from` to `to`, which have no elements yet.
const insert = (from, to, seen) => {
  const next = elements[from] ?? null;
  const none = Array(to - from).fill(null);
  elements = [...elements.slice(0, from), ...none, ...elements.slice(from)];
  const apart = seen && to - from > MANY;
  const within = (line) => Math.min(Math.max(line, from), to);
  const [first, end] = apart ? [within(seen[0]), within(seen[1] + 1)] : [from, to];
  const made = [shareAbove(from, first), ...own(first, end), share(end, to)];
  insertBefore(made.filter(Boolean), next);
  if (shared.length) separateIn(UNASKED);
};

// Give each line an element of its own.
export const separate = () => {
  clearTimeout(timer);
  if (!shared.length) return;
  for (const { made, from, to } of shared) replace(made, own(from, to));
  shared = [];
  layer.classList.remove("hanging");
  layer.dispatchEvent(new CustomEvent("separated"));
};

export const separateIn = (milliseconds) => {
  clearTimeout(timer);
  timer = setTimeout(separate, milliseconds);
};

// How many items two lists have in common at their beginnings, and then at their ends.
const inCommon = (one, other) => {
  const least = Math.min(one.length, other.length);
  let top = 0;
  while (top < least && one[top] === other[top]) top += 1;
  let bottom = 0;
  while (bottom < least - top && one.at(-1 - bottom) === other.at(-1 - bottom)) bottom += 1;
  return [top, bottom];
};

// The text nodes of a line, each with the class of its run.
export const leavesOf = (element) =>
  [...element.childNodes].map((child) => {
    const inner = child.firstChild;
    return inner ? { node: inner, name: child.className } : { node: child, name: "" };
  });

// Write another text into a line. What is inserted gets the color of what is before it.
const rewrite = (element, before, after) => {
  const leaves = leavesOf(element);
  if (!leaves.length) {
    element.textContent = after;
    return;
  }
  const [start, rest] = inCommon(before, after);
  let put = after.slice(start, after.length - rest);
  let gone = before.length - rest - start;
  let place = 0;
  for (const { node } of leaves) {
    if (!put && !gone) return;
    const { length } = node;
    if (start <= place + length) {
      const at = Math.max(start - place, 0);
      const cut = Math.min(gone, length - at);
      node.replaceData(at, cut, put);
      gone -= cut;
      put = "";
    }
    place += length;
  }
};

// Show other lines. `seen` are the first and the last that will be in view, if that is known.
export const setLines = (next, seen) => {
  separate();
  const before = lines;
  lines = next;
  const [top, bottom] = inCommon(before, next);
  const changed = Math.min(before.length, next.length) - bottom;
  for (let at = top; at < changed; at += 1) rewrite(elements[at], before[at], next[at]);
  for (const gone of elements.splice(changed, before.length - bottom - changed)) remove(gone);
  if (next.length > before.length) insert(changed, next.length - bottom, seen);
};

export const elementAt = (line) => elements[line];
