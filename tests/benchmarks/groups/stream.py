"""The live view under load: 500 messages a second for a minute, each posted alone, watched in a
real Chromium.

Lag is the time from the moment a program begins to post a message until its row, or a newer one, is
painted. Memory is read while the stream runs, after the garbage is collected: what grows there
would go on growing.
"""

import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import sleep, time
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.benchmarks.groups.ingest import ACTS, TAGS, connect, length
from tests.benchmarks.line import Line, duration
from tests.chromium import CHROMIUM_FLAGS, find_chromium
from tests.installation import Installation, running
from tests.processes import largest

PACE = 500
SECONDS = 60
EARLY = 15
PROGRAMS = 4
MEGABYTE = 1 << 20
# The newest number that is painted, with the time of its frame, at every frame that shows something
# new.
WATCH = """() => {
  window.painted = [];
  let before = 0;
  const look = () => {
    let newest = 0;
    for (const line of document.querySelectorAll("#lines .line[data-n]:not([hidden])")) {
      newest = Math.max(newest, Number(line.dataset.n));
    }
    if (newest > before) window.painted.push([newest, Date.now()]);
    before = newest;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def measure() -> Iterator[Line]:
    program = find_chromium()
    with (
        tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder,
        running(Path(folder, "data")) as installation,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        page = browser.new_page(base_url=installation.base_url)
        yield from watched(installation, page)
        browser.close()


def watched(installation: Installation, page: Page) -> Iterator[Line]:
    page.goto("/stream/")
    page.get_by_role("button", name="Start live session").click()
    path = urlsplit(page.locator("#posting summary code").inner_text()).path
    page.locator("#state[data-kind=live]").wait_for()
    page.evaluate(WATCH)
    tools = page.context.new_cdp_session(page)
    programs = [Program(installation, path, number) for number in range(PROGRAMS)]
    for one in programs:
        one.start()
    page.wait_for_timeout(EARLY * 1000)
    early = Memory(tools, page, installation)
    page.wait_for_timeout((SECONDS - EARLY) * 1000)
    late = Memory(tools, page, installation)
    for one in programs:
        one.join()
    page.wait_for_timeout(1000)
    posted = {number: began for one in programs for number, began in one.posted.items()}
    gaps = page.locator("#lines .line.gap").count()
    total = page.locator("#total-messages").inner_text().replace(",", "")
    assert gaps == 0, "messages are missing"
    assert int(total) == len(posted), f"the page counts {total} of {len(posted)}"
    lags = lag(posted, page.evaluate("() => window.painted"))
    parts = quantiles(lags, n=100)
    pace = len(posted) / (max(posted.values()) - min(posted.values()))
    yield Line(
        what="stream, messages a second, each posted alone", ours=f"{pace:,.0f}", baseline=f"{PACE}"
    )
    yield Line(what="stream, painted within, half of them", ours=duration(parts[49]))
    yield Line(what="stream, painted within, 95 of 100", ours=duration(parts[94]))
    for what, ours, baseline in (
        ("heap of the page", late.heap, early.heap),
        ("elements of the page", late.nodes, early.nodes),
        ("rows of the page", late.rows, early.rows),
        ("memory of the server", late.server, early.server),
    ):
        yield Line(what=f"stream, {what}, {SECONDS} and {EARLY} s", ours=ours, baseline=baseline)


class Program(threading.Thread):
    """Posts its share of the messages, each alone, over one connection."""

    def __init__(self, installation: Installation, path: str, number: int) -> None:
        super().__init__(daemon=True)
        self.wire: socket.socket = connect(installation)
        self.host = urlsplit(installation.base_url).netloc
        self.path = path
        self.number = number
        self.posted: dict[int, float] = {}
        """When each message was posted, by the number that the pad gave it."""

    def run(self) -> None:
        began = time() + self.number / PACE
        for at in range(PACE * SECONDS // PROGRAMS):
            sleep(max(0.0, began + at * PROGRAMS / PACE - time()))
            moment = time()
            self.posted[self._post(at)] = moment
        self.wire.close()

    def _post(self, at: int) -> int:
        n = at * PROGRAMS + self.number
        act, tag = ACTS[n % len(ACTS)], TAGS[n % len(TAGS)]
        body = f"{act}|g={n % 977},t={n % 7},p={1 + n % 3},@={tag}".encode()
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.wire.sendall(head.encode() + body)
        answer = b""
        while (size := length(answer)) is None or len(answer) < size:
            answer += self.wire.recv(1 << 16)
        return int(answer.partition(b'"first":')[2].partition(b",")[0])


class Memory:
    """What the page and the server hold now."""

    def __init__(self, tools: CDPSession, page: Page, installation: Installation) -> None:
        tools.send("HeapProfiler.collectGarbage")
        used: Any = tools.send("Runtime.getHeapUsage")
        self.heap = f"{used['usedSize'] / MEGABYTE:.1f} MiB"
        self.nodes = str(page.evaluate("() => document.querySelectorAll('*').length"))
        self.rows = str(page.locator("#lines .line").count())
        self.server = f"{largest(installation.process.pid) / MEGABYTE:.0f} MiB"


def lag(posted: dict[int, float], painted: list[tuple[int, float]]) -> list[float]:
    """The seconds from posting to painting of each message."""
    frames = iter(painted)
    newest, moment = next(frames)
    lags = []
    for number in sorted(posted):
        while newest < number:
            newest, moment = next(frames)
        lags.append(moment / 1000 - posted[number])
    return lags
