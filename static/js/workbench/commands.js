// Everything that can be done by a key, in one list: the keys, the help sheet and the palette read it.
//
//   command({ words: "Next diagnostic", keys: "F8", run: () => … })
//
// `keys` is optional. A key without Ctrl, Alt or an F-number acts only outside of fields where one types.

const list = [];

export const commands = () => [...list];

export const command = (one) => {
  list.push(one);
  draw();
};

const named = (event) => {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && event.key.length > 1;
  return [event.ctrlKey && "Ctrl", event.altKey && "Alt", shift && "Shift", key].filter(Boolean).join("+");
};

document.addEventListener("keydown", (event) => {
  const keys = named(event);
  const one = list.find((each) => each.keys === keys);
  if (!one) return;
  const plain = !event.ctrlKey && !event.altKey && event.key.length === 1;
  if (plain && event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  one.run();
});

const help = document.getElementById("help");
const SIGNS = { ArrowUp: "↑", ArrowDown: "↓" };

const draw = () => {
  help.querySelector(".keys").replaceChildren(
    ...list.filter((one) => one.keys).map((one) => {
      const row = document.createElement("div");
      const keys = document.createElement("dt");
      const words = document.createElement("dd");
      for (const part of one.keys.split("+")) {
        const key = document.createElement("kbd");
        key.textContent = SIGNS[part] ?? part;
        keys.append(key, " ");
      }
      words.textContent = one.words;
      row.append(keys, words);
      return row;
    }),
  );
};

command({ words: "This sheet", keys: "?", run: () => help.showModal() });
