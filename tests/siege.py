"""A server under siege: bodies that nobody finishes, and heavy work that nobody pays for.

python -m tests.siege                     two minutes, 500 idle bodies with a key and 500 without
python -m tests.siege --seconds 5 --idle 50

An ordinary user, a process of its own at another address, asks for pages and for the health page
all the while; then 16 texts of 1 MB are decoded without a key. What the user waited and what memory
the server had at most is printed, and the exit status says whether it is within the promised
limits.
"""

import argparse
import json
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import quantiles
from typing import Self
from urllib.parse import urlsplit

from tests.installation import ROOT, Installation, running
from tests.processes import largest

PAGES = ("/", "/protocols/", "/examples/", "/signin")
HEALTH = "/healthz"
PAGE_P95, HEALTH_P99 = 0.5, 0.1
"""Seconds within which an ordinary user is answered."""
GROWTH = 512
"""MiB that the server may grow."""
DECODES, DECODED = 16, 1_000_000
BEGUN = 20
"""Idle bodies that are begun every tenth of a second."""
LINE = f"REQ/TSK|g=42,t=1,@=auth_refactor,!={'all_of_it_' * 8}\n"
USER, IDLERS, CROWD = "127.0.0.2", "127.0.0.3", "127.0.0.4"
"""Addresses of the loopback network that the three come from."""


@dataclass
class Waits:
    """What an ordinary user waited, in seconds, and the answers that were not 200."""

    page: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


class Idlers:
    """Bodies that are begun and never finished. One that is given up is begun again."""

    def __init__(self, base_url: str, key: str | None, number: int, address: str = IDLERS) -> None:
        place = urlsplit(base_url)
        self._place = (str(place.hostname), place.port or 80)
        self._address = address
        path = "/api/v1/packets" if key else "/api/v1/decode"
        shown = f"Authorization: Bearer {key}\r\n" if key else ""
        self._head = (
            f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\n{shown}"
            "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
        ).encode()
        self._number = number
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._hold, daemon=True)
        self.answers: Counter[int] = Counter()
        """How often each status came."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _hold(self) -> None:
        with selectors.DefaultSelector() as selector:
            while not self._over.is_set():
                # A few at a time, so that what is refused is not begun again at once.
                for _ in range(min(BEGUN, self._number - len(selector.get_map()))):
                    self._begin(selector)
                self._over.wait(0.1)
                for ready, _ in selector.select(0):
                    assert isinstance(ready.fileobj, socket.socket)
                    self._hear(selector, ready.fileobj)
            for each in [*selector.get_map().values()]:
                assert isinstance(each.fileobj, socket.socket)
                each.fileobj.close()

    def _begin(self, selector: selectors.BaseSelector) -> None:
        opened = socket.create_connection(
            self._place, timeout=30, source_address=(self._address, 0)
        )
        opened.sendall(self._head)
        selector.register(opened, selectors.EVENT_READ)

    def _hear(self, selector: selectors.BaseSelector, wire: socket.socket) -> None:
        try:
            said = wire.recv(65_536)
        except OSError:
            said = b""
        if said.startswith(b"HTTP/1.1 "):
            self.answers[int(said[9:12])] += 1
        selector.unregister(wire)
        wire.close()


class User:
    """An ordinary user: a process of its own that asks for pages and for the health page."""

    def __init__(self, base_url: str) -> None:
        command = [sys.executable, "-m", "tests.siege", "--ask", base_url]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def finish(self) -> Waits:
        out, _ = self._process.communicate("", timeout=120)
        return Waits(**json.loads(out))


def ask(base_url: str) -> None:
    """Ask until the standard input ends, but once at least, and print what was waited."""
    over = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=listen, daemon=True).start()
    waits, number = Waits(), 0
    while number == 0 or not over.wait(0.05):
        time_of(base_url, PAGES[number % len(PAGES)], waits.page, waits.failed)
        time_of(base_url, HEALTH, waits.health, waits.failed)
        number += 1
    print(json.dumps(vars(waits)))


def time_of(base_url: str, path: str, times: list[float], failed: list[str]) -> None:
    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=60, source_address=(USER, 0))
    began = time.perf_counter()
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            failed.append(f"{path}: {response.status}")
    except (OSError, HTTPException) as error:
        failed.append(f"{path}: {error!r}")
    finally:
        times.append(time.perf_counter() - began)
        connection.close()


def decode_crowd(base_url: str, number: int, size: int) -> Counter[int]:
    """Decode `number` texts at once without a key; returns how often each status came."""
    body = json.dumps({"text": (LINE * (size // len(LINE)))}).encode()
    answers: Counter[int] = Counter()

    def decode() -> None:
        connection = HTTPConnection(
            urlsplit(base_url).netloc, timeout=300, source_address=(CROWD, 0)
        )
        try:
            connection.request("POST", "/api/v1/decode", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            answers[response.status] += 1
        except (OSError, HTTPException):
            answers[0] += 1
        finally:
            connection.close()

    threads = [threading.Thread(target=decode) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


class Memory:
    """The most MiB that the server has had, looked at twice a second."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._over = threading.Event()
        self.first = self.most = resident(process)
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.5):
            self.most = max(self.most, resident(self._process))


def resident(process: int) -> int:
    """MiB of the process that serves."""
    return largest(process) // 1024**2


def percentile(times: Sequence[float], part: int) -> float:
    return quantiles(times, n=100)[part - 1]


def besiege(installation: Installation, *, seconds: float, idle: int) -> bool:
    key = installation.manage("apikey", "create", "siege", "--scopes", "ingest")
    url = installation.base_url
    time_of(url, "/", [], [])
    memory = Memory(installation.process.pid)
    user = User(url)
    with Idlers(url, key, idle) as keyed, Idlers(url, None, idle) as strangers:
        time.sleep(seconds)
    good = report(f"{idle} idle bodies with a key and {idle} without, {seconds:g} s", user.finish())
    print(f"  answers with a key: {dict(keyed.answers)}, without: {dict(strangers.answers)}")
    user = User(url)
    answers = decode_crowd(url, DECODES, DECODED)
    good &= report(
        f"{DECODES} texts of {DECODED:,} bytes decoded at once without a key", user.finish()
    )
    print(f"  answers: {dict(answers)}")
    memory.stop()
    bounded = memory.most - memory.first <= GROWTH
    print(
        f"memory: {memory.first} MiB before, {memory.most} MiB at"
        f" most{'' if bounded else ': TOO MUCH'}"
    )
    return good and bounded


def report(what: str, waits: Waits) -> bool:
    page, health = percentile(waits.page, 95), percentile(waits.health, 99)
    good = page < PAGE_P95 and health < HEALTH_P99 and not waits.failed
    print(f"{what}:")
    print(
        f"  page p95 {page * 1000:.0f} ms, health p99 {health * 1000:.0f} ms, {len(waits.page)}"
        f" each"
    )
    for one, times in Counter(waits.failed).items():
        print(f"  failed: {one}, {times} times")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--idle", type=int, default=500)
    parser.add_argument("--ask", metavar="URL", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask:
        ask(given.ask)
        return 0
    with (
        tempfile.TemporaryDirectory(prefix="cablese-siege-") as folder,
        running(Path(folder)) as installation,
    ):
        return 0 if besiege(installation, seconds=given.seconds, idle=given.idle) else 1


if __name__ == "__main__":
    sys.exit(main())
