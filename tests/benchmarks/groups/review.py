"""A reviewer's hour in a real Chromium, by keys alone, and the packet beside the list of the trail.

A hundred invalid packets: 80 are marked as reviewed, 10 flagged with a note, 10 commented on, and 5
decisions taken back. The time goes from the last key of a decision to the frame after the next
packet is shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from playwright.sync_api import Page, expect

from tests.benchmarks.groups.page import percentile, promised, visited
from tests.benchmarks.line import Line
from tests.installation import Installation
from tests.pages.visits import save

PACKETS = 100
REVIEWED, FLAGGED, COMMENTED, UNDONE = 80, 10, 10, 5
QUEUE = "/audit/?q=is:invalid"
DRAWERS = 40
PAUSE = 150
"""Milliseconds in which a reviewer looks at a packet."""
WATCH = """([part, title]) => {
  window.painted = [];
  let began = 0;
  let before = document.querySelector(title)?.textContent;
  const start = (event) => { began = performance.now(); };
  document.addEventListener("keydown", start, true);
  document.addEventListener("click", start, true);
  new MutationObserver(() => {
    const now = document.querySelector(title)?.textContent;
    if (now === undefined || now === before) return;
    before = now;
    const since = began;
    const paint = () => window.painted.push(performance.now() - since);
    requestAnimationFrame(() => requestAnimationFrame(paint));
  }).observe(document.querySelector(part), { childList: true, subtree: true, characterData: true });
}"""
PAINTED = """(count) => new Promise((resolve) => {
  const look = () =>
    window.painted.length >= count ? resolve(window.painted.at(-1)) : setTimeout(look, 2);
  look();
})"""


@dataclass
class Reviewer:
    """What somebody at the review desk presses, and how long the next packet takes."""

    page: Page
    keys: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def decide(self, *keys: str, note: str = "") -> None:
        """Press the keys of a decision; the note is typed after the first."""
        first, *others = keys
        self.page.keyboard.press(first)
        if note:
            expect(self.page.locator("#note")).to_be_focused()
            self.page.keyboard.type(note)
        for key in others:
            self.page.keyboard.press(key)
        self.keys.append(len(keys))

    def wait(self) -> None:
        """Note the time of the last decision, and look at the packet that it led to."""
        self.times.append(self.page.evaluate(PAINTED, len(self.times) + 1))
        self.page.wait_for_timeout(PAUSE)


def measure() -> Iterator[Line]:
    with visited() as (page, installation):
        store(page, installation)
        yield promised("trail: packet opened beside the list p95", percentile(drawers(page)), 0.100)
        reviewer = review(page)
        most = max(reviewer.keys)
        yield Line(
            what="review: keys of a decision, without its note",
            ours=f"{most} at most",
            baseline="2",
            ratio=2 / most,
            target=1,
        )
        yield promised(
            "review: key to the next packet painted p95", percentile(reviewer.times), 0.100
        )


def store(page: Page, installation: Installation) -> None:
    installation.sign_in(page)
    save(page, "\n".join(f"RJE/PLN|g={n},t=1,!=step_{n}" for n in range(PACKETS)))


def drawers(page: Page) -> list[float]:
    """Milliseconds from a click on a packet until it is painted beside the list."""
    page.goto(QUEUE, wait_until="networkidle")
    page.evaluate(WATCH, ["#drawer", "#drawer-title"])
    links = page.locator(".packets a.open")
    times = []
    for n in range(DRAWERS):
        links.nth(n).click()
        times.append(page.evaluate(PAINTED, n + 1))
        page.wait_for_timeout(PAUSE)
    return times


def review(page: Page) -> Reviewer:
    page.goto(QUEUE, wait_until="networkidle")
    page.keyboard.press("r")
    page.locator("#packet").wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate(WATCH, ["body", "#packet-title"])
    reviewer = Reviewer(page)
    progress = page.locator("#progress")

    for n in range(PACKETS):
        if n % 10 == 4:
            reviewer.decide("f", "Enter", note=f"Why was step {n} rejected?")
        elif n % 10 == 7:
            reviewer.decide("c", "Enter", note=f"Same as {n - 1}.")
        else:
            reviewer.decide("a")
        if n < PACKETS - 1:
            reviewer.wait()
    expect(progress).to_contain_text(f"{REVIEWED + FLAGGED} of {PACKETS} done, {FLAGGED} flagged")
    for n in range(1, UNDONE + 1):
        page.keyboard.press("u")
        # One of the last five steps is a comment, which is not a decision.
        left = REVIEWED + FLAGGED - n + (n >= 3)
        expect(progress).to_contain_text(f"{left} of {PACKETS} done")
    page.goto("/audit/?q=is:commented")
    expect(page.locator(".packets a.open")).to_have_count(COMMENTED - 1)
    return reviewer
