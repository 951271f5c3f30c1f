"""Inserting many rows at once.

`executemany` would step through the rows one by one and give Python's global lock back at each, and
with a request being decoded in another thread the writer then waits for its turn at every row. One
statement with many rows of values costs SQLite the same, and leaves the other threads running while
it works. On PostgreSQL, COPY takes two thirds of the time of such a statement, and a third of this
process's.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

_PARAMETERS = 30_000
"""At most, in one statement. SQLite takes 32,766."""


def insert(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Insert rows, whose values stand in the order of `columns` and are such as the database's
    driver takes.
    """
    if cursor.db.vendor == "sqlite":
        _insert(table, columns, rows)
    elif rows:
        _copy(cursor, table, columns, rows)


def _insert(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    most = _PARAMETERS // len(columns)
    for at in range(0, len(rows), most):
        names, swift = _swift(columns, rows[at : at + most])
        values = list(chain.from_iterable(swift))
        # Straight to the driver: Django would look for its own kind of placeholder thousands of
        # times.
        with connection.wrap_database_errors:
            connection.connection.execute(_statement(table, names, len(swift)), values)


def _copy(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    # As text, because PostgreSQL takes a tsvector in no other form that the driver writes.
    statement = f"COPY {table} ({_list(columns)}) FROM STDIN"
    with cursor.db.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _swift(
    columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> tuple[tuple[str, ...], Sequence[Sequence[Any]]]:
    """The same rows with values that SQLite's driver binds at once.

    It looks for an adapter of None, of a bool, and of bytes, but not of an int or a bytearray, and
    each search takes as long as binding ten values. A column that is left out is NULL.
    """
    names, bound = [], []
    for name, column in zip(columns, zip(*rows, strict=True), strict=True):
        kinds = set(map(type, column))
        if kinds == {type(None)}:
            continue
        if bytes in kinds:
            column = tuple(
                [bytearray(value) if type(value) is bytes else value for value in column]
            )
        elif kinds == {bool}:
            column = tuple(map(int, column))
        names.append(name)
        bound.append(column)
    return tuple(names), list(zip(*bound, strict=True))


@lru_cache(maxsize=256)
def _statement(table: str, columns: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' * len(columns))})"
    return f"INSERT INTO {table} ({_list(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608


def _list(columns: Sequence[str]) -> str:
    return ", ".join([f'"{column}"' for column in columns])
