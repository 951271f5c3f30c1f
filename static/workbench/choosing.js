// Palette entries for the text: its messages, and the protocols, tokenizers, and translations.
import { finder, offer } from "../commands/commands.js";
import { choose, chooseAtCaret, total } from "./decoding.js";
import { select, text } from "./editor/editor.js";
import { showTabOf } from "./tabs.js";

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
        showTabOf(select);
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

// Lines that contain the query. Choosing one moves the caret there, and shows that message.
offer(() => {
  const wanted = asked();
  const found = [];
  if (!wanted) return found;
  const all = text.value;
  const pattern = finder(wanted);
  for (let hit = pattern.exec(all); hit && found.length < LINES; hit = pattern.exec(all)) {
    const place = hit.index;
    const start = all.lastIndexOf("\n", place - 1) + 1;
    const end = (all.indexOf("\n", place) + 1 || all.length + 1) - 1;
    const from = Math.max(start, place - BEFORE);
    const until = place + hit[0].length;
    found.push({
      words: `${from > start ? "…" : ""}${all.slice(from, Math.min(end, from + WIRE))}`,
      group: "In the text",
      quiet: true,
      run: () => {
        text.focus();
        select(place, until);
        chooseAtCaret();
      },
    });
    pattern.lastIndex = end; // one of each line
  }
  return found;
});
// The buttons of the protocol menu.
offer(() =>
  [...document.querySelectorAll("#detection button[name=protocol]")].map((button) => {
    const title = button.querySelector("strong").textContent;
    return {
      words: button.value ? `Decode as ${title}` : title,
      group: "Decode as",
      quiet: true,
      run: () => button.click(),
    };
  }),
);
offer(choices("tokenizer", "Tokenizer", (title) => `Count tokens with ${title}`));
offer(choices("translate-to", "Translate", (title) => `Translate to ${title}`));
