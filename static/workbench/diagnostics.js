// The list of diagnostics: walking through it, seeing the place in the text, applying a fix.
import { choose, decode, form, isCurrent, shown } from "./decoding.js";
import { replace, select, text } from "./editor.js";
import { command } from "../commands/commands.js";
import { placeOf } from "../commands/places.js";

const all = () => [...document.querySelectorAll("#reading .diagnostic[data-message]")];
const notes = () => all().filter((note) => note.checkVisibility());

const show = (note) => {
  select(...placeOf(note));
  if (shown() !== Number(note.dataset.message)) choose(Number(note.dataset.message));
};

// From the diagnostic that has the focus, else from the caret on.
const step = (by) => {
  const seen = notes();
  if (!seen.length) return;
  const focused = seen.indexOf(document.activeElement);
  const behind = seen.filter((note) => placeOf(note)[0] < text.selectionStart).length;
  const from = focused >= 0 ? focused : by > 0 ? behind - 1 : behind;
  const to = seen[(from + by + seen.length) % seen.length];
  to.focus();
  show(to);
};

form.addEventListener("click", (event) => {
  const fix = event.target.closest("button[name=fix]");
  if (fix) {
    event.preventDefault();
    // Of an earlier text it would be written in the wrong place.
    if (!isCurrent()) return decode();
    replace(...placeOf(fix), fix.dataset.text);
    return;
  }
  const note = event.target.closest(".diagnostic[data-message]");
  if (note && !event.target.closest("button, a")) show(note);
});

command({ words: "Next diagnostic", keys: "F8", group: "Diagnostics", run: () => step(1) });
command({ words: "Previous diagnostic", keys: "Shift+F8", group: "Diagnostics", run: () => step(-1) });
command({
  words: "Apply the fix of this diagnostic",
  keys: "Ctrl+.",
  group: "Diagnostics",
  // A suggestion is applied only where it has been walked to.
  run: () => (document.activeElement.querySelector(".fix") ?? document.querySelector("#reading .fix:not(.guess)"))?.click(),
});
