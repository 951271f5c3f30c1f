"""An ordinary user, in a process of its own, who looks at pages while others send hostile text.

    python -m tests.sweep.neighbor <address> <cookies>

Asks for pages and for the health page until its input ends, and then prints every wait as JSON.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from math import ceil
from urllib.parse import urlsplit

from tests.installation import ROOT

PAGES = ("/", "/audit/", "/protocols/")
HEALTH = "/healthz"
PAUSE = 0.1
LOST = 30.0
"""Seconds that count where no answer came."""


class Waits:
    """The seconds that pages and the health page took, when the neighbor has gone."""

    def __init__(self) -> None:
        self.pages: list[float] = []
        self.health: list[float] = []


@contextmanager
def watching(address: str, cookies: str) -> Iterator[Waits]:
    waits = Waits()
    command = [sys.executable, "-m", "tests.sweep.neighbor", address, cookies]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield waits
            told, _ = process.communicate(timeout=2 * LOST)
        except BaseException:  # also when a person interrupts: nothing may stay behind
            process.kill()
            raise
        found = json.loads(told)
        waits.pages, waits.health = found["pages"], found["health"]


def percentile(values: list[float], share: float) -> float:
    """Return the value that so many of 100 do not exceed."""
    return sorted(values)[max(0, ceil(len(values) * share / 100) - 1)] if values else 0.0


def main(address: str, cookies: str) -> None:
    ended = threading.Event()
    found: dict[str, list[float]] = {"pages": [], "health": []}
    asked = {"pages": PAGES, "health": (HEALTH,)}
    threads = [
        threading.Thread(target=_look, args=(address, cookies, paths, found[name], ended))
        for name, paths in asked.items()
    ]
    for one in threads:
        one.start()
    sys.stdin.read()
    ended.set()
    for one in threads:
        one.join()
    print(json.dumps(found))


def _look(
    address: str, cookies: str, paths: tuple[str, ...], waits: list[float], ended: threading.Event
) -> None:
    for path in cycle(paths):
        if ended.wait(PAUSE):
            return
        waits.append(_wait(urlsplit(address).netloc, path, cookies))


def _wait(host: str, path: str, cookies: str) -> float:
    connection = HTTPConnection(host, timeout=LOST)
    begin = time.perf_counter()
    try:
        connection.request("GET", path, headers={"Cookie": cookies})
        connection.getresponse().read()
    except (OSError, HTTPException):
        return LOST
    finally:
        connection.close()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main(*sys.argv[1:])
