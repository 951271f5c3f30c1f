// All commands in one list, for the keyboard, the list of shortcuts, and the palette.
//
//   command({ words: "Next problem", keys: "F8", group: "Problems", run: () => … })
//   offer(() => [{ words: "Message 12", group: "Messages", run: () => … }])
//
// `keys` is optional. Of two commands with the same keys the later one wins: the commands of a page
// replace those of all pages. A command that is `elsewhere` is only listed here: the code that
// listens for its keys knows where they apply. One that runs `once` does not repeat while its keys
// are held. A key without Ctrl, Alt, or an F-number does nothing in a text field. `offer` is for
// commands that depend on the current page; the palette calls it when it opens.

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

// Finds words in any case. Its places are those of the text itself: in lower case, some letters are
// longer, such as "İ".
export const finder = (words) => new RegExp(words.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"), "giu");

// Keys are meant for a dialog that is still loading: they do nothing on the page behind it, and
// what was typed waits for the dialog.
let loading = 0;
let typed = "";
export const takeTyped = () => {
  const taken = typed;
  typed = "";
  return taken;
};
export const holdKeys = async (opening) => {
  loading += 1;
  try {
    await opening;
  } catch (error) {
    typed = "";
    throw error;
  } finally {
    loading -= 1;
  }
};

const TYPED = "input:not([type=checkbox]), textarea, select, [contenteditable]";

const named = (event) => {
  const digit = event.altKey && /^Digit(\d)$/.exec(event.code ?? "")?.[1];
  const key = digit || (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const shift = event.shiftKey && (event.key.length > 1 || /^[A-Z]$/.test(key));
  const ctrl = event.ctrlKey || event.metaKey;
  return [ctrl && "Ctrl", event.altKey && "Alt", shift && "Shift", key].filter(Boolean).join("+");
};

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.key === undefined) return;
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey && event.key.length === 1;
  if (loading) {
    event.preventDefault();
    if (plain) typed += event.key;
    return;
  }
  const keys = named(event);
  const one = list.find((each) => each.keys === keys && !each.elsewhere);
  if (!one || (document.querySelector("dialog:modal") && keys !== "Ctrl+K")) return;
  if (plain && event.target.closest(TYPED)) return;
  event.preventDefault();
  if (!(event.repeat && one.once)) one.run();
});

const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
const SAID = { ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right" };

// The keys as printed on a keyboard; screen readers read their names.
export const drawKeys = (keys) =>
  keys.split("+").flatMap((part, at) => {
    const key = document.createElement("kbd");
    key.textContent = SIGNS[part] ?? part;
    if (SAID[part]) key.setAttribute("aria-label", SAID[part]);
    return at ? [" ", key] : [key];
  });
