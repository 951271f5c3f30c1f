// The keys of the review desk. With packets selected, a decision is for all of them, after a
// preview.
import { command } from "../commands/commands.js";
import { decide, undo, write } from "./decisions.js";
import { go, shown } from "./packets.js";
import { any, preview, toggle, toggleAll } from "./selection.js";

const group = "Review";
const or = (state, one) => () => (any() ? preview(state) : one(state));
const open = () => shown().querySelector("[data-go=open]").click();

command({ words: "Mark reviewed", keys: "A", group, run: or("reviewed", decide) });
command({ words: "Flag with a note", keys: "F", group, run: or("flagged", write) });
command({ words: "Comment", keys: "C", group, run: or("commented", write) });
command({ words: "Undo", keys: "U", group, once: true, run: undo });
command({ words: "Next packet", keys: "J", group, run: () => go(1) });
command({ words: "Previous packet", keys: "K", group, run: () => go(-1) });
command({ words: "Select or deselect packet", keys: "X", group, run: toggle });
command({ words: "Select all or none", keys: "Shift+A", group, run: toggleAll });
command({ words: "Open packet", keys: "O", group, run: open });
