// What every page can do by a key or by name: search, walk through lists, go to another page, the keys themselves.
import { command, offer } from "./commands.js";
import { openPalette } from "./command_palette.js";
import { walk, walkFrom } from "./list_keys.js";

const go = (address) => () => location.assign(address);
const seen = (one) => one.checkVisibility() && !one.disabled;
const wordsOf = (one) => (one.getAttribute("aria-label") || one.textContent).trim().replace(/\s+/g, " ").slice(0, 120);

const search = () => {
  const field = [...document.querySelectorAll("input[type=search]")].find(seen);
  if (field) field.focus();
  else openPalette();
};

command({ words: "Search", keys: "/", group: "Everywhere", run: search });
command({ words: "Next in a list", keys: "J", group: "Everywhere", run: () => walk(1) || walkFrom(0) });
command({ words: "Previous in a list", keys: "K", group: "Everywhere", run: () => walk(-1) || walkFrom(-1) });
command({ words: "Next row", keys: "ArrowDown", elsewhere: true, group: "Everywhere", run: () => walk(1) || walkFrom(0) });
command({ words: "Previous row", keys: "ArrowUp", elsewhere: true, group: "Everywhere", run: () => walk(-1) || walkFrom(-1) });
command({ words: "Switch between light and dark", group: "Everywhere", run: () => document.getElementById("theme").click() });

// The links and buttons of this page. A button that sends a form only gets the focus: Enter is asked for once more.
offer(() =>
  [...document.querySelectorAll("main :is(.panel-head, .panel-foot, .page-head, .savebar, .tabs) :is(a[href], button)")]
    .filter((one) => seen(one) && wordsOf(one).length > 2)
    .map((one) => ({
      words: wordsOf(one),
      group: "On this page",
      quiet: true,
      run: () => (one.type === "submit" ? one.focus() : one.click()),
    })),
);

// Pages, protocols and examples are asked for when the palette first opens; a page that is never searched never asks.
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
      found[key].map(([words, address]) => ({ words, group, quiet: key === "examples", run: go(address) })),
    );
    event.detail.refresh();
  } catch {
    places = null;
  }
});
