"""How many packets of a log have a value, counted in the writer's transaction.

Of the first packets of a log, each is counted. After them, one in 61 is, for 61, so that counting
costs little when it would cost most: which one depends on its leaf alone, so a packet can be taken
back and a table can be made again.

The packets of a batch are added up here and cost one statement. What the table may hold is
bounded: so many keys a log, and so many values a key. At the limit, a key loses the rarer half of
its values, so that new goals and tags still come in. If nearly all values were seen once, they are
IDs of some kind: the key keeps the others and is full.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from auditlog.log import bulk_insert
from auditlog.search.completion import values
from auditlog.search.keys import TERMS

FIRST = 2_000
"""Packets of a log that are all counted."""
EVERY = 61
"""After them, one packet in so many is counted. A prime, because logs may repeat themselves."""
MAX_KEYS = 200
"""The limit of keys with values per log, beside our own terms."""
MAX_VALUES = 2_000
"""The limit of values per log and key."""
NOISE = 0.9
"""The share of values that were seen once, from which on a key is full."""
MARK = ""
"""The value whose row says that a key is full."""
Found = tuple[int, int, str]
"""A packet's log ID, leaf, and tokens."""
Row = tuple[str, str, int]
"""A key, a value, and a number of packets."""


class _Key(NamedTuple):
    """What is known of a key: at most how many values it has, and, if it is full, which."""

    rows: int
    only: frozenset[str] | None = None


# What the table contains, by log and key, so that a batch asks for nothing. Other processes write
# too: `rows` is counted again before anything is deleted.
_known: dict[int, dict[str, _Key]] = {}
# Values that are in the table. Those that were forgotten are taken for new ones, which has the rows
# counted again.
_seen: set[tuple[int, str, str]] = set()
_ROOM = 20_000


def is_counted(leaf: int) -> bool:
    """Return whether the packet with this leaf is one of those that are counted."""
    return leaf < FIRST or leaf % EVERY == 0


def add(cursor: CursorWrapper, found: Iterable[Found]) -> None:
    """Count the values of new packets. Must be called inside `transaction.atomic`, by the process
    that holds the ends of their logs.
    """
    for log_id, totals in add_up(found):
        known = _known.get(log_id)
        if known is None:
            known = _load(cursor, log_id)
        rows = _choose(totals, known)
        _write(cursor, log_id, rows)
        fresh = Counter(row[0] for row in rows if (log_id, *row[:2]) not in _seen)
        after = {
            key: _Key(number + (known[key].rows if key in known else 0))
            for key, number in fresh.items()
            if key not in known or known[key].only is None
        }
        for key, state in after.items():
            if state.rows > MAX_VALUES:
                after[key] = _trim(cursor, log_id, key, min(totals.values()))
        _remember_later(cursor, log_id, known, after, rows)


def subtract(cursor: CursorWrapper, found: Iterable[Found]) -> None:
    """Take back what `add` counted for packets that are erased."""
    for log_id, totals in add_up(found):
        rows = [(*pair.partition(":"), number) for pair, number in sorted(totals.items())]
        cursor.executemany(
            f"UPDATE auditlog_searchvalue SET packets = packets - %s {_WHERE}",  # noqa: S608
            [(number, log_id, key, value) for key, _, value, number in rows],
        )
        cursor.executemany(
            f"DELETE FROM auditlog_searchvalue {_WHERE} AND packets <= 0",  # noqa: S608
            [(log_id, key, value) for key, _, value, _ in rows],
        )


def clear(cursor: CursorWrapper) -> None:
    """Delete all counts, before all packets are counted again."""
    cursor.execute("DELETE FROM auditlog_searchvalue")
    cursor.db.on_commit(forget)


def forget() -> None:
    """Forget what the table contains."""
    _known.clear()
    _seen.clear()


def add_up(found: Iterable[Found]) -> list[tuple[int, Counter[str]]]:
    """Return how many packets have each value, by log, in the order of the logs."""
    totals: dict[int, Counter[str]] = {}
    for log_id, leaf, tokens in found:
        if is_counted(leaf):
            total = totals.setdefault(log_id, Counter())
            for pair in values.read(tokens):
                total[pair] += 1 if leaf < FIRST else EVERY
    return sorted(totals.items())


