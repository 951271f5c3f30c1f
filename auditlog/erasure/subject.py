"""Erase everything that a search finds, such as all packets about one person.

The search is pinned to a size of the log, so the preview and the erasure are of the same packets,
and packets that arrive meanwhile need a search of their own. Each batch is a transaction. Erased
packets are not found again, so after a kill the same order continues with the rest.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditlog.erasure import erase as erasing
from auditlog.erasure.erase import BadErasure, Order
from auditlog.models import Log
from auditlog.search.find import find_leaves
from auditlog.search.saved import pin
from auditlog.search.saved.pin import Pin

LIMIT = 1_000_000
"""Packets that one search may erase."""
SHOWN = 20
"""Packets of a preview."""


class Changed(BadErasure):
    """The search finds other packets than in the preview. Nothing was erased."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(
            f"This search finds {found:,} packets now. The preview had {expected:,}. "
            "Nothing was erased. Check the preview again."
        )


class Preview(NamedTuple):
    """What a search finds in a log of this size: the number of packets, and the newest leaves."""

    size: int
    number: int
    leaves: Sequence[int]


class Progress(NamedTuple):
    """How many packets are erased, of how many."""

    done: int
    total: int


def preview(log: Log, query: str, *, size: int | str | None = None) -> Preview:
    """Return what would be erased. Raises BadErasure, QueryError, and BadPin."""
    if not query.strip():
        raise BadErasure("Enter a search. An empty one would erase the whole log.")
    held = pin.read(log, pin.find_size(log) if size is None else size)
    leaves = _find(log, query, held, LIMIT + 1)
    if len(leaves) > LIMIT:
        raise BadErasure(f"This search finds more packets than the limit of {LIMIT:,}.")
    return Preview(held.size, len(leaves), leaves[:SHOWN])


def run(
    *,
    log: Log,
    query: str,
    size: int,
    order: Order,
    expected: int | None = None,
    limit: int | None = None,
) -> Iterator[Progress]:
    """Erase what a search found when the log had ``size`` leaves, batch by batch; at most ``limit``
    packets.

    Raises Changed before the first batch if it does not find the ``expected`` number of packets,
    and what `preview` and `erase` raise.
    """
    erasing.check(order)
    total = preview(log, query, size=size).number
    if expected is not None and total != expected:
        raise Changed(expected, total)
    held, done = pin.read(log, size), 0
    most = total if limit is None else min(total, limit)
    yield Progress(0, total)
    while done < most:
        leaves = _find(log, query, held, min(erasing.TOGETHER, most - done))
        if not leaves:
            break  # Somebody else erased the rest.
        erasing.erase(log=log, leaves=leaves, order=order)
        done += len(leaves)
        yield Progress(done, total)


def _find(log: Log, query: str, held: Pin, limit: int) -> list[int]:
    return find_leaves(log, query, size=held.size, now=held.received, limit=limit)
