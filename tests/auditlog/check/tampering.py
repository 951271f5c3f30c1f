"""Random changes of rows, as somebody with the database would make them.

The columns are those that docs/design/audit.md does not call free, so that a new one is included.
"""

# ruff: noqa: S608 - names of tables and columns come from the models

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from auditlog.search.table import row_number
from tests.auditlog.integrity.rulings import read_rulings

_KEYS = {
    "leaf": "index", "tile": "number", "checkpoint": "size", "logend": "log_id", "log": "id",
    "source": "id",
}  # fmt: skip
"""The column that places a row, where that is not `leaf`."""
HARMLESS = {("insert", "source"), ("insert", "log")}
"""Rows that nothing belongs to change nothing of what is stored."""
MADE = {"finding", "rollup"}
"""Tables that are made again as a whole, and compared by their own tests."""


class Tampered(NamedTuple):
    """What was changed: how, of which table and column, and the keys of the rows."""

    act: str
    table: str
    column: str
    keys: tuple[Any, ...]


def list_columns() -> list[tuple[str, str]]:
    """Return tables with columns that are committed or made again."""
    return [
        (each.table, each.column)
        for each in read_rulings()
        if not each.is_free and each.table not in MADE
    ]


def _model(table: str) -> type[models.Model]:
    return next(
        model
        for model in apps.get_app_config("auditlog").get_models()
        if model._meta.db_table == f"auditlog_{table}"
    )


def _names(table: str) -> list[str]:
    return [str(field.column) for field in _model(table)._meta.concrete_fields]


def run(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


class Tamperer:
    """Changes rows at random, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._columns = list_columns()
        self._tables = sorted({table for table, _ in self._columns})
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
            if done is not None and (done.act, done.table) not in HARMLESS:
                return done

    def edit(self) -> Tampered | None:
        table, column = self.random.choice(self._columns)
        row = self._choose(table)
        if row is None:
            return None
        value = self._change(table, column, row[column])
        if (value is None and row[column] is None) or _is_unprovable(table, column, row):
            return None
        self._set(table, row, column, value)
        return self._done("edit", table, column, row, {**row, column: value})

    def delete(self) -> Tampered | None:
        table = self.random.choice(self._tables)
        row = self._newest(table) if table == "checkpoint" else self._choose(table)
        if row is None:
            return None
        self._delete(table, row)
        return self._done("delete", table, "row", row)

    def insert(self) -> Tampered | None:
        table = self.random.choice(self._tables)
        row = self._choose(table)
        if row is None:
            return None
        key = _KEYS.get(table, "leaf")
        new = {**row, key: row[key] + self.random.choice([1, 7, 1_000, 100_000])}
        for column in ("uid", "event_id", "undoes", "slug", "origin", "name"):
            if column in new:
                new[column] = self._change(table, column, new[column])
        if run(f"SELECT 1 FROM auditlog_{table} WHERE {_where(table)}", *_place(table, new)):
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
        if column in (*_identity(table), "id", "slug", "uid", "undoes", "name"):
            return None  # they are unique; `edit` changes them
        if _is_unprovable(table, column, one) or _is_unprovable(table, column, other):
            return None
        if column == "event_id":
            self._set(table, other, column, None)
        self._set(table, one, column, other[column])
        self._set(table, other, column, one[column])
        return self._done("swap", table, column, one, other)

    def truncate(self) -> Tampered | None:
        """Delete the newest rows of a table."""
        table = self.random.choice(self._tables)
        row = self._newest(table)
        if row is None or table in ("source", "log", "logend"):
            return None
        deleted = []
        for _ in range(self.random.randrange(1, 4)):
            newest = self._newest(table)
            if newest is not None:
                deleted.append(newest)
                self._delete(table, newest)
        return self._done("truncate", table, "row", *deleted)

    def back_date(self) -> Tampered | None:
        table, column = self.random.choice(
            [("packet", "received"), ("review", "at"), ("logend", "received")]
        )
        row = self._choose(table)
        if row is None or row[column] is None:
            return None
        days = self.random.randrange(1, 400)
        self._set(table, row, column, row[column] - timedelta(days=days))
        return self._done("back-date", table, column, row)

    def forge_terms(self) -> Tampered | None:
        """Give a packet the search terms of another one, or none."""
        one, other = self._choose("packet"), self._choose("packet")
        if one is None or other is None or one["wire"] == other["wire"]:
            return None
        terms = self.random.choice(["", "!log=default forged"])
        place = (one["log_id"], one["leaf"])
        if connection.vendor == "sqlite":
            row = row_number(*place)
            run("DELETE FROM auditlog_search WHERE rowid = %s", row)
            if terms:
                run("INSERT INTO auditlog_search (rowid, terms) VALUES (%s, %s)", row, terms)
        else:
            where = "WHERE log_id = %s AND leaf = %s"
            run(f"UPDATE auditlog_search SET terms = %s::tsvector {where}", terms, *place)
        return self._done("forge", "search", "terms", one)

    def _choose(self, table: str) -> dict[str, Any] | None:
        rows = self._read(table)
        return self.random.choice(rows) if rows else None

    def _newest(self, table: str) -> dict[str, Any] | None:
        rows = [row for row in self._read(table) if row.get("log_id", 1) == 1]
        return max(rows, key=lambda row: row[_KEYS.get(table, "leaf")], default=None)

    def _read(self, table: str) -> list[dict[str, Any]]:
        names = _names(table)
        listed = ", ".join(f'"{name}"' for name in names)
        used = ""
        if table == "source":
            used = " WHERE id IN (SELECT source_id FROM auditlog_packet)"
        order = ", ".join(f'"{name}"' for name in _identity(table))
        rows = run(f"SELECT {listed} FROM auditlog_{table}{used} ORDER BY {order}")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _delete(self, table: str, row: dict[str, Any]) -> None:
        run(f"DELETE FROM auditlog_{table} WHERE {_where(table)}", *_place(table, row))

    def _set(self, table: str, row: dict[str, Any], column: str, value: Any) -> None:
        run(
            f'UPDATE auditlog_{table} SET "{column}" = %s WHERE {_where(table)}',
            _bind(value), *_place(table, row),
        )  # fmt: skip

    def _change(self, table: str, column: str, value: Any) -> Any:
        """Return another value of the same kind."""
        field = next(f for f in _model(table)._meta.concrete_fields if f.column == column)
        if value is None:
            return None if not field.null else self._fresh(field)
        if field.null and self.random.random() < 0.2:
            return None
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + self.random.choice([1, 1_000, 3_000])
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

    def _done(self, act: str, table: str, column: str, *rows: dict[str, Any]) -> Tampered:
        key = _KEYS.get(table, "leaf")
        return Tampered(act, table, column, tuple(row[key] for row in rows))


def _is_unprovable(table: str, column: str, row: dict[str, Any]) -> bool:
    """Return whether this is a step whose note was erased, and with it the seed of its leaf."""
    return table == "review" and not row["seed"] and column in ("state", "undoes", "who_id")


def _bind(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _identity(table: str) -> tuple[str, ...]:
    pk = _model(table)._meta.pk
    if isinstance(pk, models.CompositePrimaryKey):
        return tuple(str(field.column) for field in pk.fields if isinstance(field, models.Field))
    assert pk is not None
    return (str(pk.column),)


def _where(table: str) -> str:
    return " AND ".join(f'"{name}" = %s' for name in _identity(table))


def _place(table: str, row: dict[str, Any]) -> list[Any]:
    return [row[name] for name in _identity(table)]
