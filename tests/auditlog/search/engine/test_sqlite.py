"""FTS5 is asked for no more than a query needs: a range of rows already is the log, and the newest
partition of a log is enough for what is common.
"""

from importlib import import_module
from itertools import groupby
from operator import itemgetter
from threading import BoundedSemaphore

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from auditlog import review
from auditlog.models import Log, Packet
from auditlog.search import engine, index, table
from auditlog.search.engine import counting, sqlite
from auditlog.search.engine.condition import Total
from auditlog.search.expression import Phrase
from auditlog.search.find import find_leaves
from auditlog.search.index import Entry
from auditlog.search.table import row_number
from auditlog.search.terms import Terms
from tests.auditlog.search.packets import CONVERSATION, START, places, put

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="FTS5 is a part of SQLite"),
]


@pytest.mark.parametrize(
    ("text", "names_log"),
    [
        ("goal:43", False),
        ("goal:40..43 -goal:42", False),
        ("-goal:42", True),
        ("leaf:3", True),
        ("goal:43 OR -goal:42", True),
    ],
)
def test_the_token_of_a_log_is_matched_only_where_something_is_taken_from_it(
    text: str, *, names_log: bool
) -> None:
    put(CONVERSATION)
    put(CONVERSATION, log="other")

    for log in ("default", "other"):
        with CaptureQueriesContext(connection) as queries:
            found = places(text, logs=(log,))

        (match,) = [each["sql"] for each in queries if "MATCH" in each["sql"]]
        assert (f"!log={log}" in match) is names_log
        assert found == [3]


@pytest.mark.parametrize(
    ("text", "is_kept_apart"),
    [("is:flagged (leaf:0 OR leaf:3)", False), ("goal:42 is:flagged", True)],
)
def test_many_reviews_lead_to_their_rows_where_no_match_reads_them(
    text: str, *, is_kept_apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_FEW", 0)
    put(CONVERSATION)
    ada = User.objects.create_user("ada")
    review.mark(packet=Packet.objects.get(leaf=0), state="flagged", note="", who=ada)

    with CaptureQueriesContext(connection) as queries:
        assert places(text) == [0]

    (asked,) = [each["sql"] for each in queries if "auditlog_search" in each["sql"]]
    assert ("+rowid IN" in asked) is is_kept_apart


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put two packets in a partition."""
    monkeypatch.setattr(table, "PARTITION", 2)
    put(CONVERSATION)


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize(
    ("text", "limit", "windows", "found"),
    [
        ("goal:42", 1, 1, [5]),
        ("goal:42", 3, 2, [5, 4, 2]),
        ("act:re*", 9, 3, [2, 0]),
        ("goal:43", 9, 3, [3]),
        ("-goal:42", 9, 3, [3]),
        ("leaf:2..3", 9, 1, [3, 2]),
        ("leaf:1..2 @auth_*", 9, 2, [1]),
    ],
)
def test_the_newest_partitions_are_asked_first(
    text: str, limit: int, windows: int, found: list[int]
) -> None:
    with CaptureQueriesContext(connection) as queries:
        leaves = find_leaves(
            Log.objects.get(slug="default"), text, size=len(CONVERSATION), now=START, limit=limit
        )

    assert leaves == found
    assert len([each for each in queries if "MATCH" in each["sql"]]) == windows


def test_windows_grow_while_leaves_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "PARTITION", 1)
    put(CONVERSATION, log="other")
    log = Log.objects.get(slug="other")

    with CaptureQueriesContext(connection) as queries:
        assert engine.find(log, Phrase(("!p.goal=#b43",)), 1).leaves == [3]
        assert engine.find(log, Phrase(("!p.goal=#b43",)), 1, oldest_first=True).leaves == [3]

    asked = [each["sql"].count("!p.goal") for each in queries if "MATCH" in each["sql"]]
    assert asked == [1, 1, 2, 1, 1, 2]


@pytest.mark.parametrize("free", [0, counting.PLACES])
@pytest.mark.django_db(transaction=True)
def test_what_is_slow_is_counted_on_other_connections(
    monkeypatch: pytest.MonkeyPatch, free: int
) -> None:
    monkeypatch.setattr(table, "PARTITION", 1)
    monkeypatch.setattr(sqlite, "_PATIENCE", 0)
    monkeypatch.setattr(counting, "_places", BoundedSemaphore(free) if free else Full())
    put(CONVERSATION)
    log = Log.objects.get(slug="default")

    found = engine.find(log, Phrase(("!p.goal=#b42",)), 1, counted=100)

    assert found.leaves == [5]
    assert found.total() == Total(5)
    assert engine.find(log, Phrase(("!p.goal=#b42",)), 1, counted=3).total() == Total(3)


class Full:
    """A semaphore without a place."""

    def acquire(self, *, blocking: bool) -> bool:
        return False


def test_the_tokens_of_a_partition_begin_with_its_mark() -> None:
    marks = [table.partition_mark(partition) for partition in range(0x110000)]

    assert marks[:2] == ["Ā", "ā"]
    assert len(set(marks)) == 0x110000 - 0x100 - 0x800
    assert marks == sorted(marks)
    assert marks[-1] == "\U0010ffff"
    "".join(marks).encode()  # has no surrogate
    assert table.mark("req tsk", table.PARTITION) == "āreq ātsk"


@pytest.mark.django_db(transaction=True)
def test_the_migration_marks_what_was_stored() -> None:
    put(CONVERSATION)
    put(["REQ/TSK|g=42,!=scope scope größe 日本"], log="other")
    with transaction.atomic(), connection.cursor() as cursor:
        index.write(cursor, [Entry(1, 70_000, "nslip", Terms("req = tsk", ()), "=1f")])
    before = list_terms()
    migration = import_module("auditlog.migrations.0012_search_partitions")
    with connection.schema_editor() as schema_editor:
        migration.unmark_partitions(apps, schema_editor)
    unmarked = list_terms()[row_number(1, 70_000)]
    assert [term for *_, term in unmarked] == ["=1f", "req", "=", "tsk"]
    assert places("goal:43") == []

    with connection.schema_editor() as schema_editor:
        migration.mark_partitions(apps, schema_editor)

    assert list_terms() == before
    assert [term for *_, term in before[row_number(1, 70_000)]] == ["=1f", "āreq", "ā=", "ātsk"]
    assert places("goal:43") == [3]


def list_terms() -> dict[int, list[tuple[int, int, str]]]:
    """Return the rows of the index with their tokens, in order, each with its row and place."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE VIRTUAL TABLE temp.listed"
            " USING fts5vocab('main', 'auditlog_search', 'instance')"
        )
        cursor.execute("SELECT doc, offset, term FROM temp.listed ORDER BY doc, offset")
        rows = {doc: list(terms) for doc, terms in groupby(cursor.fetchall(), itemgetter(0))}
        cursor.execute("DROP TABLE temp.listed")
    return rows
