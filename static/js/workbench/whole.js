// The conversations of the text follow when the typing rests; what stood there stays until they come.
const QUIET = 300;
let timer = 0;

document.addEventListener("edited", () => clearTimeout(timer));

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "reading") return;
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger("#whole", "whole"), QUIET);
});
