"""The full-text index of SQLite merges its parts in small steps: some as packets come, the others
when nothing else is to do.
"""

import pytest
from django.db import connection, transaction

from auditlog.search import index, merging
from auditlog.search.index import Entry
from auditlog.search.table import PARTS, mark
from auditlog.search.terms import Terms

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="FTS5 is a part of SQLite"),
]


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
    assert merging.count_pages(500) > 10 * merging.count_pages(5)


def find(word: str) -> list[int]:
    with connection.cursor() as cursor:
        asked = [mark(word, 0)]
        cursor.execute("SELECT rowid FROM auditlog_search WHERE terms MATCH %s", asked)
        return [row[0] for row in cursor.fetchall()]


def test_few_parts_are_left_when_nothing_else_is_to_do() -> None:
    for leaf in range(PARTS - 1):
        write(leaf)
        flush()
    before = find("another")

    assert ask("SELECT count(DISTINCT segid) FROM auditlog_search_idx") == PARTS - 1
    assert merging.is_due()
    for _ in range(PARTS):
        merging.step()
        flush()
    assert ask("SELECT count(DISTINCT segid) FROM auditlog_search_idx") <= merging.FEW
    assert not merging.is_due()
    assert not merging.step()
    assert find("another") == before
    assert len(before) == PARTS - 1


def test_the_writer_goes_on_to_merge_many_parts_only() -> None:
    for leaf in range(PARTS - 1):
        write(leaf)
        flush()

    assert merging.step()

    assert ask("SELECT v FROM auditlog_search_config WHERE k = 'usermerge'") == PARTS


def test_a_large_part_is_not_written_again_for_every_few_packets() -> None:
    by_writer = by_step = 0
    for leaf in range(300):
        begun = ask("SELECT total_changes()")
        write(leaf)
        flush()
        written = ask("SELECT total_changes()")
        merging.step()
        flush()
        by_writer += written - begun
        by_step += ask("SELECT total_changes()") - written

    assert 0 < by_step < 2 * by_writer
    with connection.cursor() as cursor:
        assert merging.count_parts(cursor) <= merging.FEW + 1
