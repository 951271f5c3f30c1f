"""What a log of many packets costs beside a new one: storing, memory, prefixes, and a start.

python -m tests.benchmarks growth --packets 1000000
"""

import os
import statistics
import string
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from urllib.parse import quote
from urllib.request import Request, urlopen

from tests.benchmarks.groups.ingest import BATCH, Server, mixed, serving
from tests.benchmarks.line import Line, duration, faster
from tests.installation import running
from tests.processes import family, ticks

PACKETS = 200_000
FEW = 3
"""Batches whose median is a rate."""
MEMORY = 20
"""MiB that all processes together may take more."""
START = 2.0
"""Seconds of the processor for a start."""
PREFIX = 0.050
"""Seconds for a page of what begins with one or two letters."""


def measure(packets: int = PACKETS) -> Iterator[Line]:
    batches = max(3 * FEW, packets // BATCH)
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder:
        data = Path(folder) / "sqlite"
        with serving(data) as server:
            items = mixed()
            server.store(items)
            first = [server.store(items) for _ in range(FEW)]
            small = memory(server)
            last = [server.store(items) for _ in range(batches - FEW - 1)][-FEW:]
            large = memory(server)
            yield faster(
                f"growth, storing at {batches * BATCH:,} packets against the first",
                ours=statistics.median(last), baseline=statistics.median(first), items=BATCH,
                target=0.85,
            )  # fmt: skip
            yield Line(
                what=f"growth, memory of all processes, {small:.0f} MiB at first",
                ours=f"+{large - small:.0f} MiB", baseline=f"{MEMORY} MiB",
                ratio=MEMORY / max(1.0, large - small), target=1,
            )  # fmt: skip
            server.wait_until_idle()
            yield slowest_prefix(server)
        with running(data) as again:
            yield faster(
                "growth, processor time of a start",
                ours=spent(again.process.pid), baseline=START, target=1,
            )  # fmt: skip


def memory(server: Server) -> float:
    """MiB of all processes; pages that several share are counted once."""
    return sum(proportional(process) for process in family(server.installation.process.pid))


def proportional(process: int) -> float:
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("each process says how much memory it takes")


def spent(process: int) -> float:
    """Seconds of the processor of a process and its descendants, with those that have ended."""
    return sum(sum(ticks(one)) for one in family(process)) / os.sysconf("SC_CLK_TCK")


def slowest_prefix(server: Server) -> Line:
    """The first page of what begins with each letter, and with each letter and "a"."""
    key = server.installation.manage("apikey", "create", "reader", "--scopes", "read")
    prefixes = [*string.ascii_lowercase, *(f"{letter}a" for letter in string.ascii_lowercase)]
    waits = {prefix: ask(server, key, f"{prefix}*") for prefix in prefixes}
    worst = max(waits, key=lambda prefix: waits[prefix])
    return faster(
        f"growth, page of the slowest of {len(prefixes)} prefixes, {worst}*, "
        f"median {duration(statistics.median(waits.values()))}",
        ours=waits[worst], baseline=PREFIX, target=1,
    )  # fmt: skip


def ask(server: Server, key: str, query: str) -> float:
    """The median seconds of three answers to a query."""
    request = Request(  # noqa: S310 - our own server
        f"{server.installation.base_url}/api/v1/search?q={quote(query)}",
        headers={"Authorization": f"Bearer {key}"},
    )
    seconds = []
    for _ in range(3):
        begin = perf_counter()
        with urlopen(request) as answer:  # noqa: S310 - our own server
            assert answer.status == 200
            answer.read()
        seconds.append(perf_counter() - begin)
    return statistics.median(seconds)
