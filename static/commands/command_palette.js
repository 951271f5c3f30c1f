// The command palette and the list of keyboard shortcuts, loaded when first opened.
//
// The box is a combobox over a listbox: the focus stays in the box, the arrow keys move the
// selection, and Enter runs it.
import { commands, drawKeys, finder, offered, takeTyped } from "./commands.js";

const SHOWN = 60;
const palette = document.getElementById("palette");
const box = palette.querySelector("input");
const choices = document.getElementById("palette-list");
const said = palette.querySelector("[role=status]");
const help = document.getElementById("help");
let found = [];
let at = 0;

const compile = (query) => ({
  whole: finder(query),
  letters: [...query].filter((letter) => letter !== " ").map(finder),
});
const seek = (pattern, words, from = 0) => {
  pattern.lastIndex = from;
  return pattern.exec(words);
};
const placesOf = (hit) => Array.from({ length: hit[0].length }, (_, one) => hit.index + one);

// Match all letters of the query in order; close letters and starts of words score more. Null if
// one is missing.
const match = ({ whole, letters }, words) => {
  const all = seek(whole, words);
  if (all) {
    const begins = all.index === 0 || /\W/.test(words[all.index - 1]);
    return { score: 1000 + (begins ? 500 : 0) - all.index, places: placesOf(all) };
  }
  const places = [];
  let score = 0;
  let from = 0;
  for (const letter of letters) {
    const hit = seek(letter, words, from);
    if (!hit) return null;
    const place = hit.index;
    if (place === from && places.length) score += 8;
    else if (place === 0 || /\W/.test(words[place - 1])) score += 6;
    score -= Math.min(place - from, 10);
    places.push(...placesOf(hit));
    from = place + hit[0].length;
  }
  return { score, places };
};

const lit = (words, places) => {
  const at_ = new Set(places);
  const parts = [];
  for (let one = 0; one < words.length; ) {
    const marked = at_.has(one);
    let end = one;
    while (end < words.length && at_.has(end) === marked) end += 1;
    const piece = words.slice(one, end);
    if (marked) {
      const mark = document.createElement("mark");
      mark.textContent = piece;
      parts.push(mark);
    } else parts.push(piece);
    one = end;
  }
  return parts;
};

const show = (index) => {
  if (!found.length) return;
  at = (index + found.length) % found.length;
  for (const [number, option] of [...choices.children].entries()) {
    option.setAttribute("aria-selected", String(number === at));
  }
  const option = choices.children[at];
  box.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
};

const drawOption = ({ one, places }, number) => {
  const option = document.createElement("li");
  option.id = `palette-${number}`;
  option.setAttribute("role", "option");
  const words = document.createElement("span");
  words.className = "words";
  words.append(...lit(one.words, places));
  const group = document.createElement("span");
  group.className = "group";
  group.textContent = one.group;
  const keys = document.createElement("span");
  if (one.keys) keys.append(...drawKeys(one.keys));
  option.append(words, group, keys);
  return option;
};

// The command named by `kept` stays in the list, and selected.
const search = (kept = null) => {
  const asked = box.value.trim();
  const query = asked && compile(asked);
  const all = offered().filter((one) => one.words && one.keys !== "Ctrl+K");
  const fits = [];
  for (const one of all) {
    if (!query) {
      if (!one.quiet) fits.push({ one, score: 0, places: [] });
      continue;
    }
    const other = () => match(query, `${one.group} ${one.words}`) && { score: -1000, places: [] };
    const hit = match(query, one.words) ?? other();
    if (hit) fits.push({ one, score: hit.score - (one.quiet ? 50 : 0), places: hit.places });
  }
  const length = ({ one }) => one.words.length;
  fits.sort((one, other) => other.score - one.score || length(one) - length(other));
  found = fits.slice(0, SHOWN);
  const place = fits.findIndex(({ one }) => one.words === kept);
  if (place >= SHOWN) found[SHOWN - 1] = fits[place];
  if (asked && palette.dataset.search) {
    const address = `${palette.dataset.search}?${new URLSearchParams({ q: asked })}`;
    const words = `Search the trail for “${asked}”`;
    const one = { words, group: "Search", run: () => location.assign(address) };
    found.push({ one, places: [] });
  }
  choices.replaceChildren(...found.map(drawOption));
  box.removeAttribute("aria-activedescendant");
  said.textContent =
    fits.length > SHOWN ? `First ${SHOWN} of ${fits.length}` : `${fits.length} found`;
  show(Math.min(Math.max(place, 0), SHOWN - 1));
};

const run = (number) => {
  const chosen = found[number];
  palette.close();
  chosen?.one.run();
};

export const openPalette = () => {
  if (palette.open) return;
  box.value = takeTyped();
  search();
  palette.showModal();
  box.focus();
  const refresh = () => {
    if (!palette.open) return;
    search(at ? found[at].one.words : null);
  };
  document.dispatchEvent(new CustomEvent("palette", { detail: { refresh } }));
};

box.addEventListener("input", () => search());
box.addEventListener("keydown", (event) => {
  const page = 8;
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  const by = steps[event.key];
  if (by) show(Math.abs(by) === 1 ? at + by : Math.min(Math.max(at + by, 0), found.length - 1));
  else if (event.key === "Enter" && !event.isComposing) run(at);
  else return;
  event.preventDefault();
});
choices.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) run([...choices.children].indexOf(option));
});
choices.addEventListener("mousedown", (event) => event.preventDefault());

const drawHelp = () => {
  const groups = new Map();
  for (const one of commands()) {
    if (!one.keys) continue;
    if (!groups.has(one.group)) groups.set(one.group, []);
    groups.get(one.group).push(one);
  }
  // The group of all pages comes last.
  const last = groups.get("Everywhere") ?? [];
  groups.delete("Everywhere");
  if (last.length) groups.set("Everywhere", last);
  const sections = [...groups].map(([name, list]) => drawGroup(name, list));
  help.querySelector(".sheet").replaceChildren(...sections);
};

// Each row is a button, so nothing here requires a keyboard.
const drawGroup = (name, list) => {
  const section = document.createElement("section");
  const title = document.createElement("h3");
  title.textContent = name;
  const rows = document.createElement("ul");
  rows.append(
    ...list.map((one) => {
      const row = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      const keys = document.createElement("span");
      keys.className = "keys";
      keys.append(...drawKeys(one.keys));
      const words = document.createElement("span");
      words.textContent = one.words;
      button.append(keys, words);
      button.addEventListener("click", () => {
        help.close();
        one.run();
      });
      row.append(button);
      return row;
    }),
  );
  section.append(title, rows);
  return section;
};

export const openHelp = () => {
  drawHelp();
  help.showModal();
};

for (const dialog of [palette, help]) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
}
