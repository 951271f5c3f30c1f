"""Many rows at once: what is stored is what was given, whatever its type."""

from typing import Any

import pytest
from django.db import connection

from auditlog.log import bulk_insert

pytestmark = pytest.mark.django_db
COLUMNS = ("number", "name", "data", "good", "gone")
GIVEN: list[tuple[Any, ...]] = [
    (1, "a", b"\0\xff", True, None),
    (2, None, None, False, None),
    (3, "ж", b"", True, None),
    (4, "\\N\t\\x41\r\n\\.\n\b", b"\\N\t\n\\.\n", False, None),
    (5, "", b"\\x41", True, None),
]


@pytest.mark.parametrize("most", [30_000, 5])
def test_rows_are_stored_as_given(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(bulk_insert, "_PARAMETERS", most)
    blob = "bytea" if connection.vendor == "postgresql" else "blob"
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE given "
            f"(number integer, name text, data {blob}, good boolean, gone text)"
        )
        bulk_insert.insert(cursor, "given", COLUMNS, GIVEN)
        cursor.execute("SELECT number, name, data, good, gone FROM given ORDER BY number")
        found = cursor.fetchall()

    assert [
        (number, name, None if data is None else bytes(data), bool(good), gone)
        for number, name, data, good, gone in found
    ] == GIVEN


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="SQLite keeps the type of a value beside it"
)
def test_sqlite_stores_each_value_with_its_type() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE given (number, name, data, good, gone)")
        bulk_insert.insert(cursor, "given", COLUMNS, GIVEN)
        cursor.execute(
            "SELECT typeof(number), typeof(name), typeof(data), typeof(good), typeof(gone) "
            "FROM given"
        )
        found = cursor.fetchall()

    assert found == [
        ("integer", "text", "blob", "integer", "null"),
        ("integer", "null", "null", "integer", "null"),
        ("integer", "text", "blob", "integer", "null"),
        ("integer", "text", "blob", "integer", "null"),
        ("integer", "text", "blob", "integer", "null"),
    ]


def test_no_rows_are_no_statement() -> None:
    with connection.cursor() as cursor:
        bulk_insert.insert(cursor, "nowhere", COLUMNS, [])


@pytest.mark.parametrize("columns", [1, 12, 27, 10_000])
def test_rows_are_cut_into_few_kinds_of_statements(columns: int) -> None:
    sizes = set()
    for rows in range(1_200):
        parts = list(bulk_insert.cut(rows, columns))
        assert [at for part in parts for at in range(rows)[part]] == list(range(rows))
        sizes |= {part.stop - part.start for part in parts}

    assert len(sizes) <= 10
    assert max(sizes) * columns <= 32_766


def test_a_whole_insert_of_no_rows_ends() -> None:
    assert list(bulk_insert.cut(0, 2, (0, 8, 1))) == []
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE given (number integer, name text)")
        bulk_insert.insert_columns(cursor, "given", {"number": [], "name": []}, whole=True)
        cursor.execute("SELECT COUNT(*) FROM given")
        assert cursor.fetchone() == (0,)
