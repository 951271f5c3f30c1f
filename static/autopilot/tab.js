// The tab "Formats" of the workbench. An analysis takes a second of the server, so it is asked for
// only while the tab is shown, and not for every key.
import { form, onAnswer, total } from "../workbench/decoding.js";

const PAUSE = 400;
const panel = document.getElementById("panel-formats");
const state = document.getElementById("formats-state");
let timer = 0;
let asked = "";

const styles = document.createElement("link");
styles.rel = "stylesheet";
styles.href = panel.dataset.styles;
document.head.append(styles);

// What the answer depends on. Another chosen message does not change it.
const inputs = () => {
  const { text, protocol, tokenizer } = form.elements;
  return JSON.stringify([text.value, protocol.value, tokenizer.value]);
};

const ask = () => {
  clearTimeout(timer);
  if (form.dataset.panel !== "formats" || !total() || inputs() === asked) return;
  state.textContent = "Analyzing…";
  asked = inputs();
  htmx.trigger(panel, "analyze");
};

panel.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt !== panel) return;
  state.textContent = detail.successful ? "" : "No answer. Show the tab again to retry.";
  if (!detail.successful) asked = "";
});

onAnswer(() => {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});
form.addEventListener("tab", ask);
ask();
