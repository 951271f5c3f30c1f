// The list of problems: step through it, show its place in the text, apply a fix.
import { choose, decode, form, isCurrent, shown } from "./decoding.js";
import { replace, reveal, select, text } from "./editor/editor.js";
import { showInline } from "./editor/inline_problem.js";
import { speak } from "./hold_errors.js";
import { showTab } from "./tabs.js";
import { command } from "../commands/commands.js";
import { attend } from "../display/highlight.js";
import { placeOf } from "../commands/places.js";

const all = () => [...document.querySelectorAll("#reading .diagnostic[data-message]")];
const notes = () => all().filter((note) => note.checkVisibility());

const show = (note) => {
  select(...placeOf(note));
  reveal(placeOf(note)[0]);
  showInline(note);
  if (shown() !== Number(note.dataset.message)) choose(Number(note.dataset.message));
};

// The problem that F8 came to, while its place is still selected: several can begin at one place.
let reached = "";
const current = () => {
  const note = document.getElementById(reached);
  const [start, end] = note ? placeOf(note) : [];
  return start === text.selectionStart && end === text.selectionEnd ? note : null;
};

// Start at the focused problem, or at the one that was reached, or else at the caret. The focus
// goes to its place in the text, where the problem can be fixed by typing.
const step = (by) => {
  showTab("found", "problems");
  speak();
  const seen = notes();
  if (!seen.length) return;
  const focused = seen.findIndex((note) => note.contains(document.activeElement));
  const before = seen.filter((note) => placeOf(note)[0] < text.selectionStart).length;
  const at = focused >= 0 ? focused : seen.indexOf(current());
  const from = at >= 0 ? at : by > 0 ? before - 1 : before;
  const to = seen[(from + by + seen.length) % seen.length];
  to.scrollIntoView({ block: "nearest" });
  text.focus({ preventScroll: true });
  show(to);
  reached = to.id;
  attend({ fields: [], note: to.dataset.number, message: to.dataset.message });
  document.getElementById("inline-problem").scrollIntoView({ block: "nearest" });
};

document.addEventListener("selectionchange", () => {
  if (!reached || current()) return;
  reached = "";
  attend(null);
});

form.addEventListener("click", (event) => {
  const fix = event.target.closest("button[name=fix]");
  if (fix) {
    event.preventDefault();
    // The fix of an earlier text would go to the wrong place.
    if (!isCurrent()) return decode();
    replace(...placeOf(fix), fix.dataset.text);
    return;
  }
  const note = event.target.closest(".diagnostic[data-message]");
  if (note && !event.target.closest("button, a")) show(note);
});

command({ words: "Next problem", keys: "F8", group: "Problems", run: () => step(1) });
command({ words: "Previous problem", keys: "Shift+F8", group: "Problems", run: () => step(-1) });
command({
  words: "Apply the fix for this problem",
  keys: "Ctrl+.",
  group: "Problems",
  // A guess is applied only if its problem has the focus, or F8 came to it.
  run: () => {
    const focused = (current() ?? document.activeElement).querySelector(".fix");
    (focused ?? document.querySelector("#reading .fix:not(.guess)"))?.click();
  },
});
