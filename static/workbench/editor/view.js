// Only the visible text is colored: a response colors what was in view when it was requested, and
// other ranges are fetched on scrolling.
import { chosenProtocol, form, isCurrent, onAnswer, said } from "../decoding.js";
import { inView, text } from "./editor.js";
import { drawEnds } from "./line_ends.js";
import { layer } from "./chunks.js";
import { settleIn } from "./lines.js";
import { highlightAll, paint } from "./painting.js";

const PAUSE = 60;
let covered = [0, 0];
let marks = [];
let ends = [];
let timer = 0;
let turn = 0;

const read = () => {
  turn += 1;
  const state = said();
  covered = [Number(state.top ?? 0), Number(state.bottom ?? 0)];
  marks = JSON.parse(state.marks ?? "[]");
  ends = JSON.parse(state.ends ?? "[]");
};

// The places of an old response are wrong, and what is colored moves with the text.
export const repaint = () => {
  if (isCurrent()) paint(marks);
  drawEnds(ends);
};

const fetchMarks = async () => {
  // A text that waits for its response gets the colors of what is in view with it.
  if (!isCurrent()) return;
  const [top, bottom] = inView();
  // Colors that are still to come are of what was in view before.
  turn += 1;
  if (top >= covered[0] && bottom <= covered[1]) return;
  const asked = text.value;
  const mine = turn;
  const sent = new URLSearchParams(new FormData(form));
  sent.set("protocol", chosenProtocol());
  sent.set("top", top);
  sent.set("bottom", bottom);
  try {
    const answer = await fetch(form.dataset.paint, { method: "POST", body: sent });
    if (!answer.ok) return;
    const found = await answer.json();
    if (mine !== turn || text.value !== asked) return;
    ({ marks, ends } = found);
    covered = [top, bottom];
    repaint();
  } catch {
    // The text is readable without colors, and the next response brings them.
  }
};

const look = () => {
  clearTimeout(timer);
  timer = setTimeout(fetchMarks, PAUSE);
};

text.parentElement.addEventListener("scroll", look, { passive: true });
addEventListener("resize", look, { passive: true });
onAnswer(() => {
  read();
  look();
  settleIn(PAUSE);
});
// What is drawn beside the lines moves with them until the response to a new text.
layer.addEventListener("separated", () => {
  if (!isCurrent()) return;
  repaint();
  highlightAll();
});
read();
look();
