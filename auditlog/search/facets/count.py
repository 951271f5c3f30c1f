"""Count the facets and the histogram of the newest packets that a query finds, within a limit of
packets and a limit of time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from auditlog.models import Log
from auditlog.search.facets import histogram, times
from auditlog.search.facets.edit import QueryText
from auditlog.search.facets.shapes import Facets
from auditlog.search.facets.tally import Tally
from auditlog.search.find import find_leaves

LIMIT = 10_000
"""Packets that are counted, the newest."""
BUDGET = 0.165
"""Seconds in which packets are read, so that a page has its facets in 0.2 s."""
_FIRST, _PIECE = 500, 1_000
"""Packets that are read at a time: at first, and at most."""
Clock = Callable[[], float]


def count(
    log: Log,
    text: str,
    *,
    now: datetime,
    size: int | None = None,
    limit: int = LIMIT,
    budget: float = BUDGET,
    clock: Clock = time.monotonic,
) -> Facets:
    """Count what a query finds in a log, or found when the log had ``size`` leaves.

    Raises QueryError. The first piece of packets is read however long that takes.
    """
    begun = clock()
    end = begun + budget
    query = QueryText(text)
    size = log.end.size if size is None else size
    leaves = find_leaves(log, text, size=size, now=now, limit=limit + 1)
    tally, done = Tally(), 0
    for piece in _cut(leaves[:limit], budget, clock):
        tally.add(log, piece)
        done += len(piece)
        before, begun = begun, clock()
        if begun + (begun - before) >= end:  # the next piece takes as long
            break
    exact = done == len(leaves)
    start, until = times.find_range(query.times, now) if exact else (None, None)
    drawn = histogram.draw(tally.received, start, until)
    return Facets(len(tally.received), exact, tuple(tally.facets()), drawn)


def _cut(leaves: Sequence[int], budget: float, clock: Clock) -> Iterator[Sequence[int]]:
    """Yield the leaves in pieces: longer ones as long as each takes little of the time."""
    at, number = 0, _FIRST
    while at < len(leaves):
        begun = clock()
        yield leaves[at : at + number]
        at += number
        took = clock() - begun
        if 8 * took < budget:
            number = min(2 * number, _PIECE)
        elif 4 * took > budget:
            number = max(number // 2, 1)
