import { onAnswer } from "./decoding.js";

// The conversations of the text load after a pause in typing; the old ones stay until then.
const QUIET = 300;
let timer = 0;

document.addEventListener("edited", () => clearTimeout(timer));

onAnswer(() => {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger("#whole", "whole"), QUIET);
});
