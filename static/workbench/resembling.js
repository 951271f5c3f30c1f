// Ignored fragments that resemble a protocol: their places in the text, and a shortcut to decode
// the text as that protocol.
import { command } from "../commands/commands.js";
import { decode, form, isCurrent } from "./decoding.js";
import { reveal, select, text } from "./editor/editor.js";

form.addEventListener("click", (event) => {
  const place = event.target.closest(".resembling button[data-start]");
  if (!place) return;
  // In a later text, something else is at that place.
  if (!isCurrent()) return decode();
  text.focus({ preventScroll: true });
  select(Number(place.dataset.start), Number(place.dataset.end));
  reveal(Number(place.dataset.start));
});

command({
  words: "Decode text as the suggested protocol",
  keys: "Alt+R",
  group: "Messages",
  run: () => document.querySelector(".resembling button[name=protocol]")?.click(),
});
