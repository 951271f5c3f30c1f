"""Everything that is made of packets beside their rows and terms, made again in one walk.

Findings are compared piece by piece. In a long log, only those of some leaves in a row are, drawn
anew for each self-check, so that nobody knows them before.

The statistics and what completion offers are sums over all packets, so they are compared at the
end, in one snapshot of the database, after what came in meanwhile was added. They are left for the
next self-check if this one was interrupted, if a packet was erased meanwhile, or if packets come in
faster than they are added.
"""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection
from django.db.models import Max

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.made.counted import Counted
from auditlog.check.made.followed import Followed
from auditlog.check.made.offered import Offered
from auditlog.check.terms import readings
from auditlog.check.terms.readings import Made
from auditlog.findings.following.piece import Maker
from auditlog.models import Erasure, FindingPosition, Packet, RollupPosition
from auditlog.rollup import english, recount, stored
from auditlog.rollup.english import Described
from auditlog.rollup.stored import Stored

PIECE = 500
"""Packets that are added in the snapshot, at most."""
SUMMED = 250_000
"""Leaves of a log up to which its statistics and completion are compared. They and the findings
would take as long as everything else.
"""
DRAWN = 100_000
"""Leaves of a longer log whose findings are compared."""
_ROUNDS = 20
"""How often it adds what came in meanwhile, before it gives up."""
_BEGIN = {"sqlite": "BEGIN", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


def name_compared(size: int) -> str:
    """Return what a full self-check of so many leaves compares beside the leaves, in words."""
    if size <= SUMMED:
        return "search index, findings, and statistics"
    return f"search index and findings of {DRAWN:,} leaves"


class Again:
    """One walk over the packets of a log, from a leaf on."""

    def __init__(self, facts: Facts, low: int, size: int) -> None:
        self._facts = facts
        self._maker = Maker(facts.log_id)
        self._followed = Followed(facts)
        self._drawn = _draw(low, size)
        self._sums = None if low or size > SUMMED else _Sums(facts)

    def check(self, low: int, high: int, made: Sequence[Made], faults: Faults) -> None:
        """Check the packets of a range of leaves, whose terms were made."""
        if low < self._drawn.stop and high > self._drawn.start:
            found = self._followed.read(low, high)
            self._followed.check(found, self._maker.remake(low, high), faults)
        if self._sums is not None:
            self._sums.add(low, high, made)

    def finish(self, faults: Faults) -> None:
        """Compare what is known only after all packets."""
        self._followed.find_strays(faults)
        if self._sums is not None:
            self._sums.finish(faults)


class _Sums:
    """The statistics and completion."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._erased = _find_erased(facts.log_id)
        self._at = 0
        self._described = self._until = _read_followed(facts.log_id)
        """The first leaf whose English was not added, and up to which the walk adds it."""
        self._counted = Counted(facts.log_id, os.urandom(32))
        self._offered = Offered(facts.log_id)

    def add(self, low: int, high: int, made: Sequence[Made]) -> None:
        """Add the packets of a range, whose terms were made."""
        packets = list(_read(self._facts.log_id, low, high))
        self._counted.add(recount.tally_packets(packets))
        self._add_english([one for one in packets if one.leaf < self._until])
        self._offered.add(made)
        self._at = high

    def _add_english(self, packets: Sequence[Stored]) -> None:
        counts = stored.count_english(packets)
        self._counted.add(english.tally(list(map(Described, packets, counts))))

    def finish(self, faults: Faults) -> None:
        log_id = self._facts.log_id
        for _ in range(_ROUNDS):
            self._catch_up(self._facts.read_size(), _read_followed(log_id))
            with _snapshot():
                size, followed = self._facts.read_size(), _read_followed(log_id)
                if self._is_far(size, followed):
                    continue
                self._catch_up(size, followed)
                if self._is_comparable(followed):
                    self._compare(faults)
                return

    def _compare(self, faults: Faults) -> None:
        log_id = self._facts.log_id
        erased = Erasure.objects.filter(log_id=log_id).count()
        if not RollupPosition.objects.filter(pk=log_id).exists():
            self._counted.compare(faults, is_erased=bool(erased))
        self._offered.compare(faults, erased=erased)

    def _is_comparable(self, followed: int) -> bool:
        """Return whether nothing was taken back that was added here."""
        return followed >= self._until and _find_erased(self._facts.log_id) == self._erased

    def _is_far(self, size: int, followed: int) -> bool:
        """Return whether there is too much to add for a snapshot."""
        left = (self._at, size), (self._described, followed)
        return any(len(_find(self._facts.log_id, *one, PIECE + 1)) > PIECE for one in left)

    def _catch_up(self, size: int, followed: int) -> None:
        """Add the packets up to `size`, and the English of those up to `followed`."""
        log_id = self._facts.log_id
        for low, high in _cut(log_id, self._at, size):
            self._counted.add(recount.tally_packets(_read(log_id, low, high)))
            self._offered.add(readings.make(self._facts, low, high))
        for low, high in _cut(log_id, self._described, followed):
            self._add_english(list(_read(log_id, low, high)))
        self._at, self._described = max(self._at, size), max(self._described, followed)


def _draw(low: int, size: int) -> range:
    """Return the leaves from one on whose findings are compared: all of them, if they are few."""
    if size <= SUMMED:
        return range(low, size)
    start = low + secrets.randbelow(max(0, size - low - DRAWN) + 1)
    return range(start, start + DRAWN)


def _cut(log_id: int, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of leaves that have some packets each. A size that was changed has none."""
    while leaves := _find(log_id, low, high, readings.PIECE):
        low = leaves[-1] + 1
        yield leaves[0], low


def _read(log_id: int, low: int, high: int) -> Iterator[Stored]:
    """Yield the packets of a range of leaves."""
    while low < high:
        found, low = stored.read(log_id, low, high, readings.PIECE)
        yield from found


def _find(log_id: int, low: int, high: int, most: int) -> list[int]:
    """Return the leaves of the first packets of a range."""
    found = Packet.objects.filter(log_id=log_id, leaf__gte=low, leaf__lt=high)
    return list(found.order_by("leaf").values_list("leaf", flat=True)[:most])


@contextmanager
def _snapshot() -> Iterator[None]:
    """Read everything from one state of the database. Writers go on, as `atomic` on SQLite would
    not let them.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def _read_followed(log_id: int) -> int:
    """Return up to which leaf the English of packets is counted."""
    return FindingPosition.objects.filter(pk=log_id).values_list("leaf", flat=True).first() or 0


def _find_erased(log_id: int) -> int:
    """Return the leaf of the newest erasure."""
    found = Erasure.objects.filter(log_id=log_id).aggregate(newest=Max("leaf"))["newest"]
    return -1 if found is None else int(found)
