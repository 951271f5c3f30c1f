// The workbench: decoding as one types, and everything that can be done by a key.
import { command } from "../commands/commands.js";
import { choose, decode, look, shown, total } from "./decoding.js";
import { lay, replace, text } from "./editor.js";
import "../display/chips.js";
import "./choosing.js";
import "./diagnostics.js";
import "./editing.js";
import "./focus.js";
import "./fixes.js";
import "./hold_errors.js";
import "./textarea_highlight.js";
import "./resembling.js";
import "../share/share.js";
import "../share/upload.js";
import { walk } from "../commands/list_keys.js";
import "../tokens/panel.js";
import { repaint } from "./view.js";
import "./relations.js";

command({ words: "Decode now", keys: "Ctrl+Enter", group: "Messages", run: decode });
const down = (by) => walk(by) || choose(Math.min(shown(), total()) + by);
command({ words: "Next in a list", keys: "J", group: "Messages", run: () => down(1) });
command({ words: "Previous in a list", keys: "K", group: "Messages", run: () => down(-1) });
const token = (by) => () => {
  const at = document.activeElement.matches("#panel-tokens .token");
  if (at) walk(by);
  else document.querySelector("#panel-tokens .token")?.focus();
};
command({ words: "Next token", keys: "ArrowRight", elsewhere: true, group: "Lit together", run: token(1) });
command({ words: "Previous token", keys: "ArrowLeft", elsewhere: true, group: "Lit together", run: token(-1) });
command({ words: "Next message", keys: "Alt+ArrowDown", group: "Messages", run: () => choose(Math.min(shown(), total()) + 1) });
command({ words: "Previous message", keys: "Alt+ArrowUp", group: "Messages", run: () => choose(Math.min(shown(), total()) - 1) });

const panels = [
  ["Input", "text"],
  ["Fields", "panel-fields"],
  ["Means", "panel-means"],
  ["Diagnostics", "panel-diagnostics"],
  ["Tokens", "panel-tokens"],
  ["Translate", "panel-translate"],
  ["Examine", "panel-examine"],
];
for (const view of ["Table", "Tree", "Raw"]) command({ words: `Fields as ${view}`, run: () => look(view.toLowerCase()) });
panels.forEach(([words, id], at) => {
  const run = () => {
    const panel = document.getElementById(id);
    panel?.focus();
    panel?.scrollIntoView({ block: "nearest" });
  };
  command({ words: `Go to ${words}`, keys: `Alt+${at + 1}`, group: "Panels", run });
});

document.getElementById("clear").addEventListener("click", (event) => {
  event.preventDefault();
  replace(0, text.value.length, "");
});

// Before the first answer; each answer is painted by quiet.js.
lay();
repaint();
