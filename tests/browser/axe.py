"""axe, the checker of accessibility, asked for what is wrong and for each kind of text once."""

import json

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

_COLORS = ("color-contrast", "link-in-text-block")
"""The rules that read a color: all that can differ between a light page and a dark one."""
_WRONG_ONLY = {"resultTypes": ["violations"]}
"""By default axe describes every element that passes too, which takes half of its time."""
_KINDS = """
(selector) => {
  // What decides the contrast of a text: its color and size, what is painted behind it, and
  // whether it is disabled, which excuses it. Positioned parts may lie on anything.
  const grounds = new Map([[null, ""]]);
  const ground = (element) => {
    if (!grounds.has(element)) {
      const style = getComputedStyle(element);
      const isMoved = ["absolute", "fixed", "sticky"].includes(style.position);
      const isOff = element.matches(":disabled, [aria-disabled=true]") || element.control?.disabled;
      const own = [
        isMoved && grounds.size, isOff && "off",
        style.backgroundColor !== "rgba(0, 0, 0, 0)" && style.backgroundColor,
        style.backgroundImage !== "none" && style.backgroundImage,
        style.opacity !== "1" && style.opacity, style.filter !== "none" && style.filter,
      ].filter(Boolean).join();
      grounds.set(element, own + ground(element.parentElement));
    }
    return grounds.get(element);
  };
  const kinds = new Map();
  const root = selector ? document.querySelector(selector) : document.body;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    const own = [...element.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE);
    const length = element.matches("input, textarea")
      ? 1_000 : own.reduce((sum, each) => sum + each.data.trim().length, 0);
    if (!length || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const around = getComputedStyle(element.parentElement);
    const kind = [
      element.tagName, color, around.color, fontSize, fontWeight, textShadow, ground(element),
    ].join();
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push([length, element]);
  }
  return [...kinds.values()].flatMap((kind) => {
    const longest = kind.reduce((best, each) => (each[0] > best[0] ? each : best));
    return [...new Set([kind[0], longest, kind.at(-1)])].map(([, element]) => element);
  });
}
"""


def require_accessible(page: Page, selector: str | None = None) -> None:
    """Fail with axe's report if the page, or the part that a selector names, breaks a rule."""
    _load(page)
    rules = {"rules": {name: {"enabled": False} for name in _COLORS}}
    _require(
        page, f"axe.run({json.dumps(selector)} || document, {json.dumps(_WRONG_ONLY | rules)})"
    )
    require_contrast(page, selector)


def require_contrast(page: Page, selector: str | None = None) -> None:
    """Fail with axe's report if a text cannot be told from what is behind it.

    Reading the contrast of every text takes a minute for all pages. So of all texts with the same
    colors, size, and ground, the first, the longest, and the last are read.
    """
    _load(page)
    options = json.dumps(_WRONG_ONLY | {"runOnly": _COLORS})
    kinds = f"({_KINDS})({json.dumps(selector)})"
    _require(page, f"axe.run({{ include: {kinds} }}, {options})")


def _load(page: Page) -> None:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)


def _require(page: Page, run: str) -> None:
    results = AxeResults(page.evaluate(run))
    assert results.violations_count == 0, results.generate_report()
