// The severities that the list of problems shows. The choice stays for later responses.
import { form, onAnswer } from "./decoding.js";

const hidden = new Set();

export const draw = () => {
  let left = 0;
  for (const button of document.querySelectorAll("#reading .filter")) {
    const { severity } = button.dataset;
    const fresh = document.querySelectorAll(`#reading .diagnostic.fresh.${severity}`).length;
    const count = Number(button.dataset.count) - fresh;
    button.setAttribute("aria-pressed", String(!hidden.has(severity)));
    button.querySelector(".n").textContent = count.toLocaleString("en");
    button.hidden = count === 0;
    if (hidden.has(severity)) left += count;
  }
  for (const severity of ["error", "warning", "info"])
    form.classList.toggle(`hides-${severity}`, hidden.has(severity));
  const words = document.querySelector("#reading .filtered");
  if (!words) return;
  words.hidden = left === 0;
  words.textContent = `${left.toLocaleString("en")} hidden by the filters above.`;
};

form.addEventListener("click", (event) => {
  const button = event.target.closest("button.filter");
  if (!button) return;
  const { severity } = button.dataset;
  if (!hidden.delete(severity)) hidden.add(severity);
  draw();
});

onAnswer(draw);
