"""The workbench in a real Chromium: what it weighs, and the time from a keystroke to the painted
answer to it.

Of a long text, the page shows the message first and the rest in a later frame, so there are two
times: until the sentence is on the screen, and until the tokens of the message are, which come
last. Chromium's Element Timing says when it presented a frame, in steps of 4 ms. Keystrokes come
slowly enough that each gets an answer of its own. The baseline is the time that the page promises,
so the ratio is how many times it could be slower.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

from playwright.sync_api import Page, Playwright, sync_playwright

from tests.benchmarks.line import Line, duration
from tests.chromium import CHROMIUM_FLAGS, find_chromium
from tests.installation import Installation, running

KEYSTROKES = 60
PAUSE = 200
PASTES = 40
"""Of a dozen, the 95th percentile would be more than the slowest one."""
SETTLED = 600
"""Milliseconds after which the page of a new text is quiet."""
LISTEN = """() => {
  window.answered = [];
  window.completed = [];
  let began = 0;
  let since = 0;
  const start = () => { began = performance.now(); };
  document.getElementById("text").addEventListener("input", start, true);
  // An answer to an earlier text may come after the input.
  document.addEventListener("htmx:beforeSend", ({ target }) => {
    if (target.id === "workbench") [since, began] = [began, 0];
  });
  const said = (event) => {
    const sentence = document.getElementById("english");
    if (!since || !sentence || event.target.id !== "reading") return;
    sentence.setAttribute("elementtiming", since);
    const all = `all ${since}`;
    since = 0;
    const complete = () =>
      document.querySelector("#chips .chips")?.setAttribute("elementtiming", all);
    document.addEventListener("patched", complete, { once: true });
  };
  // The message may come before the rest of the answer.
  for (const name of ["patching", "htmx:afterSwap"]) document.addEventListener(name, said);
  // Only this is the frame itself. The second animation frame after the swap is a few milliseconds
  // off, either way, and a task after the first one comes before the frame is presented.
  new PerformanceObserver((list) => {
    for (const { renderTime, identifier } of list.getEntries()) {
      const times = identifier.startsWith("all") ? window.completed : window.answered;
      times.push(renderTime - Number(identifier.replace("all ", "")));
    }
  }).observe({ type: "element", buffered: false });
}"""

SHIFTS = """() => {
  window.shifts = [];
  const note = (list) => window.shifts.push(...list.getEntries().map(({ value }) => value));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: false });
}"""
"""Also those that follow a key within half a second, which a score of a page leaves out."""
WEIGH = """() => performance.getEntries()
  .filter((one) => one.encodedBodySize !== undefined)
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""

ANSWER = """(times) => new Promise((resolve, reject) => {
  const look = () =>
    window[times].length ? resolve(window[times].pop()) : setTimeout(look, 5);
  look();
  setTimeout(() => reject(new Error("no answer was painted within 30 seconds")), 30_000);
})"""


@contextmanager
def visited() -> Iterator[tuple[Page, Installation]]:
    """A page of a Chromium and a server of their own."""
    program = find_chromium()
    assert program, "there is no Chromium on this machine"
    with (
        tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder,
        running(Path(folder, "data")) as installation,
        sync_playwright() as playwright,
    ):
        yield opened(playwright, program, installation.base_url), installation


def listen(page: Page) -> None:
    """Open an empty workbench that notes when its answers are painted."""
    page.goto("/?example=")
    page.evaluate(LISTEN)


def measure() -> Iterator[Line]:
    with visited() as (page, _):
        yield weighed(page)
        listen(page)
        for size, promise in ((4, 0.050), (64, 0.100)):
            times = typed(page, text_of(size * 1_000))
            wholes: list[float] = page.evaluate("window.completed")
            yield from painted(
                f"page: keystroke to painted message p95, {size} KB", times, wholes, promise
            )
            yield moved(page, f"page: largest layout shift while typing {size} KB")
        yield from painted(
            "page: 1,000 pasted lines to painted message p95", *pasted(page, 1_000), 0.080
        )


