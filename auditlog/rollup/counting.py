"""Add packets to the rollup, and subtract them again, in the transaction of the caller.

A packet is counted under several dimensions, each for its day and its month, and for its source and
all sources together. So a year by sender is read from twelve rows a sender, not from 365 a sender
and source.

    all                 every packet
    protocol, act       of the packet
    from, to            sender and recipient, of the packet and its metadata
    source              by ID, for all sources together only

Names come from agents. So a day has at most 500 senders of a source, and a month 2,000; others
count as `values.OTHER`. A row stays when nothing is left in it: a value keeps its place, and what
was added to a row is subtracted from it.

Rows are written in the order of their keys, so that transactions never deadlock.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from auditlog.log import bulk_insert
from auditlog.rollup.tally import COUNTERS, Tally, unpack
from auditlog.rollup.values import NONE, OTHER

DAY, MONTH = "d", "m"
ALL_SOURCES = 0
ALL = "all"
MOST = {DAY: 500, MONTH: 2_000}
"""Values of a dimension that come from agents, in one period of one source."""
OPEN = frozenset({"from", "to"})
"""The dimensions whose values come from agents."""
_KEY = ("log_id", "dimension", "source", "period", "start", "value")


class Owner(NamedTuple):
    """What the number of values is limited in."""

    log_id: int
    dimension: str
    source: int
    period: str
    start: str


_Rows = dict[Owner, dict[str, int]]
"""Packed counters by row."""
_Row = tuple[int | str, ...]
_Names = dict[Owner, set[str]]
_known: _Names = {}
"""Values that have rows, as far as this process knows."""
_ROOM = 500


def add(cursor: CursorWrapper, tally: Tally) -> None:
    """Count the packets of a tally."""
    _write(cursor, tally, 1)


def subtract(cursor: CursorWrapper, tally: Tally) -> None:
    """Undo `add`."""
    _write(cursor, tally, -1)


def forget() -> None:
    """Forget which values have rows, because the rows are others."""
    _known.clear()


def _write(cursor: CursorWrapper, tally: Tally, sign: int) -> None:
    rows, columns = _spread(cursor, tally), tally.counters
    values: list[_Row] = [
        (*owner, value, *[sign * count for count in unpack(packed, columns)])
        for owner, of_values in sorted(rows.items())
        for value, packed in sorted(of_values.items())
    ]
    if values:
        _upsert(cursor, columns, values)


def _spread(cursor: CursorWrapper, tally: Tally) -> _Rows:
    """Return the rows that a tally is added to."""
    rows: _Rows = {}
    fresh: _Names = {}
    for (log_id, day, source), dimension, sums in tally.items():
        month = f"{day[:7]}-01"
        for each in (ALL_SOURCES,) if dimension == "source" else (source, ALL_SOURCES):
            for period, start in ((DAY, day), (MONTH, month)):
                owner = Owner(log_id, dimension, each, period, start)
                limited = _limit(cursor, owner, sums, fresh) if dimension in OPEN else sums
                into = rows.setdefault(owner, {})
                for value, packed in limited.items():
                    into[value] = into.get(value, 0) + packed
    # After a rollback, names have no rows and would take the places of others.
    cursor.db.on_commit(lambda: _remember(fresh))
    return rows


def _remember(fresh: _Names) -> None:
    for owner, names in fresh.items():
        _known.setdefault(owner, set()).update(names)


def _limit(
    cursor: CursorWrapper, owner: Owner, sums: dict[str, int], fresh: _Names
) -> dict[str, int]:
    """Return the sums, with those of names beyond the limit under `OTHER`. Names that get a row now
    are added to ``fresh``.
    """
    new, known = fresh.setdefault(owner, set()), _known.get(owner, set())
    missing = sums.keys() - known - new - {OTHER, NONE}
    if not missing:
        return sums
    if _room(owner, known, new) > 0:
        known = _load(cursor, owner)  # Another process may have added some.
        missing -= known
    new.update(sorted(missing)[: max(0, _room(owner, known, new))])
    limited: dict[str, int] = {}
    for value, packed in sums.items():
        place = OTHER if value in missing and value not in new else value
        limited[place] = limited.get(place, 0) + packed
    return limited


def _room(owner: Owner, known: set[str], new: set[str]) -> int:
    return MOST[owner.period] - len(known) - len(new - known)


def _load(cursor: CursorWrapper, owner: Owner) -> set[str]:
    if len(_known) >= _ROOM:
        _known.clear()
    cursor.execute(
        "SELECT value FROM auditlog_rollup WHERE log_id = %s AND dimension = %s AND source = %s"
        " AND period = %s AND start = %s AND value NOT IN (%s, %s)",
        (*owner, OTHER, NONE),
    )
    # Those that this transaction adds are not there yet.
    known = _known.setdefault(owner, set())
    known.update(value for (value,) in cursor.fetchall())
    return known


def _upsert(cursor: CursorWrapper, columns: tuple[str, ...], rows: Sequence[_Row]) -> None:
    if cursor.db.vendor == "sqlite":
        # Straight to the driver: Django would look for its own kind of placeholder each time.
        with cursor.db.wrap_database_errors:
            for part in bulk_insert.cut(len(rows), len(rows[0])):
                statement = _statement(columns, part.stop - part.start)
                cursor.db.connection.execute(statement, [*chain.from_iterable(rows[part])])
    else:
        cursor.execute(_statement(columns), [*map(list, zip(*rows, strict=True))])


@lru_cache(maxsize=256)
def _statement(columns: tuple[str, ...], rows: int | None = None) -> str:
    """Return the statement for so many rows; without a number, for the array of each column."""
    others = [name for name in COUNTERS if name not in columns]
    if rows is None:
        arrays = ", ".join([f"%s::{_TYPES.get(name, 'bigint')}[]" for name in (*_KEY, *columns)])
        zeros = ", 0" * len(others)
        values = f"SELECT t.*{zeros} FROM unnest({arrays}) AS t"  # noqa: S608
    else:
        places = ["?"] * (len(_KEY) + len(columns)) + ["0"] * len(others)
        values = "VALUES " + ", ".join([f"({', '.join(places)})"] * rows)
    sums = ", ".join(f"{name} = auditlog_rollup.{name} + excluded.{name}" for name in columns)
    return (
        f"INSERT INTO auditlog_rollup ({', '.join((*_KEY, *columns, *others))}) {values}"
        f" ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET {sums}"
    )


_TYPES = {"dimension": "varchar", "period": "varchar", "start": "date", "value": "varchar"}
"""The types of columns, unless they are numbers."""
