// The lines of the layer that paints. Each has an element with one text node: ranges stay cheap,
// and only lines in view are painted. The many new lines of a paste that are out of view share
// elements for a moment: Chromium takes 35 ms to style and lay out a thousand elements with their
// numbers, and 12 ms for the same lines in a few.

export const layer = document.getElementById("backdrop");

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
  const made = document.createDocumentFragment();
  for (let at = from; at < to; at += 1) {
    elements[at] = make(lines[at] + "\n");
    made.append(elements[at]);
  }
  return made;
};

const share = (from, to) => {
  const made = make(lines.slice(from, to).join("\n") + "\n");
  made.className = "shared";
  made.style.counterIncrement = `line ${to - from}`;
  shared.push({ made, from, to });
  layer.append(made);
};

const append = (from, seen) => {
  const apart = seen && lines.length - from > MANY;
  const [first, end] = apart ? [Math.max(seen[0], from), seen[1] + 1] : [from, lines.length];
  for (let at = from; at < lines.length; at += 1) elements[at] = null;
  if (first > from) share(from, Math.min(first, lines.length));
  layer.append(own(first, Math.min(end, lines.length)));
  if (end < lines.length) share(Math.max(end, from), lines.length);
  if (shared.length) separateIn(UNASKED);
};

// Give each line an element of its own.
export const separate = () => {
  clearTimeout(timer);
  if (!shared.length) return;
  for (const { made, from, to } of shared) made.replaceWith(own(from, to));
  shared = [];
  layer.dispatchEvent(new CustomEvent("separated"));
};

export const separateIn = (milliseconds) => {
  clearTimeout(timer);
  timer = setTimeout(separate, milliseconds);
};

// Show other lines. `seen` are the first and the last that will be in view, if that is known.
export const setLines = (next, seen) => {
  separate();
  const before = lines;
  lines = next;
  // An element stays, and with it the colors until the response arrives.
  for (let at = 0; at < Math.min(before.length, next.length); at += 1)
    if (next[at] !== before[at]) elements[at].firstChild.data = next[at] + "\n";
  for (const gone of elements.splice(next.length)) gone.remove();
  if (next.length > before.length) append(before.length, seen);
};

export const elementAt = (line) => elements[line];
