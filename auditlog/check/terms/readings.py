"""The search index against the terms of packets, made again from their stored readings.

The readings themselves are committed to, and were compared with the leaves before.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.terms.vocabulary import Stored
from auditlog.database import damage
from auditlog.log import reindex
from auditlog.models import Packet
from auditlog.search import index, terms

FOLDER = "selfcheck"
PIECE = 64
"""Packets that are read at a time, because they may be long."""


class Made(NamedTuple):
    """The tokens that a packet should have; none for one whose terms are of another version."""

    leaf: int
    entry: index.Entry | None


def make(facts: Facts, low: int, high: int) -> list[Made]:
    """Return the terms of the packets of a range of leaves."""
    keys = Packet.objects.filter(log_id=facts.log_id, leaf__gte=low, leaf__lt=high)
    places = [(facts.log_id, leaf) for leaf in keys.values_list("leaf", flat=True)]
    found = damage.load(places)
    return [Made(leaf, _make(found.get((log_id, leaf)))) for log_id, leaf in places]


def _make(packet: Packet | None) -> index.Entry | None:
    if packet is None or packet.terms_version != terms.VERSION or packet.damage:
        return None
    same = terms.same(packet.log_id, bytes(packet.wire))
    try:
        made = reindex.terms_of(packet)
    except Exception:  # noqa: BLE001 - what a changed row raises; it differs from its leaf
        return None
    return index.Entry(packet.log_id, packet.leaf, packet.protocol, made, same)


class Reader:
    """Compares what the index has, of one log."""

    def __init__(self, facts: Facts, size: int) -> None:
        self._facts = facts
        self._size = size
        self._stored: Stored | None = None

    def prepare(self) -> Iterator[None]:
        """Read the index of SQLite, in steps."""
        if connection.vendor == "sqlite":
            path = settings.DATA / FOLDER / f"{self._facts.slug}.terms"
            self._stored = Stored(path, self._size)
            yield from self._stored.read(self._facts.log_id, self._size)

    def check(self, low: int, high: int, made: list[Made], faults: Faults) -> None:
        """Compare the packets of a range of leaves with their terms, see `make`."""
        if self._stored is not None:
            self._check_sums(self._stored, low, high, made, faults)
        else:
            self._check_vectors(low, high, made, faults)

    def finish(self, faults: Faults) -> None:
        """Find terms that belong to no leaf, and forget what was read."""
        if self._stored is not None:
            if self._stored.last >= self._size:
                self._check_stray(self._stored.last, faults)
            self._stored.close()
            self._stored = None

    def _check_sums(
        self, stored: Stored, low: int, high: int, made: list[Made], faults: Faults
    ) -> None:
        without = set(range(low, high))
        for leaf, entry in made:
            without.discard(leaf)
            if entry is None:
                continue
            tokens = index.make_text(entry).split(" ")
            if stored.sums.of_packet(tokens) != stored.numbers[leaf]:
                faults.add("search", leaf, "terms", _DIFFERENT)
        for leaf in sorted(without):
            if stored.numbers[leaf] and not self._facts.is_erased(leaf):
                faults.add("search", leaf, "terms", _STRAY)

    def _check_stray(self, leaf: int, faults: Faults) -> None:
        if not Packet.objects.filter(log_id=self._facts.log_id, leaf=leaf).exists():
            faults.add("search", leaf, "terms", _STRAY)

    def _check_vectors(self, low: int, high: int, made: list[Made], faults: Faults) -> None:
        entries = [entry for _, entry in made if entry is not None]
        with connection.cursor() as cursor:
            if entries:
                places = ", ".join(["(%s::bigint, %s::tsvector)"] * len(entries))
                values = [
                    one for entry in entries for one in (entry.leaf, index.make_vector(entry))
                ]
                cursor.execute(_COMPARE.format(places), (*values, self._facts.log_id))
                for (leaf,) in cursor.fetchall():
                    faults.add("search", leaf, "terms", _DIFFERENT)
            cursor.execute(_STRAYS, (self._facts.log_id, low, high))
            for (leaf,) in cursor.fetchall():
                faults.add("search", leaf, "terms", _STRAY)


_DIFFERENT = "The terms in the search index differ from those of the packet."
_STRAY = "The search index has terms for a packet that does not exist."
_COMPARE = """\
SELECT v.leaf FROM (VALUES {}) AS v (leaf, terms)
LEFT JOIN auditlog_search s ON s.log_id = %s AND s.leaf = v.leaf
WHERE s.terms IS DISTINCT FROM v.terms ORDER BY 1"""
_STRAYS = """\
SELECT leaf FROM auditlog_search s WHERE log_id = %s AND leaf >= %s AND leaf < %s
AND NOT EXISTS (SELECT 1 FROM auditlog_packet p WHERE p.log_id = s.log_id AND p.leaf = s.leaf)"""
