"""The processor time of findings: of each detector, and of the follower with reading and writing,
for a packet of a mixed log.

Baseline: the time in which the same process stores the packet. The follower must take less, so that
it can keep up with those who send.
"""

import time
from collections.abc import Callable, Iterator
from itertools import islice

from django.db import connection

from auditlog import access, text
from auditlog.findings import detectors, flow, repeated
from auditlog.findings.finding import Subject
from auditlog.findings.following import piece
from auditlog.findings.following.follower import Follower
from auditlog.ingest import ndjson, receive
from auditlog.models import Log
from auditlog.sender import Sender
from tests.benchmarks.groups.ingest import Items, mixed
from tests.benchmarks.line import Line, faster, interleaved, timed

PACKETS = 20_000
ROUNDS = 5


def measure() -> Iterator[Line]:
    before = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield from _measure()
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def _measure() -> Iterator[Line]:
    _, token = access.create_key(source="bench", scopes=("ingest",))
    sender, items = access.authenticate(token), mixed()
    assert sender is not None
    store(items, sender)
    log_id = Log.objects.get(slug="default").pk
    rows = list(piece._read(log_id, 0, PACKETS))
    subjects = [
        Subject(text.from_bytes(row.sent.wire), row.sent.protocol, row.sent.dialect) for row in rows
    ]
    wires = [repeated.Wire(row.sent.leaf, row.sent.wire) for row in rows]
    works: dict[str, Callable[[], object]] = {
        "flow": lambda: check(rows),
        "injection": lambda: [detectors.find_injection(one) for one in subjects],
        "repeated": lambda: [
            repeated.find(log_id, wires[at : at + piece.PACKETS])
            for at in range(0, PACKETS, piece.PACKETS)
        ],
        "sensitive": lambda: [detectors.find_sensitive(one) for one in subjects],
        "all, read and written": follow,
    }
    sides = [timed(work, time.process_time) for work in works.values()]
    stored, *each = interleaved(
        timed(lambda: store(items, sender), time.process_time), *sides, rounds=ROUNDS
    )
    for name, seconds in zip(works, each, strict=True):
        yield faster(
            f"findings of a packet, {name}",
            ours=seconds,
            baseline=stored,
            items=PACKETS,
            target=1 if name.startswith("all") else None,
        )


def store(items: Items, sender: Sender) -> None:
    body = b"\n".join(islice(items, PACKETS))
    assert len(list(receive.receive(ndjson.read([body]), sender=sender))) == PACKETS


def check(rows: list[piece._Row]) -> None:
    memory = flow.Memory()
    for row in rows:
        if conversation := memory.add(row.sent):
            flow.check(conversation)


def follow() -> None:
    """Make the findings of what was stored since the last time."""
    follower = Follower()
    while follower.step():
        pass
