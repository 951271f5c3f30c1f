// The workbench: decoding while typing, and its keyboard shortcuts.
import { sayUnloaded } from "../base/away.js";
import { command } from "../commands/commands.js";
import { choose, decode, form, isCurrent, look, shown, total } from "./decoding.js";
import { lay, replace, reveal, select, text } from "./editor/editor.js";
import { showTab, showTabOf } from "./tabs.js";
import "../display/chips.js";
import "../display/timeline.js";
import "./choosing.js";
import "./diagnostics.js";
import "./editing.js";
import "./focus.js";
import "./fixes.js";
import "./hold_errors.js";
import "./editor/textarea_highlight.js";
import "./resembling.js";
import "./editor/remember.js";
import "./strap.js";
import "../share/offer.js";
import "../share/upload.js";
import { walk } from "../commands/list_keys.js";
import { spanOf } from "../commands/places.js";
import "../tokens/panel.js";
import { repaint } from "./editor/view.js";
import "./relations.js";

command({ words: "Decode now", keys: "Ctrl+Enter", group: "Messages", run: decode });
const down = (by) => walk(by) || choose(Math.min(shown(), total()) + by);
command({ words: "Next item", keys: "J", group: "Messages", run: () => down(1) });
command({ words: "Previous item", keys: "K", group: "Messages", run: () => down(-1) });
const token = (by) => () => {
  const at = document.activeElement.matches("#panel-tokens .token");
  if (at) walk(by);
  else {
    showTab("panel", "tokens");
    document.querySelector("#panel-tokens .token")?.focus();
  }
};
const highlight = { elsewhere: true, group: "Highlight" };
command({ words: "Next token", keys: "ArrowRight", ...highlight, run: token(1) });
command({ words: "Previous token", keys: "ArrowLeft", ...highlight, run: token(-1) });
// The caret goes along, so that the message shown is the one that is edited. The places of messages
// are those of the last response.
const message = (by) => () => {
  const number = Math.min(shown(), total()) + by;
  if (!choose(number) || document.activeElement !== text || !isCurrent()) return;
  const [start] = spanOf(number);
  select(start, start);
  reveal(start);
};
command({ words: "Next message", keys: "Alt+ArrowDown", group: "Messages", run: message(1) });
command({ words: "Previous message", keys: "Alt+ArrowUp", group: "Messages", run: message(-1) });

const panels = [
  ["Input", "text"],
  ["Message", "panel-means"],
  ["Problems", "panel-diagnostics"],
  ["Messages", "panel-list"],
  ["Tokens", "panel-tokens"],
  ["Translate", "panel-translate"],
  ["Compare", "panel-compare"],
  ["Conversation", "whole"],
  ["Checks", "panel-examine"],
  ["Formats", "panel-formats"],
];
for (const view of ["Table", "Tree", "Raw"])
  command({ words: `Show fields as ${view.toLowerCase()}`, run: () => look(view.toLowerCase()) });
panels.forEach(([words, id], at) => {
  const run = () => {
    const panel = document.getElementById(id);
    if (panel) showTabOf(panel);
    panel?.focus();
    panel?.scrollIntoView({ block: "nearest" });
  };
  command({ words: `Go to ${words}`, keys: `Alt+${(at + 1) % 10}`, group: "Panels", run });
});

document.getElementById("clear").addEventListener("click", (event) => {
  event.preventDefault();
  replace(0, text.value.length, "");
});

// The formats are analyzed by a script of their own, which comes when their tab is first shown.
const loadFormats = () => {
  if (form.dataset.panel !== "formats") return;
  form.removeEventListener("tab", loadFormats);
  import("../autopilot/tab.js").catch(() => {
    form.addEventListener("tab", loadFormats);
    sayUnloaded();
  });
};
form.addEventListener("tab", loadFormats);
loadFormats();

// Few save a picture, so its script comes with the first press, which it then answers.
const png = document.getElementById("export-png");
const savePng = async () => {
  try {
    await import("../export/png.js");
  } catch {
    sayUnloaded();
    return;
  }
  png.removeEventListener("click", savePng);
  png.click();
};
png.addEventListener("click", savePng);

// Paint before the first response; hold_errors.js paints each response.
lay();
repaint();
