// The lines of the layer that paints. Those near the view have an element each: what does not
// change stays, and with it its colors. The others share an element by chunk, until the view comes
// near. Chromium takes 35 ms to style and lay out a thousand elements with their numbers, and 12 ms
// for the same lines in a few. After a paste, all lines below the view share one, and those above
// share another that waits without its text: 3 ms.
import {
  SIZE, insertBefore, layer, onNear, remove, replaceByLines, replaceByShared,
} from "./chunks.js";

const MANY = 100;
const UNASKED = 1000;
let lines = [];
// The element of each line. Lines that share one have the same.
let elements = [];
const shared = new WeakSet();
// Elements for more lines than a chunk has.
const large = new Set();
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

const isWaiting = (made) => made.classList.contains("waiting");

const write = (made, from, to) => {
  made.textContent = isWaiting(made) ? "" : lines.slice(from, to).join("\n") + "\n";
  made.style.counterIncrement = `line ${to - from}`;
  elements.fill(made, from, to);
};

// Make one element for these lines.
const share = (from, to, className = "shared") => {
  const made = document.createElement("div");
  made.className = className;
  shared.add(made);
  write(made, from, to);
  return made;
};

const shareAll = (from, to, className) => {
  if (from === to) return null;
  const made = share(from, to, className);
  large.add(made);
  return made;
};

// Above the view they wait without their text, if the textarea is as high as all lines: the others
// are at the end of that height.
const SIZED = CSS.supports("field-sizing", "content");
const shareAbove = (from, to) => {
  if (!SIZED) return shareAll(from, to);
  const made = shareAll(from, to, "shared waiting");
  if (made) layer.classList.add("hanging");
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
  const apart = to - from > MANY;
  const within = (line) => Math.min(Math.max(line, from), to);
  const [first, end] = apart ? [within(seen[0]), within(seen[1] + 1)] : [from, to];
  const made = [shareAbove(from, first), ...own(first, end), shareAll(end, to)];
  insertBefore(made.filter(Boolean), next);
  if (large.size) settleIn(UNASKED);
};

// The lines that share the element of a line, from the first to after the last.
const extent = (line) => {
  const made = elements[line];
  if (!made) throw new RangeError(`no line ${line}`);
  let [from, to] = [line, line + 1];
  while (elements[from - 1] === made) from -= 1;
  while (elements[to] === made) to += 1;
  return [from, to];
};

const isShared = (line) => shared.has(elements[line]);

const tell = () => layer.dispatchEvent(new CustomEvent("separated"));

// Share elements by chunk, and let no line wait.
export const settle = () => {
  clearTimeout(timer);
  if (!large.size) return;
  for (const made of large) {
    const [from, to] = extent(elements.indexOf(made));
    const parts = [];
    for (let at = from; at < to; at += SIZE) parts.push(share(at, Math.min(at + SIZE, to)));
    replaceByShared(made, parts);
  }
  large.clear();
  layer.classList.remove("hanging");
};

export const settleIn = (milliseconds) => {
  clearTimeout(timer);
  timer = setTimeout(settle, milliseconds);
};

const separate = (line) => {
  const made = elements[line];
  replaceByLines(made, own(...extent(line)));
};

// Give each line of a shared element one of its own.
export const separateAt = (line) => {
  settle();
  if (!isShared(line)) return;
  separate(line);
  tell();
};

onNear((chunks) => {
  const all = chunks.flatMap((chunk) => [...chunk.children]);
  // A chunk may have been dropped since, or have come twice.
  const made = all.filter((one) => shared.has(one) && !large.has(one) && one.isConnected);
  for (const one of new Set(made)) separate(elements.indexOf(one));
  if (made.length) tell();
});

// Let no element be shared by lines on both sides of the beginning of a line.
const divide = (line) => {
  const made = elements[line];
  if (line === 0 || !shared.has(made) || elements[line - 1] !== made) return;
  const [from, to] = extent(line);
  replaceByLines(made, [share(from, line), share(line, to)]);
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

// Show other lines. `seen` are the first and the last that will be in view.
export const setLines = (next, seen) => {
  settle();
  const before = lines;
  const [top, bottom] = inCommon(before, next);
  const kept = before.length - bottom;
  const changed = Math.min(before.length, next.length) - bottom;
  if (before.length !== next.length) [changed, kept].forEach(divide);
  lines = next;
  for (let at = top; at < changed; at += 1) {
    if (!isShared(at)) rewrite(elements[at], before[at], next[at]);
    else if (at === top || elements[at] !== elements[at - 1]) write(elements[at], ...extent(at));
  }
  for (const gone of new Set(elements.splice(changed, kept - changed))) remove(gone);
  if (next.length > before.length) insert(changed, next.length - bottom, seen);
};

// The element of a line, which it may share.
export const boxOf = (line) => elements[line];

// The element of a line, if it has one of its own.
export const elementAt = (line) => (isShared(line) ? null : elements[line]);
