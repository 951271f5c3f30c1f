// The commands of every page: search, move through lists, go to another page.
import { sayUnloaded } from "../base/away.js";
import { command, holdKeys, offer } from "./commands.js";
import { walk, walkFrom } from "./list_keys.js";

const go = (address) => () => location.assign(address);
const seen = (one) => one.checkVisibility() && !one.disabled;
const wordsOf = (one) => {
  const words = one.getAttribute("aria-label") || one.textContent;
  return words.trim().replace(/\s+/g, " ").slice(0, 120);
};

// Loaded when first opened, because most visits need neither.
const load = () => import("./command_palette.js");
const openPalette = () =>
  holdKeys(load().then((dialogs) => dialogs.openPalette())).catch(sayUnloaded);
const openHelp = () => holdKeys(load().then((dialogs) => dialogs.openHelp())).catch(sayUnloaded);

const search = () => {
  const field = [...document.querySelectorAll("input[type=search]")].find(seen);
  if (field) field.focus();
  else openPalette();
};

const group = "Everywhere";
const next = () => walk(1) || walkFrom(0);
const previous = () => walk(-1) || walkFrom(-1);
command({ words: "Commands", keys: "Ctrl+K", group, run: openPalette });
command({ words: "Keyboard shortcuts", keys: "?", group, run: openHelp });
document.getElementById("open-palette").addEventListener("click", openPalette);
document.getElementById("open-help").addEventListener("click", openHelp);
command({ words: "Search", keys: "/", group, run: search });
command({ words: "Next item", keys: "J", group, run: next });
command({ words: "Previous item", keys: "K", group, run: previous });
command({ words: "Next row", keys: "ArrowDown", elsewhere: true, group, run: next });
command({ words: "Previous row", keys: "ArrowUp", elsewhere: true, group, run: previous });
command({
  words: "Switch between light and dark",
  group,
  run: () => document.getElementById("theme").click(),
});

// Links and buttons with a key of their own.
for (const one of document.querySelectorAll(":is(a, button)[data-keys]")) {
  const { keys } = one.dataset;
  command({ words: wordsOf(one), keys, once: true, run: () => one.click() });
}

// The links and buttons of this page. A button that submits a form only gets the focus, so it takes
// one more Enter.
const BARS = "main :is(.panel-head, .panel-foot, .page-head, .savebar, .tabs)";
offer(() =>
  [...document.querySelectorAll(`${BARS} :is(a[href], button)`)]
    .filter((one) => seen(one) && wordsOf(one).length > 2)
    .map((one) => ({
      words: wordsOf(one),
      group: "On this page",
      quiet: true,
      run: () => (one.type === "submit" ? one.focus() : one.click()),
    })),
);

// Pages, protocols, and examples are fetched when the palette first opens.
const GROUPS = { pages: "Pages", protocols: "Protocols", examples: "Examples" };
let places = null;
offer(() => places ?? []);
document.addEventListener("palette", async (event) => {
  if (places) return;
  places = [];
  try {
    const answer = await fetch(document.getElementById("palette").dataset.places);
    const found = await answer.json();
    places = Object.entries(GROUPS).flatMap(([key, group]) =>
      found[key].map(([words, address]) => {
        const quiet = key === "examples";
        return { words, group, quiet, run: go(address) };
      }),
    );
    event.detail.refresh();
  } catch {
    places = null;
  }
});
