// The review desk without packets: what was decided before can still be undone.
import { command } from "../commands/commands.js";

const undo = () => document.querySelector("#undo button")?.click();
command({ words: "Undo", keys: "U", group: "Review", once: true, run: undo });
