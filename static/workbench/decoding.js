// When the text is sent, and what is sent with it. One request runs at a time, and the last one
// asked for follows it (hx-sync), so an old response never arrives late.
import { finish } from "../base/patches.js";
import { explain } from "../base/refusal.js";
import { inView, text } from "./editor/editor.js";

export const form = document.getElementById("workbench");
// The server reports wrong numbers. A browser would check all fields at every keystroke, and block
// saving because of a number in a closed section.
form.noValidate = true;
// Chromium lays the page out before it takes the value of a named textarea, which takes 0.1 s after
// a long paste. Without their names the texts are added here, and the layout is done while the
// server works.
const unname = () => {
  for (const area of form.querySelectorAll("textarea[name]")) {
    area.dataset.name = area.name;
    area.removeAttribute("name");
  }
};
unname();
form.addEventListener("formdata", ({ formData }) => {
  for (const area of form.querySelectorAll("textarea[data-name]"))
    formData.append(area.dataset.name, area.value);
});
// Escapes only what has a meaning in a form. htmx would escape every sign of a message, and reading
// that takes the server a third of the time that it takes to find the messages.
const escaped = (value) =>
  value.replace(/[^ -$'-*,-~]+/g, encodeURIComponent).replaceAll(" ", "+");
htmx.defineExtension("lean", {
  encodeParameters: (xhr, parameters) =>
    Array.from(parameters, ([name, value]) => `${name}=${escaped(value)}`).join("&"),
});
export const reading = () => document.getElementById("reading");
// What the last response reported about the whole text.
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

// htmx listens from DOMContentLoaded on, and a link or a remembered text is restored before that.
let listens = false;
let waits = false;
export const decode = () => {
  clearTimeout(timer);
  if (listens) htmx.trigger(form, "decode");
  else waits = true;
};
document.addEventListener("DOMContentLoaded", () => {
  listens = true;
  if (waits) decode();
});

// The text of the last response. Its offsets and field numbers are valid for this text only.
let asked = { text: text.value, protocol };
let answered = asked;
export const isCurrent = () => answered.text === text.value && answered.protocol === protocol;

export const chosenProtocol = () => protocol;
export const shown = () => chosen;

// What a link contains besides the text, and the page restored from a link.
export const state = () => ({ protocol, message: chosen, to: target });

export const restore = (was) => {
  ({ protocol, message: chosen, to: target } = was);
  atCaret = following = false;
  decode();
};

// Whether a message was chosen outside of the input, which then shows its place. Asking ends it.
let leading = false;
export const takeLead = () => {
  const was = leading;
  leading = false;
  return was;
};

// Whether there is such a message.
export const choose = (number) => {
  if (number < 1 || number > total()) return false;
  chosen = number;
  leading = true;
  atCaret = following = false;
  decode();
  return true;
};

// Show the message at the caret; if there is none, the shown message stays.
export const chooseAtCaret = () => {
  atCaret = true;
  decode();
};

// Only one request runs at a time, so typing never overloads the server: a key sends at once, and
// the keys before its response send together. Sending a long text takes the browser time, too.
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

// A row takes the server as long as ten messages. The list of a pasted text has as many as its pane
// shows, and a hidden list has none.
const SEEN = 12;
let shownRows = 0;
const rows = () => reading().querySelectorAll(".message[data-number]");
const countRows = () => {
  shownRows = rows().length || shownRows;
  return form.dataset.found === "messages" ? Math.max(shownRows, SEEN) : 0;
};

form.addEventListener("htmx:configRequest", (event) => {
  finish();
  if (event.target === form) {
    // htmx would use the address of the last pressed or focused button: /fixes, /save.
    event.detail.path = form.getAttribute("hx-post");
    following = atCaret;
    atCaret = false;
    asked = { text: text.value, protocol };
  }
  event.detail.parameters.message = String(chosen);
  if (event.target === form && following)
    event.detail.parameters.caret = String(text.selectionStart);
  event.detail.parameters.to = target;
  event.detail.parameters.other = other;
  [event.detail.parameters.top, event.detail.parameters.bottom] = inView();
  if (event.target === form) {
    // The rows come last: of thousands, the server reads only the first.
    const patches = [
      ...form.querySelectorAll("[data-stamp]:not(.message)"),
      ...reading().querySelectorAll(".message[data-stamp]"),
    ];
    event.detail.parameters.have = patches.map(({ dataset }) => dataset.stamp).join(" ");
    event.detail.parameters.rows = String(countRows());
  }
  event.detail.parameters.protocol = protocol;
  event.detail.parameters.view = view;
});

// Rows loaded by scrolling belong to the text at that time. A request sent before they arrive does
// not list them, so the next request asks for them again.
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

// The view of the fields, remembered while the tab is open.
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

// Enter in a field: its change event has already been sent.
document.getElementById("enter").addEventListener("click", (event) => event.preventDefault());

const kept = sessionStorage.getItem("view");
document.addEventListener("DOMContentLoaded", () => {
  if (kept && kept !== view && total()) look(kept);
});

// The lesson of an example is true for its text only.
const lesson = form.querySelector("section > .lesson");
const note = document.getElementById("text-note");
const promise = note.textContent;
const late = "The results are out of date.";
const say = (words, isProblem) => {
  // A screen reader would read the same words again.
  if (note.textContent !== words) note.textContent = words;
  note.classList.toggle("warning", isProblem);
};

// Run after each response, when all of it is inserted.
export const onAnswer = (run) =>
  document.addEventListener("patched", (event) => {
    if (event.target.id === "reading") run();
  });

onAnswer(() => {
  unname();
  answered = asked;
  if (lesson) lesson.hidden = answered.text !== text.defaultValue;
  if (following && total()) chosen = Number(said().chosen);
  following = false;
  // Do not take the focus from someone who is typing.
  if (toChip && document.activeElement !== text) form.querySelector("#detection summary").focus();
  toChip = false;
  say(note.dataset.promise ?? promise, false);
});

// A request that was sent before the list was opened brings no rows.
const fillList = () => {
  if (!total()) shownRows = 0;
  else if (countRows() && !rows().length) decode();
};
form.addEventListener("tab", fillList);
onAnswer(fillList);

// Show that a response is slow. A transition of htmx's own class would cost every keystroke.
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

const reason = (xhr) => {
  if (xhr.status === 200) return "The server could not complete the response.";
  if (xhr.status === 413) return "The text is larger than the limit of 1 MiB.";
  return explain(xhr.status, xhr.responseText);
};

let again = 0;
const AGAIN = 5_000;
// The text is sent again once the server answers, unless this browser has taken over. It is sent
// once: the text could be what the server fails at.
let resent = false;
onAnswer(() => {
  resent = false;
});
const awaitServer = () => {
  clearTimeout(again);
  if (resent) return;
  again = setTimeout(async () => {
    if (note.dataset.promise) return;
    const answer = await fetch(form.action, { method: "HEAD" }).catch(() => null);
    resent = Boolean(answer?.ok);
    if (resent) decode();
    else awaitServer();
  }, AGAIN);
};
form.addEventListener("htmx:beforeSend", (event) => {
  if (event.target === form) clearTimeout(again);
});
form.addEventListener("htmx:responseError", (event) => {
  event.preventDefault();
  const { xhr } = event.detail;
  say(`${reason(xhr)} ${late}`, true);
  if (event.target !== form) return;
  const seconds = Number(xhr.getResponseHeader("Retry-After"));
  if (seconds) again = setTimeout(decode, seconds * 1000);
  else if (xhr.status > 500) awaitServer();
});
for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  form.addEventListener(failure, (event) => {
    event.preventDefault();
    say(`Can’t reach the server. ${late}`, true);
    if (event.target === form) awaitServer();
  });
}
