import { onAnswer } from "./decoding.js";

// The conversations of the text follow when the typing rests; what stood there stays until they come.
const QUIET = 300;
let timer = 0;

document.addEventListener("edited", () => clearTimeout(timer));

onAnswer(() => {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger("#whole", "whole"), QUIET);
});
