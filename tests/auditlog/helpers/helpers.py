"""Helper processes for tests, and orders for them."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from auditlog.helpers.order import Order, write_order
from auditlog.helpers.pool import Pool
from auditlog.ingest.unread import Unread
from auditlog.log.draft import Draft
from auditlog.sender import Sender
from tests.benchmarks import corpus

NOW = datetime(2026, 11, 23, 10, tzinfo=UTC)
PATIENCE = 60
"""Seconds that a helper has for a start."""
BROKEN: list[bytes | None] = [
    b"{",
    b"[]",
    b'{"wire":1}',
    b'{"wire":"REQ/TSK|g=1","wire":"twice"}',
    b'{"wire":"\\ud800"}',
    b'{"wire":"\xff"}',
    b'{"wire":"REQ/TSK|g=1","sent_at":"yesterday","event_id":"late"}',
    b"[" * 100_000,
    b'{"wire":"' + b"|" * 50_000 + b'"}',
    None,
]
"""Lines that are refused, or that are hard to read."""


def lines(number: int) -> list[bytes | None]:
    """Return lines of a mixed log, and between them broken ones."""
    sent: list[bytes | None] = [
        json.dumps({"wire": one.wire, "from": one.sender}).encode()
        for one in corpus.mixed(number - len(BROKEN))
    ]
    step = len(sent) // len(BROKEN)
    for at, line in enumerate(BROKEN):
        sent.insert(at * step, line)
    return sent


def order(*items: bytes | None, logs: dict[str, int] | None = None) -> bytes:
    return write_order(
        Order(
            unread=Unread([*items], exported=True),
            sender=Sender(7, "bot", key_id="k"),
            strict=False,
            received=NOW,
            logs={"default": 1} if logs is None else logs,
        )
    )


def masked(made: object) -> object:
    """Return a draft without what is random."""
    if not isinstance(made, Draft):
        return made
    return msgspec.structs.replace(made, uid="", seed=b"", commit=b"")


@contextmanager
def started(folder: Path, size: int = 1) -> Iterator[Pool]:
    """Helpers that are ready."""
    pool = Pool(size, folder)
    try:
        assert pool.submit(order()) is None, "they have only begun to start"
        wait_for(lambda: pool.ready == size)
        yield pool
    finally:
        pool.close()
        wait_for(lambda: not pool.processes)


def wait_for(state: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not state():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    """Return whether a process runs, and is not only waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
