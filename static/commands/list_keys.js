// Move through a list with the arrow keys: fields, tokens, problems, messages. One item of each
// list is a tab stop.

const FIELDS = ".fieldtable tbody tr, .fieldtree [data-f], .fieldtree summary";
const LISTS = [
  [FIELDS, "#panel-fields", "ArrowUp", "ArrowDown"],
  [".token", ".chips", "ArrowLeft", "ArrowRight"],
  [".diagnostic[tabindex]", ".diagnostics", "ArrowUp", "ArrowDown"],
  [".message > button", ".messages", "ArrowUp", "ArrowDown"],
  ["a.wire", ".trail", "ArrowUp", "ArrowDown"],
  ["a.open", ".packets", "ArrowUp", "ArrowDown"],
  ["a.example", ".gallery", "ArrowUp", "ArrowDown"],
];

const listOf = (target) =>
  LISTS.find(([items, list]) => target.matches(items) && target.closest(list));
const seen = (element) => element.checkVisibility();

const go = (to) => {
  if (!to.hasAttribute("tabindex") && to.tabIndex < 0) to.tabIndex = -1;
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
};

// Move the focus within the list that has it. Return false if no list has it.
export const walk = (by) => {
  const from = document.activeElement;
  const found = from && listOf(from);
  if (!found) return false;
  const all = [...from.closest(found[1]).querySelectorAll(found[0])].filter(seen);
  const to = all[all.indexOf(from) + by];
  if (to) go(to);
  return true;
};

// Focus the first item, or with -1 the last one, of the first list of messages, packets, or
// examples.
export const walkFrom = (at) => {
  const items = LISTS.slice(3).map(([one, list]) => `${list} ${one}`).join(", ");
  const to = [...document.querySelectorAll(items)].filter(seen).at(at);
  if (to) go(to);
  return Boolean(to);
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const found = event.target instanceof Element && listOf(event.target);
  if (!found) return;
  const by = event.key === found[2] ? -1 : event.key === found[3] ? 1 : 0;
  if (!by) return;
  event.preventDefault();
  walk(by);
});
