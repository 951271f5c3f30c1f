// What stands beside the lines in view: the state of the message that begins there, its tokens, and
// in a mixed text its protocol. A line that begins several messages shows the worst state and the
// sum. The lines of the shown message have a background.
import { linesOf, reveal, text } from "./editor.js";
import { onAnswer, said, takeLead } from "../decoding.js";
import { spanOf } from "../../commands/places.js";

const RANK = ["", "info", "warning", "error"];
const LINES = 300;
let drawn = [];
let chosen = [];

const together = (one, other) => ({
  severity: RANK[Math.max(RANK.indexOf(one.severity), RANK.indexOf(other.severity))],
  tokens: one.tokens + other.tokens,
  protocol: one.protocol === other.protocol ? one.protocol : "mixed",
});

const drawChosen = () => {
  for (const line of chosen) delete line.dataset.chosen;
  const several = (said().spans ?? "").includes(" ");
  const lines = several ? linesOf(...spanOf(said().chosen)) : [];
  chosen = lines.slice(0, LINES).map(({ element }) => element);
  for (const line of chosen) line.dataset.chosen = "";
};

export const drawEnds = (ends) => {
  const lines = new Map();
  for (const [start, severity, tokens, protocol] of ends) {
    const line = linesOf(start, start + 1)[0]?.element;
    if (!line) continue;
    const own = { severity, tokens, protocol };
    lines.set(line, lines.has(line) ? together(lines.get(line), own) : own);
  }
  for (const line of drawn) {
    if (lines.has(line)) continue;
    delete line.dataset.state;
    delete line.dataset.end;
  }
  for (const [line, { severity, tokens, protocol }] of lines) {
    line.dataset.state = severity || "valid";
    line.dataset.end = protocol ? `${protocol} ${tokens}` : String(tokens);
  }
  drawn = [...lines.keys()];
  text.parentElement.classList.toggle("mixed", ends.some((end) => end[3]));
  drawChosen();
};

onAnswer(() => {
  if (takeLead() && document.activeElement !== text) reveal(spanOf(said().chosen)[0]);
});
