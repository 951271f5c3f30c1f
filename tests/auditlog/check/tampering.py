"""Random changes of rows, as somebody with the database would make them."""

# ruff: noqa: S608 - names of tables and columns come from the models

from collections.abc import Callable
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from django.db import DatabaseError, connection, models, transaction

from auditlog.search.table import row_number
from tests.auditlog.check.exceptions import is_excepted
from tests.auditlog.check.tables import (
    KEYS,
    Place,
    Row,
    find_dependent,
    find_places,
    get_fields,
    get_identity,
    list_columns,
    read_logs,
    run,
)

_UNIQUE = ("uid", "event_id", "undoes", "slug", "origin", "name")
_FRESH = {"searchkey": ("key",), "searchvalue": ("value",)}
"""What is another value in a row that is added, next to the key and what is unique."""


class Tampered(NamedTuple):
    """What was changed: how, of which table and column, and the places of which one must be
    named.
    """

    act: str
    table: str
    column: str
    places: frozenset[Place]


class Tamperer:
    """Changes rows at random, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._columns = list_columns()
        self._tables = sorted({table for table, _ in self._columns})
        self._logs = read_logs()
        self._acts: list[Callable[[], Tampered | None]] = [
            self.edit, self.edit, self.edit, self.delete, self.insert, self.swap, self.truncate,
            self.back_date, self.forge_terms,
        ]  # fmt: skip

    def tamper(self) -> Tampered:
        """Change something that the constraints of the tables allow."""
        while True:
            try:
                with transaction.atomic():
                    done = self.random.choice(self._acts)()
            except DatabaseError:
                continue
            if done is not None:
                return done

    def edit(self) -> Tampered | None:
        table, column = self.random.choice(self._columns)
        row = self._choose(table)
        if row is None or is_excepted("edit", table, row):
            return None
        value = self._change(table, column, row[column])
        changed = {**row, column: value}
        if value == row[column] or is_excepted("edit", table, changed):
            return None
        self._set(table, row, column, value)
        return self._done("edit", table, column, row, changed)

    def delete(self) -> Tampered | None:
        table = self.random.choice(self._tables)
        row = self._choose(table)
        if row is None or is_excepted("delete", table, row):
            return None
        self._delete(table, row)
        return self._done("delete", table, "row", row)

    def insert(self) -> Tampered | None:
        table = self.random.choice(self._tables)
        row = self._choose(table)
        if row is None:
            return None
        new, key = dict(row), KEYS.get(table, "leaf")
        if table not in _FRESH:
            new[key] += self.random.choice([1, 7, 1_000, 100_000])
        for column in (*_UNIQUE, *_FRESH.get(table, ())):
            if column in new:
                new[column] = self._change(table, column, new[column])
        taken = run(f"SELECT 1 FROM auditlog_{table} WHERE {_where(table)}", *_key(table, new))
        if taken or is_excepted("insert", table, new):
            return None
        marks = ", ".join(["%s"] * len(new))
        names = ", ".join(f'"{name}"' for name in new)
        run(f"INSERT INTO auditlog_{table} ({names}) VALUES ({marks})", *map(_bind, new.values()))
        return self._done("insert", table, "row", new)

    def swap(self) -> Tampered | None:
        table, column = self.random.choice(self._columns)
        one, other = self._choose(table), self._choose(table)
        if one is None or other is None or one[column] == other[column]:
            return None
        if column in (*get_identity(table), "id", "slug", "uid", "undoes", "name"):
            return None  # they are unique; `edit` changes them
        if any(is_excepted("edit", table, row) for row in (one, other)):
            return None
        if column == "event_id":
            self._set(table, other, column, None)
        self._set(table, one, column, other[column])
        self._set(table, other, column, one[column])
        return self._done("swap", table, column, one, other)

    def truncate(self) -> Tampered | None:
        """Delete the newest rows of a table."""
        table = self.random.choice(self._tables)
        if table in ("source", "log", "logend"):
            return None
        deleted = []
        for _ in range(self.random.randrange(1, 4)):
            newest = self._newest(table)
            if newest is not None:
                deleted.append(newest)
                self._delete(table, newest)
        if all(is_excepted("delete", table, row) for row in deleted):
            return None
        return self._done("truncate", table, "row", *deleted)

    def back_date(self) -> Tampered | None:
        table, column = self.random.choice(
            [("packet", "received"), ("review", "at"), ("erasure", "at"), ("logend", "received")]
        )
        row = self._choose(table)
        if row is None or row[column] is None:
            return None
        days = self.random.randrange(1, 400)
        self._set(table, row, column, row[column] - timedelta(days=days))
        return self._done("back-date", table, column, row)

    def forge_terms(self) -> Tampered | None:
        """Give a packet other search terms, or none."""
        row = self._choose("packet")
        if row is None:
            return None
        forge_terms(row["log_id"], row["leaf"], self.random.choice(["", "!log=default forged"]))
        place = Place(self._logs[row["log_id"]], "search", str(row["leaf"]))
        return Tampered("forge", "search", "terms", frozenset([place]))

    def _choose(self, table: str) -> Row | None:
        rows = self._read(table)
        return self.random.choice(rows) if rows else None

    def _newest(self, table: str) -> Row | None:
        rows = [row for row in self._read(table) if row["log_id"] == 1]
        key = KEYS.get(table, "leaf")
        return max(rows, key=lambda row: (row[key], str(row)), default=None)

    def _read(self, table: str) -> list[Row]:
        names = [*get_fields(table)]
        listed = ", ".join(f'"{name}"' for name in names)
        used = ""
        if table == "source":
            used = " WHERE id IN (SELECT source_id FROM auditlog_packet)"
        order = ", ".join(f'"{name}"' for name in get_identity(table))
        rows = run(f"SELECT {listed} FROM auditlog_{table}{used} ORDER BY {order}")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _delete(self, table: str, row: Row) -> None:
        run(f"DELETE FROM auditlog_{table} WHERE {_where(table)}", *_key(table, row))

    def _set(self, table: str, row: Row, column: str, value: Any) -> None:
        run(
            f'UPDATE auditlog_{table} SET "{column}" = %s WHERE {_where(table)}',
            _bind(value), *_key(table, row),
        )  # fmt: skip

    def _change(self, table: str, column: str, value: Any) -> Any:
        """Return another value of the same kind."""
        field = get_fields(table)[column]
        if value is None:
            return None if not field.null else self._fresh(field)
        if field.null and self.random.random() < 0.2:
            return None
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + self.random.choice([1, 1_000, 3_000])
        if isinstance(field, models.DateField) and not isinstance(value, datetime):
            return date.fromisoformat(str(value)) + timedelta(days=self.random.choice([-9, 1]))
        if isinstance(value, str):
            return self._change_text(value, field)
        if isinstance(value, bytes | memoryview):
            return self._change_bytes(bytes(value))
        if hasattr(value, "hex"):  # a UUID of PostgreSQL
            return type(value)(int=value.int ^ 1 << self.random.randrange(64))
        return value + timedelta(seconds=self.random.choice([-86_400, -1, 1, 3_600]))

    def _fresh(self, field: Any) -> Any:
        if isinstance(field, models.DateTimeField):
            return None
        if isinstance(field, models.BinaryField):
            return self.random.randbytes(32)
        if isinstance(field, models.CharField):
            return "2026-01-01T00:00:00Z" if field.name == "sent_at" else "5fK2"
        return self.random.randrange(1, 500)

    def _change_text(self, value: str, field: Any) -> str:
        at = self.random.randrange(len(value) + 1)
        changed = value[:at] + self.random.choice("abc 019{") + value[at:]
        limit = field.max_length
        if limit is not None and len(changed) > limit:
            changed = changed[1:]
        return changed if changed != value else f"{value[:-1]}~"

    def _change_bytes(self, value: bytes) -> bytes:
        if not value:
            return b"x"
        at = self.random.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1 << self.random.randrange(7)]) + value[at + 1 :]

    def _done(self, act: str, table: str, column: str, *rows: Row) -> Tampered:
        places: set[Place] = set()
        for row in rows:
            places |= find_places(table, row, self._logs)
            places |= find_dependent(table, column, row, self._logs)
        return Tampered(act, table, column, frozenset(places))


def forge_terms(log_id: int, leaf: int, terms: str) -> None:
    """Give a packet other terms in the search index, or none."""
    if connection.vendor == "sqlite":
        row = row_number(log_id, leaf)
        run("DELETE FROM auditlog_search WHERE rowid = %s", row)
        if terms:
            run("INSERT INTO auditlog_search (rowid, terms) VALUES (%s, %s)", row, terms)
    else:
        where = "WHERE log_id = %s AND leaf = %s"
        run(f"UPDATE auditlog_search SET terms = %s::tsvector {where}", terms, log_id, leaf)


def _bind(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _where(table: str) -> str:
    return " AND ".join(f'"{name}" = %s' for name in get_identity(table))


def _key(table: str, row: Row) -> list[Any]:
    return [row[name] for name in get_identity(table)]
