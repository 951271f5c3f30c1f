// The page without the server: what it says, and what it can't do.
import { install, start, uninstall } from "./transport.js";

const place = document.getElementById("offline");
const said = document.getElementById("offline-said");
const note = document.getElementById("text-note");
const form = document.getElementById("workbench");
const WORDS = {
  only: "Decoded in this browser. Nothing is sent.",
  away: "Can’t reach the server. Decoded in this browser.",
};
const NEEDS_SERVER = {
  only: "This needs the server, but you decode in this browser only.",
  away: "This needs the server. Reload the page when it can be reached.",
};
let begun = false;

const say = (words) => {
  said.textContent = words;
};

// Buttons and links that send the text elsewhere.
const refuse = (reason) => (event) => {
  event.preventDefault();
  say(NEEDS_SERVER[reason]);
};

export const begin = async (reason) => {
  if (begun) return;
  begun = true;
  const why = reason === "away" ? "Can’t reach the server. " : "";
  say(`${why}Starting Python (${place.dataset.size} MB, loaded once)…`);
  const started = start(place.dataset);
  if (reason === "only") install();
  try {
    await started;
  } catch {
    begun = false;
    say("Can’t load Python. Connect to the server once to load it.");
    if (reason === "away") uninstall();
    return;
  }
  install();
  document.addEventListener("submit", refuse(reason), true);
  note.dataset.promise = WORDS[reason];
  say("");
  htmx.trigger(form, "decode");
};
