// When the text is sent, and what is sent with it. One request is under way at a time, and the last one asked for follows
// it (hx-sync), so no old answer comes late.
import { paint, text } from "./editor.js";

export const form = document.getElementById("workbench");
export const reading = () => document.getElementById("reading");
export const total = () => Number(reading().dataset.total);

let timer = 0;
let chosen = Number(document.querySelector("#reading input[name=message]").value);
let target = form.querySelector("select[name=to]")?.value ?? "";

export const decode = () => {
  clearTimeout(timer);
  htmx.trigger(form, "decode");
};

export const shown = () => chosen;

export const choose = (number) => {
  if (number < 1 || number > total()) return;
  chosen = number;
  decode();
};

const wait = () => (text.value.length < 10_000 ? 40 : text.value.length < 100_000 ? 120 : 400);

text.addEventListener("edited", (event) => {
  if (!text.value) chosen = 1;
  clearTimeout(timer);
  timer = setTimeout(decode, event.detail.atOnce ? 0 : wait());
});

form.addEventListener("htmx:configRequest", (event) => {
  event.detail.parameters.message = String(chosen);
  event.detail.parameters.to = target;
});

form.addEventListener("change", (event) => {
  if (event.target.name === "to") target = event.target.value;
  if (event.target.matches("select")) decode();
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=message]");
  if (!button) return;
  event.preventDefault();
  choose(Number(button.value));
});

const said = document.getElementById("text-note");
const promise = said.textContent;
const late = "The fields below are those of an earlier text.";

document.addEventListener("htmx:afterSwap", () => {
  said.textContent = promise;
  paint();
});
form.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  said.textContent = status === 413 ? `This is more text than the workbench takes. ${late}` : `The server answered ${status}. ${late}`;
});
for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  form.addEventListener(failure, () => {
    said.textContent = `The server does not answer. ${late}`;
  });
}
