// When the text is sent, and what is sent with it. One request is under way at a time, and the last one asked for follows
// it (hx-sync), so no old answer comes late.
import { inView, text } from "./editor.js";

export const form = document.getElementById("workbench");
// The server says what is wrong with a number. A browser would look through all fields at every key, and stop one that saves
// for the sake of a number in a closed part.
form.noValidate = true;
export const reading = () => document.getElementById("reading");
// What the last answer said of the text as a whole.
export const said = () => document.getElementById("reading-state").dataset;
export const total = () => Number(said().total);

let timer = 0;
let atCaret = false;
let following = false;
let chosen = Number(document.querySelector("#reading-state input").value);
let protocol = form.querySelector("input[name=protocol]").value;
let view = form.querySelector("input[name=view]")?.value ?? "table";
let target = form.querySelector("select[name=to]")?.value ?? "";
let other = form.querySelector("input[name=other]")?.value ?? "";

export const decode = () => {
  clearTimeout(timer);
  htmx.trigger(form, "decode");
};

// What the last answer was made of. Its places, and the numbers of its fields, are good for that and nothing else.
let asked = { text: text.value, protocol };
let answered = asked;
export const isCurrent = () => answered.text === text.value && answered.protocol === protocol;

export const chosenProtocol = () => protocol;
export const shown = () => chosen;

// What of the page, beside the text, a link carries: and the page as a link says it.
export const state = () => ({ protocol, message: chosen, to: target });

export const restore = (was) => {
  ({ protocol, message: chosen, to: target } = was);
  atCaret = following = false;
  decode();
};

export const choose = (number) => {
  if (number < 1 || number > total()) return;
  chosen = number;
  atCaret = following = false;
  decode();
};

// Shows the message in which the caret is; outside of all messages the one that is shown stays.
export const chooseAtCaret = () => {
  atCaret = true;
  decode();
};

// One answer is waited for at a time, so typing never asks for more than the server can say: a key asks at once, and those
// that come before its answer ask together. A long text takes the browser itself some time to send.
const LONG = 100_000;
const PAUSE = 400;

text.addEventListener("edited", (event) => {
  if (!text.value) {
    chosen = 1;
    protocol = "";
  }
  atCaret = event.detail.typed;
  clearTimeout(timer);
  if (text.value.length < LONG) decode();
  else timer = setTimeout(decode, event.detail.atOnce ? 0 : PAUSE);
});

form.addEventListener("htmx:configRequest", (event) => {
  if (event.target === form) {
    // htmx would take the address of the button that was pressed last, or that has the focus: /mend, /save.
    event.detail.path = form.getAttribute("hx-post");
    following = atCaret;
    atCaret = false;
    asked = { text: text.value, protocol };
  }
  event.detail.parameters.message = String(chosen);
  if (event.target === form && following) event.detail.parameters.caret = String(text.selectionStart);
  event.detail.parameters.to = target;
  event.detail.parameters.other = other;
  [event.detail.parameters.top, event.detail.parameters.bottom] = inView();
  if (event.target === form) {
    // The rows last: of thousands the server believes only the first.
    const patches = [...form.querySelectorAll("[data-stamp]:not(.message)"), ...reading().querySelectorAll(".message[data-stamp]")];
    event.detail.parameters.have = patches.map(({ dataset }) => dataset.stamp).join(" ");
    event.detail.parameters.rows = String(reading().querySelectorAll(".message[data-number]").length);
  }
  event.detail.parameters.protocol = protocol;
  event.detail.parameters.view = view;
});

// Rows that a list is scrolled to are those of the text as it was asked for them, and a request that is sent before they
// come says nothing of them: they are asked for again with the next.
let sent = 0;
const since = new WeakMap();
form.addEventListener("htmx:configRequest", (event) => {
  if (event.target === form) sent += 1;
  else if (event.target.matches(".more")) since.set(event.target, sent);
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig } }) => {
  if (since.has(requestConfig.elt) && since.get(requestConfig.elt) < sent) decode();
});

form.addEventListener("change", (event) => {
  if (event.target.name === "to") target = event.target.value;
  if (event.target.name === "other") other = event.target.value;
  if (event.target.matches("select, #other")) decode();
});

// How the fields are shown, for as long as the tab is open.
export const look = (as) => {
  view = as;
  sessionStorage.setItem("view", view);
  decode();
};

let toChip = false;
const press = {
  message: (value) => choose(Number(value)),
  view: look,
  protocol: (value) => {
    protocol = value;
    form.querySelector("#detection").open = false;
    toChip = true;
    decode();
  },
};

form.addEventListener("click", (event) => {
  const drawn = event.target.closest("[data-shows]");
  if (drawn) return choose(Number(drawn.dataset.shows));
  const button = event.target.closest("button[name]");
  if (!button || !Object.hasOwn(press, button.name)) return;
  event.preventDefault();
  press[button.name](button.value);
});

// Enter in a field; the field's own change has been sent by then.
document.getElementById("enter").addEventListener("click", (event) => event.preventDefault());

const kept = sessionStorage.getItem("view");
document.addEventListener("DOMContentLoaded", () => {
  if (kept && kept !== view && total()) look(kept);
});

// What a page says of its example is true of that text alone.
const lesson = form.querySelector("section > .lesson");
const note = document.getElementById("text-note");
const promise = note.textContent;
const late = "The fields below are those of an earlier text.";

// What is to be done when an answer stands on the page. htmx says so of each patch that was put in, and once of the whole.
export const onAnswer = (run) =>
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "reading" && event.detail.target.id === "reading") run();
  });

onAnswer(() => {
  answered = asked;
  if (lesson) lesson.hidden = answered.text !== text.defaultValue;
  if (following && total()) chosen = Number(said().chosen);
  following = false;
  // Who writes on meanwhile is left to write.
  if (toChip && document.activeElement !== text) form.querySelector("#detection summary").focus();
  toChip = false;
  note.textContent = promise;
});

// An answer that takes long is waited for in sight. Not by a transition of htmx's own class: that one costs every keystroke.
const PATIENCE = 300;
let patience = 0;
form.addEventListener("htmx:beforeSend", (event) => {
  if (event.target !== form) return;
  clearTimeout(patience);
  patience = setTimeout(() => form.classList.add("late"), PATIENCE);
});
form.addEventListener("htmx:afterRequest", (event) => {
  if (event.target !== form) return;
  clearTimeout(patience);
  form.classList.remove("late");
});

// What the server says of a refusal: why, and after how many seconds it takes the text.
const reason = (xhr) => {
  try {
    return JSON.parse(xhr.responseText).detail || "";
  } catch {
    return "";
  }
};

let again = 0;
form.addEventListener("htmx:beforeSend", (event) => {
  if (event.target === form) clearTimeout(again);
});
form.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  const words = reason(xhr) || `The server answered ${xhr.status}.`;
  note.textContent = xhr.status === 413 ? `This is more text than the workbench takes. ${late}` : `${words} ${late}`;
  const seconds = Number(xhr.getResponseHeader("Retry-After"));
  if (event.target === form && seconds) again = setTimeout(decode, seconds * 1000);
});
for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  form.addEventListener(failure, () => {
    note.textContent = `The server does not answer. ${late}`;
  });
}
