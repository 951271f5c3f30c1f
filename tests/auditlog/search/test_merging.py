"""The full-text index of SQLite merges its parts in small steps, as packets come."""

import pytest
from django.db import connection, transaction

from auditlog.search import index
from auditlog.search.index import Entry
from auditlog.search.terms import Terms

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="FTS5 is a part of SQLite"),
]
PARTS = 16


def write(leaf: int) -> None:
    entry = Entry(1, leaf, "nslip", Terms(f"word{leaf} and another", ()))
    with transaction.atomic(), connection.cursor() as cursor:
        index.write(cursor, [entry])


def ask(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.fetchone()[0])


def flush() -> None:
    """A savepoint writes what FTS5 holds in memory, as a commit does."""
    with connection.cursor() as cursor:
        cursor.execute("SAVEPOINT flush")
        cursor.execute("RELEASE flush")


def test_no_commit_merges_everything_that_others_left() -> None:
    assert ask("SELECT v FROM auditlog_search_config WHERE k = 'automerge'") == 0


def test_the_parts_of_the_index_stay_few() -> None:
    counts = []
    for leaf in range(5 * PARTS):
        write(leaf)
        flush()
        counts.append(ask("SELECT count(DISTINCT segid) FROM auditlog_search_idx"))

    assert PARTS // 2 < max(counts) <= PARTS
    assert counts.count(1) > 2


def test_a_large_commit_merges_more() -> None:
    assert index.count_pages(500) > 10 * index.count_pages(5)
