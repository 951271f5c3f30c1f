"""Exporting a mixed log over HTTP: packets a second, memory, and that every packet comes once.

python -m tests.benchmarks export --packets 1000000
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep
from typing import NamedTuple
from urllib.request import Request, urlopen

import msgspec

from tests.benchmarks.groups.growth import memory
from tests.benchmarks.groups.ingest import BATCH, Server, mixed, serving
from tests.benchmarks.line import Line

PACKETS = 100_000
PACE = 12_000
"""Packets a second."""
MEMORY = 20
"""MiB that all processes together may take more while they export."""
FORMS = ("ndjson", "csv")
_BLOCK = 1 << 20
_PAUSE = 0.5
"""Seconds between two looks at the memory."""


class Leaf(msgspec.Struct):
    """What is read of a line."""

    leaf: int


class Sent(NamedTuple):
    """An export that was received."""

    seconds: float
    lines: int
    size: int


def measure(packets: int = PACKETS) -> Iterator[Line]:
    batches = max(1, packets // BATCH)
    with (
        tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder,
        serving(Path(folder) / "sqlite") as server,
    ):
        items = mixed()
        for _ in range(batches):
            server.store(items)
        server.wait_until_idle()
        key = server.installation.manage("apikey", "create", "export", "--scopes", "export")
        yield from exports(server, key, batches * BATCH)


def exports(server: Server, key: str, packets: int) -> Iterator[Line]:
    check(server, key, packets)
    before = memory(server)
    peak = Peak(server)
    found = {form: receive(server, key, form) for form in FORMS}
    largest = peak.end()
    for form, sent in found.items():
        pace = packets / sent.seconds
        yield Line(
            what=f"export, {packets:,} packets as {form}, {sent.size / packets:,.0f} bytes each",
            ours=f"{pace:,.0f}/s", baseline=f"{PACE:,}/s", ratio=pace / PACE,
            target=1 if form == "ndjson" else None,
        )  # fmt: skip
    yield Line(
        what=f"export, memory of all processes, {before:.0f} MiB before",
        ours=f"+{largest - before:.0f} MiB", baseline=f"{MEMORY} MiB",
        ratio=MEMORY / max(1.0, largest - before), target=1,
    )  # fmt: skip


def receive(server: Server, key: str, form: str) -> Sent:
    lines = size = 0
    begin = perf_counter()
    with urlopen(ask(server, key, form)) as answer:  # noqa: S310 - our own server
        while block := answer.read(_BLOCK):
            lines += block.count(b"\n")
            size += len(block)
    return Sent(perf_counter() - begin, lines, size)


def check(server: Server, key: str, packets: int) -> None:
    """Check that every packet comes once, in order, and is the last one where it is said to be."""
    decode = msgspec.json.Decoder(Leaf).decode
    with urlopen(ask(server, key, "ndjson")) as answer:  # noqa: S310 - our own server
        leaves = [decode(line).leaf for line in answer]
        last = int(answer.headers["Cablese-Last-Leaf"])
    assert len(leaves) == len(set(leaves)) == packets, f"{len(leaves):,} lines"
    assert leaves == sorted(leaves), "oldest first"
    assert leaves[-1] == last, "the last leaf"


def ask(server: Server, key: str, form: str) -> Request:
    return Request(  # noqa: S310 - our own server
        f"{server.installation.base_url}/api/v1/export?format={form}",
        headers={"Authorization": f"Bearer {key}"},
    )


class Peak:
    """The largest memory of all processes until `end`."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._largest = 0.0
        self._ended = False
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> float:
        self._ended = True
        self._thread.join()
        return self._largest

    def _watch(self) -> None:
        while not self._ended:
            self._largest = max(self._largest, memory(self._server))
            sleep(_PAUSE)
