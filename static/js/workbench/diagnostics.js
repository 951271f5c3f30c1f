// The list of diagnostics: walking through it, seeing the place in the text, applying a fix.
import { choose, form, shown } from "./decoding.js";
import { replace, select } from "./editor.js";
import { command } from "./commands.js";

let current = -1;
const notes = () => [...document.querySelectorAll("#reading .diagnostic[data-message]")];

const show = (note) => {
  select(Number(note.dataset.start), Number(note.dataset.end));
  if (shown() !== Number(note.dataset.message)) choose(Number(note.dataset.message));
};

const step = (by) => {
  const all = notes();
  if (!all.length) return;
  current = current < 0 && by < 0 ? all.length - 1 : (current + by + all.length) % all.length;
  all[current].focus();
  select(Number(all[current].dataset.start), Number(all[current].dataset.end));
};

form.addEventListener("click", (event) => {
  const fix = event.target.closest("button[name=fix]");
  if (fix) {
    event.preventDefault();
    replace(Number(fix.dataset.start), Number(fix.dataset.end), fix.dataset.text);
    return;
  }
  const note = event.target.closest(".diagnostic[data-message]");
  if (note && !event.target.closest("button, a")) show(note);
});

document.addEventListener("htmx:afterSwap", () => {
  current = -1;
});

command({ words: "Next diagnostic", keys: "F8", run: () => step(1) });
command({ words: "Previous diagnostic", keys: "Shift+F8", run: () => step(-1) });
command({
  words: "Apply the fix of this diagnostic",
  keys: "Ctrl+.",
  run: () => (notes()[Math.max(current, 0)]?.querySelector(".fix") ?? document.querySelector("#reading .fix"))?.click(),
});
