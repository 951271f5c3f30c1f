// Decode fast, complain slowly: problems of the message being typed appear after a pause, or at
// once if the text was pasted. Fixed problems disappear at once. Responses always contain all
// problems; only showing them waits.
import { onAnswer, reading, said, total } from "./decoding.js";
import { text } from "./editor/editor.js";
import { draw } from "./filters.js";
import { repaint } from "./editor/view.js";

const QUIET = 600;
let typed = false;
let timer = 0;
let before = { total: 0, codes: new Map() };

const notesOf = (message) => [
  ...reading().querySelectorAll(`.diagnostic[data-number][data-message="${message}"]`),
];

// How often each code was shown for each message.
const count = (notes) => {
  const codes = new Map();
  for (const { dataset } of notes) codes.set(dataset.code, (codes.get(dataset.code) ?? 0) + 1);
  return codes;
};

const unhush = () => {
  const notes = reading().querySelectorAll(".diagnostic.fresh");
  for (const note of notes) note.classList.remove("fresh");
};

const hush = (message) => {
  const known = before.total === total() ? new Map(before.codes.get(message)) : new Map();
  for (const note of notesOf(message)) {
    const left = known.get(note.dataset.code) ?? 0;
    note.classList.toggle("fresh", left === 0);
    known.set(note.dataset.code, Math.max(left - 1, 0));
  }
};

const show = () => {
  const notes = [...reading().querySelectorAll(".diagnostic.fresh")];
  const fresh = new Set(notes.map((note) => note.dataset.number));
  for (const run of reading().querySelectorAll(".message.chosen [data-n], .shown [data-n]")) {
    run.classList.toggle("fresh", run.dataset.n.split(" ").every((number) => fresh.has(number)));
  }
  reading().classList.toggle("hushed", fresh.size > 0);
  draw();
  repaint();
};

const remember = () => {
  const codes = new Map();
  for (const note of reading().querySelectorAll(".diagnostic[data-number]:not(.fresh)")) {
    const { message } = note.dataset;
    if (!codes.has(message)) codes.set(message, []);
    codes.get(message).push(note);
  }
  for (const [message, notes] of codes) codes.set(message, count(notes));
  before = { total: total(), codes };
};

// Show what waits: the typing rests, or a key asks for the next problem.
export const speak = () => {
  clearTimeout(timer);
  typed = false;
  unhush();
  show();
  remember();
};

text.addEventListener("edited", (event) => {
  typed = event.detail.typed;
  clearTimeout(timer);
  if (typed) timer = setTimeout(speak, QUIET);
});

// A response leaves what it did not change, and hidden problems there would stay hidden.
onAnswer(() => {
  unhush();
  if (typed) hush(said().chosen);
  show();
  remember();
});

remember();
