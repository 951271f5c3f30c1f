// The sections of the Tokens and Checks panels that load when opened. They survive a response
// (hx-preserve) and follow the text after a pause in typing, so they never slow it down.
import { decode, form, onAnswer } from "../workbench/decoding.js";

const QUIET = 300;
const SLIDING = 60;
const parts = () => [...document.querySelectorAll("#reading [data-part]")];
const isShown = (part) => part.open ?? true;

// Sections that have not loaded since the last response. One that is opened meanwhile loads at
// once, and only once: a second response would overwrite what was just clicked in it.
const due = new Set();

const refresh = (part) => {
  if (!isShown(part)) return;
  due.delete(part);
  htmx.trigger(part, "refresh");
};

// A key pressed meanwhile restarts the pause: its response comes first.
let resting = 0;
document.addEventListener("edited", () => clearTimeout(resting));
const follow = (delay) => {
  due.clear();
  for (const part of parts()) {
    part.classList.add("stale");
    due.add(part);
  }
  clearTimeout(resting);
  resting = setTimeout(() => [...due].forEach(refresh), delay);
};

// One message or all of them: every request sends the choice.
let over = document.querySelector("#panel-tokens input[name=over]")?.value ?? "message";
form.addEventListener("htmx:configRequest", (event) => {
  event.detail.parameters.over = over;
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=over]");
  if (!button) return;
  event.preventDefault();
  over = button.value;
  decode();
});

const kept = new Set();
onAnswer(() => follow(QUIET));
document.addEventListener("htmx:afterSwap", (event) => {
  const part = event.detail.target.closest?.("#reading [data-part]");
  if (!part) return;
  part.classList.remove("stale");
  for (const inner of part.querySelectorAll("details[data-keep]"))
    inner.open = kept.has(inner.dataset.keep);
});

document.addEventListener(
  "toggle",
  (event) => {
    const part = event.target;
    if (part.dataset?.keep) kept[part.open ? "add" : "delete"](part.dataset.keep);
    if (part.matches?.("#reading details[data-part]") && part.open) refresh(part);
  },
  true,
);

// A response that was on its way must not overwrite a newer choice.
const touched = new Set();
form.addEventListener("htmx:configRequest", (event) => touched.delete(event.target));
form.addEventListener("htmx:beforeSwap", (event) => {
  if (touched.has(event.detail.requestConfig.elt)) event.detail.shouldSwap = false;
});

// A slider and its number field are in sync; both reload only their own section.
let sliding = 0;
const ask = (one, delay) => {
  clearTimeout(sliding);
  const part = one.closest("[data-part]");
  if (one.closest(".filled")) touched.add(part);
  const all = one.name === "baseline";
  sliding = setTimeout(() => (all ? parts().forEach(refresh) : refresh(part)), delay);
};

const pair = (one) => {
  const twin = one.dataset.for
    ? document.getElementById(one.dataset.for)
    : document.querySelector(`[data-for="${one.id}"]`);
  if (twin) twin.value = one.value;
};

document.addEventListener("input", (event) => {
  const one = event.target;
  if (!one.closest("#reading .spend") || one.id.startsWith("price_")) return;
  if (one.type === "range" || one.type === "number") pair(one);
  ask(one, SLIDING);
});

// Before the form gets the event: a choice here does not change what is decoded.
document.addEventListener(
  "change",
  (event) => {
    const one = event.target;
    if (!one.closest("#reading .spend")) return;
    event.stopPropagation();
    if (one.id.startsWith("price_")) ask(one, 0);
  },
  true,
);

// Enter would send the whole form.
document.addEventListener(
  "keydown",
  (event) => {
    const one = event.target;
    if (event.key !== "Enter" || !one.matches("#reading .spend input")) return;
    event.preventDefault();
    ask(one, 0);
  },
  true,
);

document.addEventListener("click", (event) => {
  const button = event.target.closest("#panel-tokens [data-edit-prompt]");
  if (!button) return;
  const own = document.getElementById("teach_prompt");
  own.value = button.closest("details").querySelector("pre").textContent;
  own.closest("details").open = true;
  own.focus();
  ask(own, 0);
});

follow(QUIET);