def _choose(totals: Mapping[str, int], known: Mapping[str, _Key]) -> list[Row]:
    """Return the rows to add, always in the same order, so that two writers never deadlock."""
    room = MAX_KEYS - len(known.keys() - TERMS.keys())
    rows: list[Row] = []
    new: set[str] = set()
    for pair, number in sorted(totals.items()):
        key, _, value = pair.partition(":")
        state = known.get(key)
        if state is None and key not in TERMS and key not in new:
            if len(new) >= room:
                continue
            new.add(key)
        if state is None or state.only is None or value in state.only:
            rows.append((key, value, number))
    return rows


_ADD = """\
INSERT INTO auditlog_searchvalue (log_id, key, value, packets) {rows}
ON CONFLICT (log_id, key, value) DO UPDATE
SET packets = auditlog_searchvalue.packets + excluded.packets"""
_ADD_ALL = _ADD.format(
    rows="SELECT %s, t.* FROM unnest(%s::varchar[], %s::varchar[], %s::bigint[]) AS t"
)
"""One answer of the server for all rows."""


def _write(cursor: CursorWrapper, log_id: int, rows: Sequence[Row]) -> None:
    if cursor.db.vendor == "sqlite":
        # Straight to the driver: Django would look for its own kind of placeholder each time.
        with cursor.db.wrap_database_errors:
            for part in bulk_insert.cut(len(rows), 4):
                added = [value for row in rows[part] for value in (log_id, *row)]
                cursor.db.connection.execute(_add_some(part.stop - part.start), added)
    elif rows:
        cursor.execute(_ADD_ALL, (log_id, *map(list, zip(*rows, strict=True))))


@cache
def _add_some(rows: int) -> str:
    return _ADD.format(rows="VALUES " + ", ".join(["(?, ?, ?, ?)"] * rows))


_WHERE = "WHERE log_id = %s AND key = %s AND value = %s"
_OF_KEY = "FROM auditlog_searchvalue WHERE log_id = %s AND key = %s"


def _trim(cursor: CursorWrapper, log_id: int, key: str, once: int) -> _Key:
    """Delete the rare values of a key that has more than the limit. Values of ``once`` packets were
    seen once. Return what is known now.
    """
    cursor.execute(
        f"SELECT COUNT(*), SUM(CASE WHEN packets <= %s THEN 1 ELSE 0 END), MIN(value) {_OF_KEY}",
        (once, log_id, key),
    )
    rows, rare, least = cursor.fetchone()
    if least == MARK:
        return _read_full(cursor, log_id, key)  # Another process has found it full.
    if rows <= MAX_VALUES:
        return _Key(rows)
    if rare < NOISE * rows:
        cursor.execute(
            f"DELETE {_OF_KEY} AND value IN (SELECT value {_OF_KEY} "
            "ORDER BY packets, value LIMIT %s)",
            (log_id, key, log_id, key, rows - MAX_VALUES // 2),
        )
        return _Key(MAX_VALUES // 2)
    cursor.execute(f"DELETE {_OF_KEY} AND packets <= %s", (log_id, key, once))
    cursor.execute(
        "INSERT INTO auditlog_searchvalue (log_id, key, value, packets) VALUES (%s, %s, %s, 0)",
        (log_id, key, MARK),
    )
    return _read_full(cursor, log_id, key)


def _load(cursor: CursorWrapper, log_id: int) -> dict[str, _Key]:
    """Return what the table has of a log."""
    cursor.execute(
        "SELECT key, COUNT(*), MIN(value) FROM auditlog_searchvalue WHERE log_id = %s GROUP BY key",
        (log_id,),
    )
    return {
        key: _read_full(cursor, log_id, key) if least == MARK else _Key(rows)
        for key, rows, least in cursor.fetchall()
    }


def _read_full(cursor: CursorWrapper, log_id: int, key: str) -> _Key:
    cursor.execute(f"SELECT value {_OF_KEY} AND value > ''", (log_id, key))
    only = frozenset(value for (value,) in cursor.fetchall())
    return _Key(len(only), only)


def _remember_later(
    cursor: CursorWrapper,
    log_id: int,
    known: Mapping[str, _Key],
    after: Mapping[str, _Key],
    rows: Sequence[Row],
) -> None:
    """Remember what is in the table once it is committed: not after a rollback."""

    def remember() -> None:
        _known.setdefault(log_id, dict(known)).update(after)
        if len(_seen) > _ROOM:
            _seen.clear()
        _seen.update([(log_id, key, value) for key, value, _ in rows])

    cursor.db.on_commit(remember)
