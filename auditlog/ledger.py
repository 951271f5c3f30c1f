"""Appending leaves inside a transaction: who holds a log's end may write its next leaf.

On SQLite the transaction is the only one that writes (BEGIN IMMEDIATE); on PostgreSQL an advisory lock a log makes
writers of one log wait for each other, and writers of two not. Logs are taken in the order of their ids, so that no two
transactions wait for each other for ever.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog import high_water, leaf, rows

_LOCKS = int.from_bytes(b"cbl\x01")
"""The first of the two numbers that name our advisory locks; the second is the log's id."""

_NEVER = datetime.min.replace(tzinfo=UTC)

_LEAF = ("log_id", "index", "kind", "bytes", "hash")


class End:
    """The end of one log: the next index, and the time before which no new leaf may lie."""

    __slots__ = ("log_id", "moment", "received", "rows", "size", "slug", "text")

    def __init__(self, log_id: int, slug: str, size: int, received: datetime | None) -> None:
        self.log_id = log_id
        self.slug = slug
        self.size = size
        self.rows: list[tuple[int, int, str, bytes, bytes]] = []
        self._turn(received or _NEVER)

    def at(self, moment: datetime) -> str:
        """Move to `moment`, unless the log is later already, and give the time that the next leaf carries.

        `received`, `text` and `moment` are then that time, as it stands in leaves, and as the database takes it.
        """
        if moment > self.received:
            self._turn(moment)
        return self.text

    def _turn(self, moment: datetime) -> None:
        self.received = moment
        self.text = leaf.format_time(moment)
        self.moment = connection.ops.adapt_datetimefield_value(moment)

    def add(self, kind: leaf.Kind, data: bytes) -> tuple[int, bytes]:
        """Take `data` as the next leaf, and give its index and hash."""
        assert len(data) <= leaf.LIMIT, "a leaf holds no user text and stays small"
        index, digest = self.size, leaf.hash_leaf(data)
        self.rows.append((self.log_id, index, kind, data, digest))
        self.size = index + 1
        return index, digest


def hold(cursor: CursorWrapper, log_ids: Iterable[int]) -> dict[int, End]:
    """The ends of these logs, held until the transaction ends."""
    ids = sorted(set(log_ids))
    if not ids:
        # PostgreSQL knows no IN of nothing, which a batch asks for when every item of it was refused.
        return {}
    if connection.vendor == "postgresql":
        for log_id in ids:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", (_LOCKS, log_id))
    places = ", ".join(["%s"] * len(ids))
    cursor.execute(f"SELECT id, slug, size, received FROM auditlog_log WHERE id IN ({places})", ids)  # noqa: S608
    return {log_id: End(log_id, slug, size, _moment(received)) for log_id, slug, size, received in cursor.fetchall()}


def _moment(stored: datetime | None) -> datetime | None:
    """A time as the driver gives it. SQLite keeps UTC and does not say so."""
    return stored and (stored if stored.tzinfo else stored.replace(tzinfo=UTC))


def store(cursor: CursorWrapper, ends: Iterable[End]) -> None:
    """Write the leaves that were added, and where the logs now end."""
    for end in ends:
        if end.rows:
            high_water.marks().reserve(end.slug, end.size)
            rows.insert(cursor, "auditlog_leaf", _LEAF, end.rows)
            cursor.execute(
                "UPDATE auditlog_log SET size = %s, received = %s WHERE id = %s", (end.size, end.moment, end.log_id)
            )
            transaction.on_commit(partial(high_water.marks().note, end.slug, end.size), robust=True)
