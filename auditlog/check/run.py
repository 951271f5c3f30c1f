"""A self-check of one log, from where it is: in pieces, each of which is stored with its faults.

First the leaves, tiles, checkpoints, and commitments, then the terms. It may end at any moment: the
next one continues after the last piece that was stored. Two processes never check one log together,
because a piece moves the position from where it began, or changes nothing.
"""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from auditlog.check import fault, results
from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.made.again import Again
from auditlog.check.rows import ends, leaves
from auditlog.check.table import SelfCheck
from auditlog.check.terms import readings
from auditlog.check.terms.readings import PIECE, Reader
from auditlog.check.tree import tiles
from auditlog.check.tree.checkpoints import Checkpoints
from auditlog.models import Log
from auditlog.tree import hashes
from auditlog.tree.growth import UNKNOWN
from cablese.tlog import frontier
from cablese.tlog.tile import HEIGHT, WIDTH, BadTile

STORE = 1.0
"""Seconds between two positions that are stored."""
Bar = Literal["leaves", "terms"]
BARS: dict[Bar, str] = {
    "leaves": "leaves, tiles, checkpoints, commitments",
    "terms": "readings and terms",
}


class Progress(NamedTuple):
    """How far a self-check is: leaves of a bar, of how many."""

    log: str
    bar: Bar
    done: int
    total: int


class Overtaken(Exception):
    """Another process checks the log."""


def ask(log: Log, *, full: bool) -> SelfCheck:
    """Have a self-check of a log begin, unless one is running or waits."""
    row, _ = SelfCheck.objects.get_or_create(log=log)
    if row.asked is None and (row.began is None or row.ended is not None):
        row.asked, row.full = datetime.now(UTC), full
        row.save(update_fields=["asked", "full"])
    return row


class Run:
    """A self-check that begins, or continues."""

    def __init__(self, row: SelfCheck) -> None:
        self._row = row
        self._facts = Facts(row.log)
        self.faults = Faults()
        self._stored = 0.0

    def steps(self) -> Iterator[Progress]:
        """Check, and yield how far it is. Raises Overtaken."""
        row = self._row
        if row.began is None or row.ended is not None or row.asked is not None:
            self._begin()
        self.faults = fault.read(row.faults, row.found)
        if row.leaves < row.size:
            yield from self._check_leaves()
        if row.full and row.terms < row.size:
            yield from self._check_terms()
        self._end()

    def _begin(self) -> None:
        row, now = self._row, datetime.now(UTC)
        size = ends.check(self._facts, self.faults)
        Checkpoints(self._facts).check_ends(self.faults)
        tiles.check_above(self._facts, size, self.faults)
        row.asked, row.began, row.ended, row.touched = None, now, None, now
        row.size, row.leaves, row.terms, row.skipped, row.result = size, 0, 0, 0, None
        row.faults, row.found = self.faults.number, self.faults.write()
        row.save()

    def _check_leaves(self) -> Iterator[Progress]:
        row, facts = self._row, self._facts
        checkpoints, tree = Checkpoints(facts), self._restore(row.leaves)
        newest = leaves.read_time(facts, row.leaves - 1) if row.leaves else ""
        low = row.leaves
        while low < row.size:
            high = min(row.size, low + WIDTH)
            found = leaves.check(facts, low, high, newest, self.faults)
            newest = found.newest
            if tree is not None:
                checkpoints.check(tree, found.hashes, self.faults)
            if high - low == WIDTH:
                root = tiles.check(facts, low // WIDTH, found.hashes, self.faults)
                if tree is not None:
                    tree.push(HEIGHT, root)
            low = high if any(one != UNKNOWN for one in found.hashes) else self._skip(high)
            self._store("leaves", low)
            yield Progress(facts.slug, "leaves", low, row.size)

    def _skip(self, low: int) -> int:
        """Return the first leaf of the next tile that has any."""
        found = leaves.find_next(self._facts.log_id, low)
        return self._row.size if found is None else max(low, found // WIDTH * WIDTH)

    def _restore(self, size: int) -> frontier.Frontier | None:
        """Return the tree over leaves that are checked; None if tiles of it are missing, which was
        found before.
        """
        try:
            return frontier.restore(size, hashes.reader(self._facts.log_id, size))
        except BadTile:
            return None

    def _check_terms(self) -> Iterator[Progress]:
        row, facts = self._row, self._facts
        reader, again = Reader(facts, row.size), Again(facts, row.terms, row.size)
        for _ in reader.prepare():
            yield Progress(facts.slug, "terms", row.terms, row.size)
        low = row.terms
        while low < row.size:
            high = min(row.size, low + PIECE)
            made = readings.make(facts, low, high)
            row.skipped += sum(one.entry is None for one in made)
            reader.check(low, high, made, self.faults)
            again.check(low, high, made, self.faults)
            if high == row.size:
                reader.finish(self.faults)
                again.finish(self.faults)
            low = high
            self._store("terms", low)
            yield Progress(facts.slug, "terms", low, row.size)

    def _store(self, bar: Bar, place: int) -> None:
        """Store how far it is, from time to time and at the end of a bar. Raises Overtaken."""
        row, now = self._row, time.monotonic()
        if now - self._stored < STORE and place < row.size:
            return
        self._stored = now
        here = SelfCheck.objects.filter(pk=row.pk, began=row.began, **{bar: getattr(row, bar)})
        setattr(row, bar, place)
        row.touched = datetime.now(UTC)
        moved = here.update(
            **{bar: place}, touched=row.touched, skipped=row.skipped,
            faults=self.faults.number, found=self.faults.write(),
        )  # fmt: skip
        if not moved:
            raise Overtaken

    def _end(self) -> None:
        row = self._row
        row.faults, row.found = self.faults.number, self.faults.write()
        row.result = results.record(row)
        row.ended = row.touched = datetime.now(UTC)
        row.save()
