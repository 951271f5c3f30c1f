// Where messages and their problems are in the text of the last response. Offsets within a message
// count from its start, so they stay the same while the text before it changes.
import { onAnswer, said } from "../workbench/decoding.js";

let spans = null;

const known = () => {
  if (spans) return spans;
  let end = 0;
  spans = (said().spans ?? "").split(" ").filter(Boolean).map((one) => {
    const [gap, length] = one.split(",").map(Number);
    const start = end + gap;
    end = start + length;
    return [start, end];
  });
  return spans;
};

// Messages count from 1.
export const spanOf = (message) => known()[Number(message) - 1] ?? [0, 0];

// Of a diagnostic, or of its fix.
export const placeOf = ({ dataset: { message, start, end } }) => {
  const [base] = spanOf(message);
  return [base + Number(start), base + Number(end)];
};

onAnswer(() => {
  spans = null;
});
