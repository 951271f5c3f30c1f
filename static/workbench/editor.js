// The input: a real textarea over a layer that paints. The textarea is never swapped, disabled or set, so that caret and
// undo stay the browser's own. Places are UTF-16 units of the whole text.

const HUES = 8;
const kinds = [...Array(HUES).keys()].map((hue) => `hue-${hue}`).concat(["error", "warning", "info"]);
const painted = typeof Highlight === "function" && "highlights" in CSS;

export const text = document.getElementById("text");
const backdrop = document.getElementById("backdrop");

// The layer holds one text node a line: ranges stay cheap and only the lines in view are painted.
let starts = [0];
let laid = [];

// The lines that can be seen, as numbers from 0; unknown once something has moved.
let view = null;

const hold = (line, at) => {
  const holder = backdrop.childNodes[at];
  if (holder) {
    // The node stays, and with it the colours until the answer comes.
    holder.firstChild.data = line;
    return;
  }
  const made = document.createElement("div");
  made.textContent = line;
  backdrop.append(made);
};

export const lay = () => {
  const lines = text.value.split("\n");
  starts = [];
  let place = 0;
  lines.forEach((line, at) => {
    starts.push(place);
    place += line.length + 1;
    if (line !== laid[at]) hold(line + "\n", at);
  });
  while (backdrop.childNodes.length > lines.length) backdrop.lastChild.remove();
  if (lines.length !== laid.length) view = null;
  laid = lines;
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

const rangesOf = function* (start, end) {
  for (let line = lineOf(start); line < starts.length && starts[line] < end; line += 1) {
    const node = backdrop.childNodes[line]?.firstChild;
    if (!node) return;
    yield new StaticRange({
      startContainer: node,
      startOffset: Math.max(start - starts[line], 0),
      endContainer: node,
      endOffset: Math.min(end - starts[line], node.length),
    });
  }
};

// Stretches of the text under one name; CSS says how `::highlight(name)` looks. Later ones lie above.
export const mark = (name, stretches, priority = 2) => {
  if (!painted) return;
  const highlight = new Highlight(...stretches.flatMap(([start, end]) => [...rangesOf(start, end)]));
  highlight.priority = priority;
  CSS.highlights.set(name, highlight);
};

const named = ({ dataset }) => `${dataset.message}:${dataset.number}`;

// What the server said of the messages in view: fields by hue, diagnostics by severity. Fresh ones wait, see quiet.js.
export const paint = (marks) => {
  const stretches = new Map(kinds.map((kind) => [kind, []]));
  const fresh = new Set([...document.querySelectorAll("#reading .diagnostic.fresh")].map(named));
  for (const [start, end, kind, note] of marks) {
    if (note && fresh.has(note)) continue;
    stretches.get(typeof kind === "number" ? `hue-${kind}` : kind)?.push([start, end]);
  }
  for (const [kind, list] of stretches) mark(kind, list, kind.startsWith("hue") ? 0 : 1);
};

const look = () => {
  const box = backdrop.parentElement;
  const { offsetHeight: height, scrollTop: top } = box;
  const lines = backdrop.childNodes;
  const lineAt = (y) => {
    let low = 0;
    let high = lines.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (lines[middle].offsetTop <= y) low = middle;
      else high = middle;
    }
    return low;
  };
  return [lineAt(top - height / 2), lineAt(top + 1.5 * height)];
};

// The stretch of the text that can be seen, and half as much above and below it. Looking makes the browser lay out the
// page, which a keystroke should not wait for: what was seen holds until it moves.
export const inView = () => {
  view ??= look();
  return [starts[view[0]] ?? 0, starts[view[1] + 1] ?? text.value.length];
};

const moved = () => {
  view = null;
};
text.parentElement.addEventListener("scroll", moved, { passive: true });
new ResizeObserver(moved).observe(backdrop);

export const select = (start, end) => text.setSelectionRange(start, end);

// A browser scrolls a textarea to its selection, and this one does not scroll: the box around it does.
export const reveal = (place) => backdrop.childNodes[lineOf(place)]?.scrollIntoView({ block: "nearest" });

// Chromium inserts text a line at a time, 9 ms each, and markup as one piece: in a textarea that is text too, and nothing of
// it becomes an element. Other browsers refuse it here; their insertText is quick. Markup cannot say NUL.
const ONE_PIECE = 10;
const asMarkup = (put) => put.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// A command keeps the browser's own undo, which setting the value would throw away.
const insert = (put) => {
  if (!put) return document.execCommand("delete");
  const many = put.split("\n", ONE_PIECE).length === ONE_PIECE && !put.includes("\0");
  return (many && document.execCommand("insertHTML", false, asMarkup(put))) || document.execCommand("insertText", false, put);
};

export const replace = (start, end, put) => {
  text.focus({ preventScroll: true });
  select(start, end);
  if (!insert(put)) text.setRangeText(put, start, end, "end");
  lay();
  text.dispatchEvent(new CustomEvent("edited", { bubbles: true, detail: { atOnce: true, typed: false } }));
};

// Typed: a character or a deletion, by hand. Several characters at once are pasted, however they came.
text.addEventListener("input", (event) => {
  lay();
  const pasted = event.inputType === "insertFromPaste" || (event.data?.length ?? 0) > 2;
  const typed = !pasted && /^(insert|delete)/.test(event.inputType ?? "");
  text.dispatchEvent(new CustomEvent("edited", { bubbles: true, detail: { atOnce: pasted, typed } }));
});
