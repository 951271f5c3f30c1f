"""Orders to erase, and what the database has left."""

from typing import Any

from django.db import connection

from auditlog.erasure import erase
from auditlog.erasure.erase import By, Order
from auditlog.erasure.tables import Erasure
from auditlog.models import Log

ORDER = Order(By(), "the person asked for it")


def erase_leaves(*leaves: int, log: str = "default", order: Order = ORDER) -> list[Erasure]:
    return erase.erase(log=Log.objects.get(slug=log), leaves=leaves, order=order)


def find_rows(text: str) -> dict[str, int]:
    """Return the tables with rows that have a text, in any column and in any case, but for the
    full-text index of SQLite, which has no rows.
    """
    found = {}
    for table in connection.introspection.table_names():
        if not table.startswith(("auditlog_search_", "sqlite_")) and (
            number := sum(_has(row, text) for row in _read(table))
        ):
            found[table] = number
    return found


def _read(table: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a table of ours
        return list(cursor.fetchall())


def _has(row: tuple[Any, ...], text: str) -> bool:
    return any(text.encode() in _as_bytes(value).lower() for value in row)


def _as_bytes(value: Any) -> bytes:
    if isinstance(value, bytes | memoryview):
        return bytes(value)
    return str(value).encode(errors="replace")
