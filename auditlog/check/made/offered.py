"""What completion offers, against the terms of the packets: fields, and values with their numbers.

The tables have limits, at which rare values go, and values that come later are not counted. So a
value may have fewer packets than counted here once its key had as many values as the limit, and
never more. What was erased takes its values along, but not the names of its fields. Memory is
bounded by the limits.
"""

from collections import defaultdict
from collections.abc import Iterable

from django.db import connection

from auditlog.check.fault import Faults
from auditlog.check.terms.readings import Made
from auditlog.search import index
from auditlog.search.completion import counts, values
from auditlog.search.keys import TERMS
from auditlog.search.terms import ATTRIBUTE

_VALUES = "SELECT key, value, packets FROM auditlog_searchvalue WHERE log_id = %s"
_FIELDS = "SELECT protocol, key FROM auditlog_searchkey WHERE log_id = %s"
_ROOM = 20_000
_MISSING = 1_000
"""Fields without a row that are remembered."""
_Values = dict[str, dict[str, int]]
"""Numbers of packets by key and value."""
_Field = tuple[str, str]
"""A protocol, and the name of a field of it."""


class Offered:
    """Counts the values of one log, and compares them."""

    def __init__(self, log_id: int) -> None:
        self._log_id = log_id
        stored = _read_values(log_id)
        self._counted: _Values = {key: dict.fromkeys(found, 0) for key, found in stored.items()}
        self._absent: defaultdict[str, set[str]] = defaultdict(set)
        """Values of packets that the table does not have."""
        self._fields = _read_fields(log_id)
        self._unseen = set(self._fields)
        self._missing: set[_Field] = set()
        self._shapes: set[tuple[str, tuple[str, ...]]] = set()
        self._is_comparable = True

    def add(self, made: Iterable[Made]) -> None:
        """Count packets. If the terms of one are of another version, nothing can be compared."""
        for leaf, entry in made:
            if entry is None:
                self._is_comparable = False
                continue
            self._see(entry.protocol, entry.terms.keys)
            self._see(ATTRIBUTE, entry.terms.attributes)
            for _, totals in counts.add_up([(self._log_id, leaf, entry.terms.tokens)]):
                for pair, number in totals.items():
                    self._count(pair, number)

    def compare(self, faults: Faults, *, erased: int) -> None:
        """Compare the rows. `erased` is the number of packets that were erased."""
        if not self._is_comparable:
            return
        self._compare_fields(faults, is_erased=bool(erased))
        stored, more = _read_values(self._log_id), erased * values.MOST
        room = counts.MAX_KEYS - len(stored.keys() - TERMS.keys()) - more
        has_room = room > 0 or self._had_room()
        for key in sorted(stored.keys() | self._counted.keys() | self._absent.keys()):
            found = stored.get(key, {})
            ever = len(found.keys() | self._absent[key]) + more
            is_whole = ever <= counts.MAX_VALUES and (key in TERMS or key in stored or has_room)
            if not self._agrees(key, found, is_whole=is_whole):
                faults.add("searchvalue", key, "values", "They differ from those of the packets.")

    def _had_room(self) -> bool:
        """Return whether the log never had more fields than the limit, so that values of each were
        counted. Names of fields stay when packets are erased.
        """
        names = {(protocol == ATTRIBUTE, key) for protocol, key in self._fields}
        return len(names) <= counts.MAX_KEYS

    def _agrees(self, key: str, found: dict[str, int], *, is_whole: bool) -> bool:
        """Return whether the values of a key may be as stored."""
        if is_whole and (counts.MARK in found or self._absent[key] - found.keys()):
            return False
        counted = self._counted.get(key, {})
        for value, number in counted.items():
            packets = found.get(value, 0)
            if value != counts.MARK and (packets > number or (is_whole and packets != number)):
                return False
        return True

    def _compare_fields(self, faults: Faults, *, is_erased: bool) -> None:
        stored = _read_fields(self._log_id)
        for protocol, key in sorted(self._missing - stored):
            if sum(each == protocol for each, _ in stored) < index.MAX_KEYS:
                faults.add("searchkey", f"{protocol}/{key}", "row", "A packet has this field.")
        if not is_erased:
            for protocol, key in sorted(self._unseen & stored):
                faults.add("searchkey", f"{protocol}/{key}", "row", "No packet has this field.")

    def _see(self, protocol: str, names: tuple[str, ...]) -> None:
        if not names or (protocol, names) in self._shapes:
            return
        if len(self._shapes) > _ROOM:
            self._shapes.clear()
        self._shapes.add((protocol, names))
        for name in names:
            for key in index.name_keys(protocol, name):
                self._unseen.discard((protocol, key))
                if (protocol, key) not in self._fields and len(self._missing) < _MISSING:
                    self._missing.add((protocol, key))

    def _count(self, pair: str, number: int) -> None:
        key, _, value = pair.partition(":")
        counted = self._counted.get(key)
        if counted is not None and value in counted:
            counted[value] += number
        elif len(self._absent) <= 2 * counts.MAX_KEYS or key in self._absent:
            absent = self._absent[key]
            if len(absent) <= counts.MAX_VALUES:
                absent.add(value)


def _read_values(log_id: int) -> _Values:
    found: _Values = {}
    with connection.cursor() as cursor:
        cursor.execute(_VALUES, (log_id,))
        for key, value, packets in cursor.fetchall():
            found.setdefault(key, {})[value] = packets
    return found


def _read_fields(log_id: int) -> set[_Field]:
    with connection.cursor() as cursor:
        cursor.execute(_FIELDS, (log_id,))
        return {(protocol, key) for protocol, key in cursor.fetchall()}
