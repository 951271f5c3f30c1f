// The tabs of the panes. The chosen tab of each bar is an attribute of the form, which no response
// replaces, and is remembered while the browser tab is open.
import { form, onAnswer } from "./decoding.js";

const FIRST = { found: "problems", panel: "tokens" };
const bars = () => form.querySelectorAll("[data-tabs]");
const tabsOf = (bar) => [...bar.querySelectorAll("[data-tab]")];

const draw = () => {
  for (const bar of bars()) {
    for (const tab of tabsOf(bar)) {
      const chosen = form.dataset[bar.dataset.tabs] === tab.dataset.tab;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
  }
};

// Show a tab of one of the bars, "found" or "panel".
export const showTab = (bar, name) => {
  form.dataset[bar] = name;
  sessionStorage.setItem(`tab-${bar}`, name);
  draw();
  form.dispatchEvent(new CustomEvent("tab"));
};

// Show the tab that an element is in, so that it can have the focus.
export const showTabOf = (element) => {
  for (const tab of form.querySelectorAll("[data-tab]")) {
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    if (panel?.contains(element)) showTab(tab.closest("[data-tabs]").dataset.tabs, tab.dataset.tab);
  }
};

for (const [bar, first] of Object.entries(FIRST))
  form.dataset[bar] = sessionStorage.getItem(`tab-${bar}`) ?? first;

form.addEventListener("click", (event) => {
  const tab = event.target.closest("[data-tab]");
  if (tab) showTab(tab.closest("[data-tabs]").dataset.tabs, tab.dataset.tab);
});

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
form.addEventListener("keydown", (event) => {
  const tab = event.target.closest("[data-tab]");
  if (!tab || !Object.hasOwn(STEPS, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  const tabs = tabsOf(tab.closest("[data-tabs]"));
  const last = tabs.length - 1;
  const by = STEPS[event.key];
  const at = tabs.indexOf(tab) + by;
  const to = tabs[Number.isFinite(by) ? (at + tabs.length) % tabs.length : by < 0 ? 0 : last];
  to.click();
  to.focus();
});

onAnswer(draw);
draw();
