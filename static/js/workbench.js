// The workbench: decoding as one types, and everything that can be done by a key.
import { command } from "./workbench/commands.js";
import { choose, decode, look, shown, total } from "./workbench/decoding.js";
import { lay, replace, text } from "./workbench/editor.js";
import "./chips.js";
import "./workbench/choosing.js";
import "./workbench/diagnostics.js";
import "./workbench/editing.js";
import "./workbench/focus.js";
import "./workbench/mending.js";
import "./workbench/quiet.js";
import "./workbench/lighting.js";
import "./workbench/resembling.js";
import "./workbench/share.js";
import "./workbench/upload.js";
import { walk } from "./walk.js";
import "./workbench/tokens.js";
import { repaint } from "./workbench/view.js";
import "./workbench/whole.js";

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
