"""Elements of the workbench, as tests use them."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, Route

LONG = f"PRO/PLN|g=7,t=1,@={'note_' * 80}\n" * 20
"""Messages of a text that is answered in two pieces."""
LINES = """() =>
  [...document.querySelectorAll("#backdrop .chunk > *")].flatMap((one) =>
    Array(Number(one.style.counterIncrement.split(" ")[1] ?? 1)).fill(one))"""
"""The element of each line in the editor. Lines far from the view share one."""
SLOW = """{
    const real = window.setTimeout;
    window.setTimeout = (work, ms, ...rest) => real(work, ms === 600 ? 4000 : ms, ...rest);
}"""
"""The pause after typing lasts 4 s instead of 0.6 s, so that a slow machine does not end it."""
COUNTED = """{
  const { setTimeout, clearTimeout } = window;
  window.timers = new Set();
  window.setTimeout = (work, ms = 0, ...given) => {
    const run = () => { timers.delete(timer); work(...given); };
    const timer = setTimeout(run, ms);
    if (ms <= 1000) timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { timers.delete(timer); clearTimeout(timer); };
}"""
"""Timers of a second or less are counted while they run."""
RESTED = """() => {
  const rests = !window.timers?.size && !document.querySelector(".htmx-request");
  window.rested = rests ? window.rested + 1 : 0;
  return window.rested > 3;
}"""
COLORED = f"""() => ({LINES})().flatMap((one, line) => one.querySelector(".h0") ? [line] : [])"""
"""The colored lines, from 0."""


def paste(page: Page, text: str) -> None:
    """Put the text in by the clipboard; `fill` and `insert_text` take 9 ms a line."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.locator("#text").focus()
    page.keyboard.press("Control+v")


def show_tab(page: Page, name: str) -> None:
    """Show a tab: Problems or Messages, or one of the panels of a message."""
    page.get_by_role("tab", name=name).click()


def press_message(page: Page, number: int) -> None:
    """Choose a message in the list, counted from 1."""
    show_tab(page, "Messages")
    page.locator("ol.messages > li.message button").nth(number - 1).click()


def wires(page: Page) -> Locator:
    return page.locator("ol.messages > li.message")


def type_without_focus(page: Page) -> None:
    """Write an ``x`` at the end of the text, and leave the focus where it is."""
    page.evaluate(
        """() => {
          const text = document.getElementById("text");
          text.value += "x";
          text.dispatchEvent(new InputEvent("input", { inputType: "insertText", data: "x" }));
        }"""
    )


@contextmanager
def held(page: Page, address: str = "**/reading") -> Iterator[list[Route]]:
    """What is asked for meanwhile waits; it goes on in the end, unless it has been answered."""
    waiting: list[Route] = []
    over: list[bool] = []
    page.route(address, lambda route: route.continue_() if over else waiting.append(route))
    yield waiting
    over.append(True)
    for one in waiting:
        one.continue_()
    page.unroute(address)
    rest(page)


def rest(page: Page) -> None:
    """Wait until nothing is asked for, for some frames: what an answer starts is waited for too.

    With `COUNTED`, no timer may run either.
    """
    page.evaluate("() => { window.rested = 0; }")
    page.wait_for_function(RESTED)


def come(page: Page, waiting: list[Route], number: int) -> None:
    """Wait until so many requests are held."""
    for _ in range(300):
        if len(waiting) >= number:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{len(waiting)} of {number} requests came")
