// What an answer draws anew may have had the focus, and gets it back where the same thing stands now.

import { onAnswer } from "./decoding.js";

export const selectorOf = (element) => {
  const { message, number, index, first } = element.dataset;
  if (element.matches(".diagnostic")) return `.diagnostic[data-message="${message}"][data-number="${number}"]`;
  if (index) return `#panel-fields [data-index="${index}"]`;
  if (first) return `.token[data-first="${first}"]`;
  const label = element.getAttribute("aria-label");
  if (label) return `${element.localName}[aria-label="${CSS.escape(label)}"]`;
  const action = element.getAttribute("formaction");
  if (action) return `button[formaction="${CSS.escape(action)}"]`;
  if (element.name) return `${element.localName}[name="${element.name}"][value="${CSS.escape(element.value)}"]`;
  return null;
};

let had = null;
let wanted = null;
let next = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  had = document.activeElement;
  wanted = event.detail.target.id === "reading" && event.detail.target.contains(had) ? selectorOf(had) : null;
});

onAnswer(() => {
  const selector = next ?? (had?.isConnected ? null : wanted);
  const element = selector && document.querySelector(`#reading ${selector}`);
  had = wanted = next = null;
  element?.focus({ preventScroll: true });
});

// Who types before the answer has come goes on typing.
document.addEventListener("edited", (event) => {
  if (event.detail.typed) next = null;
});

// Where the focus goes after the next answer, when it is to go elsewhere.
export const refocus = (selector) => {
  next = selector;
};
