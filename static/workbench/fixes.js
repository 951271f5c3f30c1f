// All safe fixes at once, after a preview in a dialog. One replacement applies them, so one undo
// reverts them.
import { command } from "../commands/commands.js";
import { replace, text } from "./editor/editor.js";

const dialog = document.getElementById("fixes");
let seen = "";

document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.matches(".fix-all")) seen = text.value;
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "fixes-body") return;
  if (seen === text.value && !dialog.open) dialog.showModal();
});
dialog.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button && event.target !== dialog) return;
  dialog.close();
  if (button?.dataset.fix) replace(...JSON.parse(button.dataset.fix));
});

command({
  words: "Apply all safe fixes…",
  group: "Problems",
  run: () => document.querySelector("#reading .fix-all")?.click(),
});
