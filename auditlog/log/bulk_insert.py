"""Inserting many rows at once.

`executemany` would step through the rows one by one and give Python's global lock back at each, and
with a request being decoded in another thread the writer then waits for its turn at every row. One
statement with many rows of values costs SQLite the same, and leaves the other threads running while
it works. On PostgreSQL, COPY takes two thirds of the time of such a statement, and a third of this
process's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db.backends.utils import CursorWrapper

Column = Sequence[Any]
"""The values of a column, in the order of the rows."""
_PARAMETERS = 30_000
"""At most, in one statement. SQLite takes 32,766."""
_SIZES = (500, 256, 128, 64, 32, 16, 8, 4, 2, 1)
"""Rows of a statement: as many as a piece of a request has, and powers of two."""


def insert(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Insert rows, whose values stand in the order of `columns` and are such as the database's
    driver takes.
    """
    if rows:
        values = zip(columns, zip(*rows, strict=True), strict=True)
        insert_columns(cursor, table, dict(values))


def insert_columns(
    cursor: CursorWrapper, table: str, columns: Mapping[str, Column], *, whole: bool = False
) -> None:
    """Insert rows whose values are given by column. `whole` is for the search index: FTS5 would
    make a part of its index of each statement.
    """
    if cursor.db.vendor == "sqlite":
        _insert(cursor, table, columns, whole=whole)
    else:
        _copy(cursor, table, columns)


def cut(rows: int, columns: int, sizes: Sequence[int] = _SIZES) -> Iterator[slice]:
    """Yield which rows each statement has.

    To prepare a statement costs SQLite as much as to run it. So there are few numbers of rows, and
    their statements stay prepared.
    """
    at, most = 0, _PARAMETERS // columns
    for size in sizes:
        if 0 < size <= most:
            while rows - at >= size:
                yield slice(at, at + size)
                at += size


def _insert(
    cursor: CursorWrapper, table: str, columns: Mapping[str, Column], *, whole: bool
) -> None:
    rows = len(next(iter(columns.values())))
    bound = {
        name: swift for name, column in columns.items() if (swift := _swift(column)) is not None
    }
    sizes = (rows, *_SIZES) if whole else _SIZES
    # Straight to the driver: Django would look for its own kind of placeholder thousands of times.
    with cursor.db.wrap_database_errors:
        for part in cut(rows, len(bound), sizes):
            number = part.stop - part.start
            values: list[Any] = [None] * (number * len(bound))
            for at, column in enumerate(bound.values()):
                values[at :: len(bound)] = column[part]
            cursor.db.connection.execute(_statement(table, tuple(bound), number), values)


def _copy(cursor: CursorWrapper, table: str, columns: Mapping[str, Column]) -> None:
    # As text, because PostgreSQL takes a tsvector in no other form that the driver writes.
    statement = f"COPY {table} ({_list(columns)}) FROM STDIN"
    with cursor.db.wrap_database_errors, cursor.copy(statement) as copy:
        for row in zip(*columns.values(), strict=True):
            copy.write_row(row)


def _swift(column: Column) -> Column | None:
    """Return a column with values that SQLite's driver binds at once; None if it is left out, which
    is NULL.

    The driver looks for an adapter of None, of a bool, and of bytes, but not of an int or a
    bytearray, and each search takes as long as binding ten values.
    """
    kinds = set(map(type, column))
    if kinds == _BYTES:
        return [*map(bytearray, column)]
    if bytes in kinds:
        return [bytearray(one) if type(one) is bytes else one for one in column]
    if kinds == _BOOL:
        return [*map(int, column)]
    return None if kinds == _NONE else column


_NONE, _BYTES, _BOOL = {type(None)}, {bytes}, {bool}


@lru_cache(maxsize=256)
def _statement(table: str, columns: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' * len(columns))})"
    return f"INSERT INTO {table} ({_list(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608


def _list(columns: Iterable[str]) -> str:
    return ", ".join([f'"{column}"' for column in columns])
