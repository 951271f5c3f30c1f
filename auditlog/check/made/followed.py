"""The findings of packets against those that the detectors make again.

Two things that the packets do not tell decide what was found. If an earlier packet was erased, a
packet may have repeated it, or belong to its conversation. And a conversation goes back
`flow.HORIZON` leaves, or to where the follower was started within them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.findings import flow
from auditlog.findings.following.piece import Maker
from auditlog.findings.versions import name_versions
from auditlog.models import Erasure, Finding, FindingPosition, Packet

_STRAYS = """\
SELECT f.leaf FROM auditlog_finding f
JOIN auditlog_findingposition p ON p.log_id = f.log_id
WHERE f.log_id = %s AND (f.leaf < 0 OR f.leaf >= p.leaf) ORDER BY 1 LIMIT 1"""
_READ = """\
SELECT leaf, detector, number, version, code, part, start, "end", other
FROM auditlog_finding WHERE log_id = %s AND leaf >= %s AND leaf < %s"""
_RESTARTS = 10
"""Packets whose conversation is read again, as a follower does that starts there."""
Row = tuple[Any, ...]
_DETECTOR, _OTHER = 1, 8


class _Reached(NamedTuple):
    """The leaves that have findings of the newest detectors: those before `leaf`, but for those
    from `again` up to `until`.
    """

    leaf: int
    again: int
    until: int

    def has(self, leaf: int) -> bool:
        return leaf < self.leaf and not self.again <= leaf < self.until


class Followed:
    """Compares the findings of one log."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._reached = _find_reached(facts.log_id)
        self._restarts = 0

    def read(self, low: int, high: int) -> set[Row]:
        """Return the rows of a range of leaves: before they are made again, because a packet may be
        erased meanwhile.
        """
        with connection.cursor() as cursor:
            cursor.execute(_READ, (self._facts.log_id, low, high))
            return {row for row in cursor.fetchall() if self._reached.has(row[0])}

    def check(self, stored: set[Row], made: Iterable[Row], faults: Faults) -> None:
        """Compare what `read` gave with rows that were made again."""
        expected = {row[1:] for row in made if self._reached.has(row[1])}
        differing = {row[:2] for row in stored ^ expected}
        for leaf, detector in sorted(differing):
            wrong = {row for row in stored ^ expected if row[:2] == (leaf, detector)}
            if not self._is_explained(leaf, detector, wrong - expected, wrong - stored):
                faults.add("finding", leaf, detector, "It is not what the detector finds.")

    def find_strays(self, faults: Faults) -> None:
        """Find findings of leaves that have none yet."""
        with connection.cursor() as cursor:
            cursor.execute(_STRAYS, (self._facts.log_id,))
            for (leaf,) in cursor.fetchall():
                faults.add("finding", leaf, "row", "No findings were made for this leaf yet.")

    def _is_explained(self, leaf: int, detector: str, extra: set[Row], missing: set[Row]) -> bool:
        """Return whether rows may differ without being wrong: `extra` ones are stored, and
        `missing` ones were made again.
        """
        log_id = self._facts.log_id
        if not Packet.objects.filter(log_id=log_id, leaf=leaf).exists():
            return not Finding.objects.filter(log_id=log_id, leaf=leaf).exists()
        if detector == "repeated":
            others = [row[_OTHER] for row in extra]
            return bool(others) and all(_is_erased(log_id, one, one) for one in others)
        if detector == "flow":
            return _is_erased(log_id, leaf - flow.HORIZON, leaf) or self._is_of_restart(
                leaf, extra, missing
            )
        return False

    def _is_of_restart(self, leaf: int, extra: set[Row], missing: set[Row]) -> bool:
        """Return whether a follower that starts at this leaf finds what is stored."""
        self._restarts += 1
        if self._restarts > _RESTARTS:
            return False
        rows = Maker(self._facts.log_id).remake(leaf, leaf + 1)
        made = {row[1:] for row in rows if row[1 + _DETECTOR] == "flow"}
        return extra <= made and made.isdisjoint(missing)


def _find_reached(log_id: int) -> _Reached:
    row = FindingPosition.objects.filter(pk=log_id, versions=name_versions()).first()
    if row is None:
        return _Reached(0, 0, 0)
    if row.again is None or row.until is None:
        return _Reached(row.leaf, 0, 0)
    return _Reached(row.leaf, row.again, row.until)


def _is_erased(log_id: int, first: int | None, last: int | None) -> bool:
    """Return whether one of the packets from `first` to `last` was erased."""
    if first is None or last is None:
        return False
    return Erasure.objects.filter(log_id=log_id, packet_leaf__range=(first, last)).exists()
