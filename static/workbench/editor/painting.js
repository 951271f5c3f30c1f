// The colors of the layer: fields by hue, problems by severity. A run of a line that looks the same
// is an element. Ranges of CSS.highlights would need none, but Chromium checks each of them after
// every change of the page. They show what is highlighted for the moment.
import { caretLine, linesOf } from "./editor.js";
import { leavesOf } from "./lines.js";

const classOf = (kind) => (typeof kind === "number" ? `h${kind}` : `under-${kind}`);

// The runs of a line: [length, class], with "" where nothing is marked.
const runsOf = (length, stretches) => {
  const turns = stretches.flatMap(([start, end, name]) => [[start, 1, name], [end, -1, name]]);
  turns.sort((one, other) => one[0] - other[0]);
  const depth = new Map();
  const runs = [];
  let place = 0;
  const until = (end) => {
    if (end === place) return;
    const names = [...depth.keys()].sort().join(" ");
    if (runs.at(-1)?.[1] === names) runs.at(-1)[0] += end - place;
    else runs.push([end - place, names]);
    place = end;
  };
  for (const [turn, step, name] of turns) {
    until(turn);
    const now = (depth.get(name) ?? 0) + step;
    if (now) depth.set(name, now);
    else depth.delete(name);
  }
  until(length);
  return runs;
};

const isDrawn = (leaves, runs) =>
  leaves.length === runs.length &&
  leaves.every(({ node, name }, at) => node.length === runs[at][0] && name === runs[at][1]);

const draw = (element, runs) => {
  const content = element.textContent;
  let place = 0;
  const made = runs.map(([length, name]) => {
    const part = content.slice(place, place + length);
    place += length;
    if (!name) return part;
    const span = document.createElement("span");
    span.className = name;
    span.textContent = part;
    return span;
  });
  element.replaceChildren(...made);
};

const named = ({ dataset }) => `${dataset.message}:${dataset.number}`;

// To make and lay out the elements of all lines in view takes 10 ms after a paste. Those nearest to
// the caret, which the browser shows, are drawn with the answer, and the others after its frame.
const AT_ONCE = 30;
let turn = 0;
// The colored lines: the number of each when it was drawn.
let colored = new Map();

const drawAll = (changed) => {
  for (const { element, runs } of changed) {
    const length = runs.reduce((sum, run) => sum + run[0], 0);
    // Another text of a line that waited has colors of its own, which come with its answer.
    if (element.textContent.length === length) draw(element, runs);
  }
  if (changed.length) highlightAll();
};

const drawNearFirst = (changed) => {
  turn += 1;
  if (changed.length > AT_ONCE) {
    const mine = turn;
    const caret = caretLine();
    changed.sort((one, other) => Math.abs(one.line - caret) - Math.abs(other.line - caret));
    const rest = changed.splice(AT_ONCE);
    const drawRest = () => mine === turn && drawAll(rest);
    requestAnimationFrame(() => setTimeout(drawRest));
  }
  drawAll(changed);
};

// Paint the messages in view. Fresh problems wait, see hold_errors.js.
export const paint = (marks) => {
  const fresh = new Set([...document.querySelectorAll("#reading .diagnostic.fresh")].map(named));
  const lines = new Map();
  for (const [start, end, kind, note] of marks) {
    if (note && fresh.has(note)) continue;
    for (const { element, line, from, to } of linesOf(start, end)) {
      if (!lines.has(element)) lines.set(element, { line, stretches: [] });
      if (from < to) lines.get(element).stretches.push([from, to, classOf(kind)]);
    }
  }
  for (const [element, line] of colored)
    if (!lines.has(element)) lines.set(element, { line, stretches: [] });
  const changed = [];
  colored = new Map();
  for (const [element, { line, stretches }] of lines) {
    const leaves = leavesOf(element);
    const length = leaves.reduce((sum, { node }) => sum + node.length, 0);
    const runs = runsOf(length, stretches);
    if (!isDrawn(leaves, runs)) changed.push({ element, line, runs });
    if (stretches.length) colored.set(element, line);
  }
  drawNearFirst(changed);
};

const boundary = (element, offset) => {
  let place = 0;
  for (const { node } of leavesOf(element)) {
    if (offset <= place + node.length) return [node, offset - place];
    place += node.length;
  }
  return [element, element.childNodes.length];
};

const rangeOf = ({ element, from, to }) => {
  const [startContainer, startOffset] = boundary(element, from);
  const [endContainer, endOffset] = boundary(element, to);
  element.classList.add("painted");
  return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
};

const supported = typeof Highlight === "function" && "highlights" in CSS;
const marked = new Map();

const highlight = (name) => {
  const { stretches, priority } = marked.get(name);
  const ranges = stretches.flatMap(([start, end]) => linesOf(start, end).map(rangeOf));
  const made = new Highlight(...ranges);
  made.priority = priority;
  CSS.highlights.set(name, made);
};

export const highlightAll = () => {
  for (const name of marked.keys()) highlight(name);
};

// Mark ranges of the text under one name; CSS styles `::highlight(name)`. Later ones are on top.
export const mark = (name, stretches, priority) => {
  if (!supported || (!stretches.length && !marked.get(name)?.stretches.length)) return;
  marked.set(name, { stretches, priority });
  highlight(name);
};
