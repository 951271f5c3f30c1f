// Ignored fragments that resemble a protocol: the place of each in the text, and one key that reads the text as it.
import { command } from "../commands/commands.js";
import { decode, form, isCurrent } from "./decoding.js";
import { reveal, select, text } from "./editor.js";

form.addEventListener("click", (event) => {
  const place = event.target.closest(".resembling button[data-start]");
  if (!place) return;
  // In a later text something else is at that place.
  if (!isCurrent()) return decode();
  text.focus({ preventScroll: true });
  select(Number(place.dataset.start), Number(place.dataset.end));
  reveal(Number(place.dataset.start));
});

command({
  words: "Read the text as the protocol it resembles",
  keys: "Alt+R",
  group: "Messages",
  run: () => document.querySelector(".resembling button[name=protocol]")?.click(),
});
