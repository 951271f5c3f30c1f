// Everything that can be done by a key or by its name, in one list: the keys, the help sheet and the palette read it.
//
//   command({ words: "Next diagnostic", keys: "F8", group: "Diagnostics", run: () => … })
//   offer(() => [{ words: "Message 12", group: "Messages", run: () => … }])
//
// `keys` is optional, and of two commands with the same keys the later one has them: a page says it better than all pages
// do. One that is `elsewhere` is only listed: who listens for its keys also knows where they act. A key without Ctrl, Alt or an F-number acts only outside of fields where one types. `offer` is for what depends on
// the page as it is now; it is asked when the palette opens.

const list = [];
const sources = [];

export const command = (one) => {
  const before = list.findIndex((each) => each.keys && each.keys === one.keys);
  if (before >= 0) list.splice(before, 1);
  list.push({ group: "This page", ...one });
};

export const offer = (source) => sources.push(source);

export const commands = () => [...list];

export const offered = () => [...list, ...sources.flatMap((source) => source())];

const named = (event) => {
  const digit = event.altKey && /^Digit(\d)$/.exec(event.code ?? "")?.[1];
  const key = digit || (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const shift = event.shiftKey && event.key.length > 1;
  const ctrl = event.ctrlKey || event.metaKey;
  return [ctrl && "Ctrl", event.altKey && "Alt", shift && "Shift", key].filter(Boolean).join("+");
};

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.key === undefined) return;
  const keys = named(event);
  const one = list.find((each) => each.keys === keys && !each.elsewhere);
  if (!one || (document.querySelector("dialog:modal") && keys !== "Ctrl+K")) return;
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey && event.key.length === 1;
  if (plain && event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  one.run();
});

const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
const SAID = { ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right" };

// The keys as they are printed on a keyboard; read out with their names.
export const drawKeys = (keys) =>
  keys.split("+").flatMap((part, at) => {
    const key = document.createElement("kbd");
    key.textContent = SIGNS[part] ?? part;
    if (SAID[part]) key.setAttribute("aria-label", SAID[part]);
    return at ? [" ", key] : [key];
  });
