"""What an evidence pack is about: packets that a query finds, or every leaf of a range.

A goal, a conversation, and a range of leaves are queries: `goal:42`, `thread:42/1`, `leaf:7..9`.
Only a range can be complete, because a tree proves what is in it, and not what else a query finds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import merge
from itertools import chain, islice

from auditlog.erasure import find as erasures
from auditlog.export import pieces
from auditlog.models import Leaf, Log
from auditlog.search import find
from auditlog.search.query import Clause, Key, Range, Text, parse
from auditlog.search.saved import pin

KINDS = ("raw", "index", "reading", "event", "by")
"""The openings of a packet, which an exporter can withhold."""
_DIGITS = 16
_TOGETHER = 1_000


@dataclass(frozen=True)
class Selection:
    """What a query finds of a log when it had ``at`` leaves, and which openings are withheld.

    ``now`` is the time from which the query counts.
    """

    log: Log
    query: str
    at: int
    now: datetime
    withheld: frozenset[str] = frozenset()

    @property
    def range(self) -> tuple[int, int] | None:
        """Return the first and the last leaf, if the query is a range of leaves and no more."""
        found = _read_range(self.query)
        if found is None or found[0] > found[1] or found[0] >= self.at:
            return None
        return found[0], min(found[1], self.at - 1)

    def count(self) -> int:
        """Return the number of packets, of a range with the erased ones."""
        if self.range is None:
            return sum(map(len, self._found()))
        leaves = Leaf.objects.filter(log=self.log, index__range=self.range, kind="packet")
        return leaves.count()

    def count_erased(self) -> int:
        """Return how many packets of a range were erased; 0 for a search, which finds none of
        them.
        """
        if self.range is None:
            return 0
        first, last = self.range
        return erasures.count(self.log, first, last + 1)

    def packets(self) -> Iterator[list[int]]:
        """Return the leaves of the packets in order, many at a time; of a range all its leaves."""
        if self.range is None:
            leaves: Iterator[int] = chain.from_iterable(self._found())
        else:
            leaves = iter(range(self.range[0], self.range[1] + 1))
        return _group(leaves)

    def leaves(self, others: Iterable[int]) -> Iterator[list[int]]:
        """Return the leaves of the pack in order, many at a time. ``others`` are in order too."""
        first, last = self.range or (0, -1)
        outside = (leaf for leaf in others if not first <= leaf <= last)
        return _group(merge(chain.from_iterable(self.packets()), outside))

    def _found(self) -> Iterator[list[int]]:
        return pieces.Extent(self.log, self.query, -1, self.at, self.now).leaves()


def begin(
    log: Log, query: str, *, at: int | str | None = None, withheld: Iterable[str] = ()
) -> Selection:
    """Return a selection of a log as it is, or as it was at a size. Raises QueryError and BadPin.

    It is always pinned, so that the same pack can be written again.
    """
    if at is None and not (at := pin.find_size(log)):
        raise pin.BadPin(f"Log {log.slug} is empty, so it has nothing to prove.")
    held = pin.read(log, at)
    find.check(log, query, now=held.received, pin=held)
    unknown = set(withheld) - set(KINDS)
    assert not unknown, f"packets have no such openings: {unknown}"
    return Selection(log, query, held.size, held.received.astimezone(UTC), frozenset(withheld))


def _group(leaves: Iterator[int]) -> Iterator[list[int]]:
    while some := list(islice(leaves, _TOGETHER)):
        yield some


def _read_range(query: str) -> tuple[int, int] | None:
    match parse(query):
        case Clause(Key("leaf"), Range(str(low), str(high), open_low=False, open_high=False)):
            pass
        case Clause(Key("leaf"), Text(low, prefix=False)):
            high = low
        case _:
            return None
    if not all(text.isdecimal() and len(text) <= _DIGITS for text in (low, high)):
        return None
    return int(low), int(high)
