// The parts of the Tokens and Examine panels that come when they are opened. They outlive an answer (hx-preserve) and follow
// the text when the typing rests, so that none of them slows it down.
import { decode, form, onAnswer } from "../workbench/decoding.js";

const QUIET = 300;
const SLIDING = 60;
const parts = () => [...document.querySelectorAll("#reading [data-part]")];
const isShown = (part) => part.open ?? true;

// Parts that have not asked since the last answer. One that is opened meanwhile asks at once, and only once: a second
// answer would draw over what was just clicked in it.
const due = new Set();

const refresh = (part) => {
  if (!isShown(part)) return;
  due.delete(part);
  htmx.trigger(part, "refresh");
};

// A key that is pressed while they wait makes them wait on: its own answer must not share the server with theirs.
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

// One message or all of them: like everything that is sent, it goes with the next request, whoever asks.
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
  for (const inner of part.querySelectorAll("details[data-keep]")) inner.open = kept.has(inner.dataset.keep);
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

// What is chosen within an answer must not be drawn over by another that was under way.
const touched = new Set();
form.addEventListener("htmx:configRequest", (event) => touched.delete(event.target));
form.addEventListener("htmx:beforeSwap", (event) => {
  if (touched.has(event.detail.requestConfig.elt)) event.detail.shouldSwap = false;
});

// A slider and its number say the same; both ask at once, and only for their own part.
let sliding = 0;
const ask = (one, delay) => {
  clearTimeout(sliding);
  const part = one.closest("[data-part]");
  if (one.closest(".filled")) touched.add(part);
  sliding = setTimeout(() => (one.name === "baseline" ? parts().forEach(refresh) : refresh(part)), delay);
};

const pair = (one) => {
  const twin = one.dataset.for ? document.getElementById(one.dataset.for) : document.querySelector(`[data-for="${one.id}"]`);
  if (twin) twin.value = one.value;
};

document.addEventListener("input", (event) => {
  const one = event.target;
  if (!one.closest("#reading .spend") || one.id.startsWith("price_")) return;
  if (one.type === "range" || one.type === "number") pair(one);
  ask(one, SLIDING);
});

// Before the form hears of it: a choice in here changes nothing that is decoded.
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
