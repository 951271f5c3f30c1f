// What the palette offers of the text: its messages, and the choices of protocol, tokenizer and translation by name.
import { offer } from "../commands/commands.js";
import { choose, chooseAtCaret, total } from "./decoding.js";
import { select, text } from "./editor.js";

const WIRE = 90;
const BEFORE = 30;
const LINES = 20;

const choices = (id, group, words) => () => {
  const select = document.getElementById(id);
  return [...(select?.options ?? [])]
    .filter((option) => option.value)
    .map((option) => ({
      words: words(option.textContent.trim()),
      group,
      quiet: true,
      run: () => {
        select.value = option.value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      },
    }));
};

const asked = () => document.querySelector("#palette input").value.trim();

offer(() => {
  const number = Number(/\d+/.exec(asked())?.[0]);
  if (!number || number > total()) return [];
  return [{ words: `Go to message ${number}`, group: "Messages", run: () => choose(number) }];
});

// Lines that hold what is asked for. The caret goes there, and the message at the caret is shown.
offer(() => {
  const wanted = asked().toLowerCase();
  const found = [];
  if (!wanted) return found;
  const low = text.value.toLowerCase();
  for (let at = low.indexOf(wanted); at >= 0 && found.length < LINES; ) {
    const start = low.lastIndexOf("\n", at - 1) + 1;
    const end = (low.indexOf("\n", at) + 1 || low.length + 1) - 1;
    const from = Math.max(start, at - BEFORE);
    const place = at;
    found.push({
      words: `${from > start ? "…" : ""}${text.value.slice(from, Math.min(end, from + WIRE))}`,
      group: "In the text",
      quiet: true,
      run: () => {
        text.focus();
        select(place, place + wanted.length);
        chooseAtCaret();
      },
    });
    at = low.indexOf(wanted, end);
  }
  return found;
});
// The buttons of what was detected.
offer(() =>
  [...document.querySelectorAll("#detection button[name=protocol]")].map((button) => {
    const title = button.querySelector("strong").textContent;
    return { words: button.value ? `Read as ${title}` : title, group: "Read as", quiet: true, run: () => button.click() };
  }),
);
offer(choices("tokenizer", "Count with", (title) => `Count with ${title}`));
offer(choices("translate-to", "Translate", (title) => `Translate into ${title}`));