def opened(playwright: Playwright, program: str, address: str) -> Page:
    browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
    page = browser.new_page(base_url=address, viewport={"width": 1280, "height": 900})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return page


def promised(what: str, took: float, promise: float) -> Line:
    return Line(
        what=what, ours=duration(took), baseline=duration(promise), ratio=promise / took, target=1
    )


def painted(
    what: str, messages: list[float], wholes: list[float], promise: float
) -> Iterator[Line]:
    """The times until the message and until the whole answer, for which the same is promised."""
    yield promised(what, percentile(messages), promise)
    yield promised("page: the same to the whole painted answer p95", percentile(wholes), promise)


def moved(page: Page, what: str) -> Line:
    """The largest part of the window that moved since the text was pasted."""
    largest: float = page.evaluate("() => Math.max(0, ...window.shifts)")
    return Line(what=what, ours=f"{largest:.4f}", baseline="0", ratio=float(largest == 0), target=1)


def weighed(page: Page) -> Line:
    """What a first visit brings, as it was sent: the page and all that it asks for."""
    page.goto("/", wait_until="networkidle")
    sent: int = page.evaluate(WEIGH)
    words = f"{sent / 1_000:.1f} kB"
    return Line(
        what="page: first visit, compressed",
        ours=words,
        baseline="90 kB",
        ratio=90_000 / sent,
        target=1,
    )


def lines(count: int, *, first: int = 0) -> str:
    """A conversation that goes on: goals, tasks, notes for people, and a mistake in every fiftieth
    line. The lines of another ``first`` are others.
    """
    acts = ("REQ/TSK", "PRO/PLN", "ACC/PLN", "INF/OBS", "EVL/EVL", "QRY/OBS")
    made = (
        f"{acts[n % 6]}|g={40 + n // 6},t={1 + n % 3},p={1 + n % 3},@=step_{n % 17}"
        for n in range(first, first + count)
    )
    return "".join(f"{line.replace('/', '-', n % 50 == 7)}\n" for n, line in enumerate(made, first))


def text_of(size: int) -> str:
    text = lines(size // 30)
    return text[: text.rindex("\n", 0, size) + 1]


def typed(page: Page, text: str, keystrokes: int = KEYSTROKES) -> list[float]:
    """Milliseconds from each keystroke at the end of ``text`` to its painted answer."""
    fill(page, text + "REQ/TSK|g=1,t=1,@=")
    page.evaluate(SHIFTS)
    times = []
    for n in range(keystrokes):
        page.keyboard.type("abcdefghij"[n % 10])
        times.append(answer(page))
        page.wait_for_timeout(PAUSE)
    return times


def pasted(page: Page, count: int, pastes: int = PASTES) -> tuple[list[float], list[float]]:
    """Milliseconds from each paste of ``count`` lines into the empty area to the painted message,
    and to the whole answer. Each text is new to the server.
    """
    messages, wholes = [], []
    for number in range(1, pastes + 1):
        fill(page, "")
        paste(page, lines(count, first=number * count))
        messages.append(answer(page))
        wholes.append(answer(page, "completed"))
    return messages, wholes


def answer(page: Page, times: str = "answered") -> float:
    took: float = page.evaluate(ANSWER, times)
    return took


def fill(page: Page, text: str) -> None:
    page.locator("#text").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    if text:
        paste(page, text)
        answer(page)  # The first of a server may take longer than all others.
    page.wait_for_timeout(SETTLED)
    page.evaluate("window.answered.length = window.completed.length = 0")


def paste(page: Page, text: str) -> None:
    """Paste from the clipboard. Chromium would take 9 ms a line to insert the text in
    another way.
    """
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def percentile(milliseconds: list[float]) -> float:
    return quantiles(milliseconds, n=20)[-1] / 1_000
