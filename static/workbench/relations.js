import { onAnswer, shown } from "./decoding.js";
import { showTab } from "./tabs.js";

// The conversations of the text load after a pause in typing; the old ones stay until then.
const QUIET = 300;
let timer = 0;

document.addEventListener("edited", () => clearTimeout(timer));

onAnswer(() => {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger("#whole", "whole"), QUIET);
});

// Where the conversation of the shown message stands, beside the message, and the worst finding on
// the tab, so that nobody takes valid messages for a sound conversation.
const threadOf = (number) =>
  document.querySelector(`#whole button[name=message][value="${number}"]`)?.closest(".thread");

const drawStands = () => {
  const line = document.getElementById("stands");
  const { key, stage } = threadOf(shown())?.dataset ?? {};
  // An info is a stage of the conversation, such as a failed task.
  const wrong = threadOf(shown())?.querySelector(".went-wrong:not([data-severity=info]) strong");
  const problem = wrong?.textContent.trim().replace(/\s+/g, " ").replace(/:$/, "");
  if (!line) return;
  line.hidden = !stage && !problem;
  // The problem is first: the end is cut where the pane is narrow. The sentence below has the key.
  line.textContent = problem ? [problem, stage].filter(Boolean).join(" · ") : `Now: ${stage}`;
  line.title = [problem, key, stage].filter(Boolean).join(" · ");
  line.classList.toggle("warning", Boolean(wrong));
};

const drawBadge = () => {
  const tab = document.querySelector("[data-tab=conversation]");
  if (!tab) return;
  const heads = document.querySelectorAll("#whole > .panel > .panel-head");
  const tallies = [...heads].flatMap((head) => [...head.querySelectorAll(".tally")]);
  const worst = ["error", "warning"]
    .map((kind) => tallies.find((one) => one.classList.contains(kind)))
    .find(Boolean);
  tab.querySelector(".tally")?.remove();
  if (!worst) return;
  const badge = worst.cloneNode(true);
  // The tab has room for two digits.
  badge.textContent = badge.textContent.replace(/[\d,]{3,}/, "99+");
  tab.append(" ", badge);
};

const drawBoth = () => {
  drawStands();
  drawBadge();
};
onAnswer(drawBoth);
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "whole") drawBoth();
});
document.addEventListener("click", ({ target }) => {
  if (target.id === "stands") showTab("panel", "conversation");
});
drawBoth();
