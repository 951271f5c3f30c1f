// What the page is for, and three ways in: shown until the text is edited for the first time.
import { replace, text } from "./editor/editor.js";

const SEEN = "strap-seen";
const strap = document.getElementById("strap");

if (localStorage.getItem(SEEN) !== null) strap.hidden = true;

// A key must not move the page under the hand that typed it: then the strap goes with the next
// visit.
text.addEventListener("edited", (event) => {
  localStorage.setItem(SEEN, "");
  if (!event.detail.typed) strap.hidden = true;
});

document.getElementById("paste").addEventListener("click", async () => {
  replace(0, text.value.length, "");
  try {
    const pasted = await navigator.clipboard.readText();
    if (pasted) replace(0, text.value.length, pasted);
  } catch {
    text.placeholder = "Press Ctrl+V to paste a message, a log, or a chat.";
  }
});
document.getElementById("open-log").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("open-file").click();
});
