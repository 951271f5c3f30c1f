// Open a link. It fills the page and is decoded; it never saves. It stays in the address until the
// text changes, so the page can be reloaded.
import { form, restore } from "../workbench/decoding.js";
import { replace, text } from "../workbench/editor/editor.js";
import { element } from "./element.js";
import { read, Refused } from "./link.js";

const origin = document.getElementById("from-link");
const tokenizer = document.getElementById("tokenizer");
let loading = false;

const forget = () => {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
};

const button = (words, run) => {
  const one = element("button", words);
  one.type = "button";
  one.addEventListener("click", run);
  return one;
};

const leave = () => {
  origin.replaceChildren();
  forget();
};

const tell = (words, className, ...more) => {
  const line = element("p", "", `lesson ${className}`);
  line.append(element("strong", words[0]), ` ${words[1]} `, ...more);
  origin.replaceChildren(line);
};

const known = (value, values) => (value && values.includes(value) ? value : "");
const valuesOf = (selector) => [...form.querySelectorAll(selector)].map((one) => one.value);

const fill = (shared) => {
  const protocol = known(shared.protocol, valuesOf("button[name=protocol]"));
  const counted = known(shared.tokenizer, valuesOf("#tokenizer option"));
  const to = known(shared.to, document.getElementById("share").dataset.targets.split(" "));
  const strange = [
    shared.protocol && !protocol && "Its protocol is unknown; auto-detect is used instead.",
    shared.tokenizer && !counted && "Its tokenizer is not installed.",
    shared.to && !to && "Its translation target is unknown.",
  ].filter(Boolean);
  loading = true;
  replace(0, text.value.length, shared.text);
  loading = false;
  if (counted) tokenizer.value = counted;
  restore({ protocol, message: shared.message ?? 1, to });
  document.querySelector("#panel-input > .lesson")?.remove();
  const clear = button("Clear", () => document.getElementById("clear").click());
  tell(
    ["Opened from a shared link.", ["Nothing is stored.", ...strange].join(" ")],
    "from-link",
    clear,
  );
};

export const openLink = async () => {
  const fragment = location.hash;
  try {
    const shared = await read(fragment);
    if (location.hash === fragment) fill(shared);
  } catch (error) {
    const words = error instanceof Refused ? error.message : "Your browser can’t read it.";
    tell(["Can’t open this link.", words], "notice error", button("Close", leave));
  }
};

text.addEventListener("edited", () => {
  if (loading) return;
  if (text.value) forget();
  else leave();
});
