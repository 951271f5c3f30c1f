// All safe fixes at once: the server says in a dialog what they change; one replacement does it, so one undo takes it back.
import { command } from "../commands/commands.js";
import { replace, text } from "./editor.js";

const dialog = document.getElementById("mending");
let seen = "";

document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.matches(".mend")) seen = text.value;
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "mending-body" && seen === text.value && !dialog.open) dialog.showModal();
});
dialog.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button && event.target !== dialog) return;
  dialog.close();
  if (button?.dataset.mend) replace(...JSON.parse(button.dataset.mend));
});

command({ words: "Apply all safe fixes…", group: "Diagnostics", run: () => document.querySelector("#reading .mend")?.click() });
