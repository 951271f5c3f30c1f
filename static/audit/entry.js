// J and K lead to the older and the newer packet of the search, unless the focus is in a list.
import { command } from "../commands/commands.js";
import { walk } from "../commands/list_keys.js";

const go = (rel) => document.querySelector(`.beside-query a[rel="${rel}"]`)?.click();
const group = "Packet";
const older = () => walk(1) || go("next");
const newer = () => walk(-1) || go("prev");
command({ words: "Older packet in this search", keys: "J", group, run: older });
command({ words: "Newer packet in this search", keys: "K", group, run: newer });
