// The list of problems: step through it, show its place in the text, apply a fix.
import { choose, decode, form, isCurrent, shown } from "./decoding.js";
import { replace, reveal, select, text } from "./editor/editor.js";
import { showInline } from "./editor/inline_problem.js";
import { showTab } from "./tabs.js";
import { command } from "../commands/commands.js";
import { placeOf } from "../commands/places.js";

const all = () => [...document.querySelectorAll("#reading .diagnostic[data-message]")];
const notes = () => all().filter((note) => note.checkVisibility());

const show = (note) => {
  select(...placeOf(note));
  reveal(placeOf(note)[0]);
  showInline(note);
  if (shown() !== Number(note.dataset.message)) choose(Number(note.dataset.message));
};

// Start at the focused problem, or else at the caret.
const step = (by) => {
  showTab("found", "problems");
  const seen = notes();
  if (!seen.length) return;
  const focused = seen.indexOf(document.activeElement);
  const before = seen.filter((note) => placeOf(note)[0] < text.selectionStart).length;
  const from = focused >= 0 ? focused : by > 0 ? before - 1 : before;
  const to = seen[(from + by + seen.length) % seen.length];
  to.focus();
  show(to);
};

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
  // A guess is applied only if its problem has the focus.
  run: () => {
    const focused = document.activeElement.querySelector(".fix");
    (focused ?? document.querySelector("#reading .fix:not(.guess)"))?.click();
  },
});
