"""The processor time of a self-check, for a packet of a mixed log: its first bar, and its second.

Baseline: the time in which the same process stores the packet. A million leaves are to be checked
in two minutes, and with readings and terms in six.
"""

import gc
import resource
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from django.db import connection

from auditlog import access
from auditlog.check.run import Run
from auditlog.check.table import SelfCheck
from auditlog.findings.following.follower import Follower
from auditlog.ingest import ndjson, receive
from auditlog.models import Log
from tests.benchmarks.groups.ingest import mixed
from tests.benchmarks.line import Line, faster

PACKETS = 260_000
"""More than `again.SUMMED`, because of a million leaves, too, only some findings are compared."""
BATCH = 5_000
MILLION = 1_000_000
MINUTES = {"leaves": 2, "terms": 6}
"""Of a million leaves, with those of the bar before."""
TITLES = {"leaves": "leaves, tiles, checkpoints, commitments", "terms": "with readings and terms"}


def measure(packets: int = PACKETS) -> Iterator[Line]:
    before = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield from _measure(packets)
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def _measure(packets: int) -> Iterator[Line]:
    stored = store(packets)
    follow()
    took, grown = check()
    seconds = 0.0
    for bar, more in took.items():
        seconds += more
        yield faster(
            f"self-check of a packet, {TITLES[bar]}",
            ours=seconds,
            baseline=stored,
            items=packets,
            target=stored / packets / (MINUTES[bar] * 60 / MILLION),
        )
    yield Line(what="memory that a self-check takes", ours=f"{grown:.0f} MiB")


def store(packets: int) -> float:
    """Store packets in batches of 5,000, and return the seconds of the processor."""
    _, token = access.create_key(source="bench", scopes=("ingest",))
    sender = access.authenticate(token)
    assert sender is not None
    items, spent = mixed(), 0.0
    for _ in range(packets // BATCH):
        body = b"\n".join(islice(items, BATCH))
        began = time.process_time()
        assert len(list(receive.receive(ndjson.read([body]), sender=sender))) == BATCH
        spent += time.process_time() - began
    return spent


def follow() -> None:
    """Make the findings, and count the English, which the self-check compares."""
    follower = Follower()
    while follower.step():
        pass


def check() -> tuple[dict[str, float], float]:
    """Check everything, and return the seconds of each bar and the MiB that memory grew."""
    row = SelfCheck.objects.create(log=Log.objects.get(slug="default"), full=True)
    took = dict.fromkeys(TITLES, 0.0)
    gc.collect()
    before = most = read_memory()
    run, last = Run(row), time.process_time()
    for step in run.steps():
        now = time.process_time()
        took[step.bar] += now - last
        most = max(most, read_memory())
        last = time.process_time()
    assert run.faults.number == 0, run.faults.named[:3]
    return took, most - before


def read_memory() -> float:
    """Return the MiB of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024**2
