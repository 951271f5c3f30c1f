// A response may replace the focused element; its successor gets the focus back.

import { onAnswer } from "./decoding.js";

export const selectorOf = (element) => {
  const { message, number, index, first } = element.dataset;
  if (element.matches(".diagnostic"))
    return `.diagnostic[data-message="${message}"][data-number="${number}"]`;
  if (index) return `#panel-fields [data-index="${index}"]`;
  if (first) return `.token[data-first="${first}"]`;
  const label = element.getAttribute("aria-label");
  if (label) return `${element.localName}[aria-label="${CSS.escape(label)}"]`;
  const action = element.getAttribute("formaction");
  if (action) return `button[formaction="${CSS.escape(action)}"]`;
  if (element.name)
    return `${element.localName}[name="${element.name}"][value="${CSS.escape(element.value)}"]`;
  return null;
};

let had = null;
let wanted = null;
let next = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  had = document.activeElement;
  const inside = event.detail.target.id === "reading" && event.detail.target.contains(had);
  wanted = inside ? selectorOf(had) : null;
});

onAnswer(() => {
  const selector = next ?? (had?.isConnected ? null : wanted);
  const element = selector && document.querySelector(`#reading ${selector}`);
  had = wanted = next = null;
  element?.focus({ preventScroll: true });
});

// Do not move the focus of someone who types before the response arrives.
document.addEventListener("edited", (event) => {
  if (event.detail.typed) next = null;
});

// Move the focus after the next response.
export const refocus = (selector) => {
  next = selector;
};
