"""PostgreSQL is asked for what GIN finds quickly, and reads the rest from the rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditlog.search.engine import postgresql
from auditlog.search.engine.lexemes import name_pairs
from tests.auditlog.search.packets import places, put

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="a plan of PostgreSQL"),
]


@pytest.fixture(autouse=True)
def short_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "_WALK", 1)
    put(["REQ/TSK|g=42,!=scope too large", "REQ/TSK|g=7,!=large too scope", "REQ/TSK|g=50"])


def ask(text: str) -> tuple[list[int], str]:
    """Return what a query finds, and the statement that asked for all but the newest packet."""
    with CaptureQueriesContext(connection) as queries:
        found = places(text)
    (statement,) = [
        each["sql"]
        for each in queries
        if "ts_match_vq" in each["sql"] or " @@ " in each["sql"]
        if "leaf >= 2 " not in each["sql"]
    ]
    return found, statement


def test_a_phrase_of_several_pairs_is_asked_by_them_and_read() -> None:
    found, statement = ask('"scope too large"')

    asked, _, read = statement.partition("ts_match_vq")
    assert found == [0]
    for pair in name_pairs("scope too large"):
        assert pair in asked
    assert "'too" not in asked.partition(" @@ ")[2]
    assert "'too" in read


def test_a_phrase_of_two_words_is_asked_by_its_words_too() -> None:
    found, statement = ask('"too scope"')

    assert found == [1]
    assert " @@ " in statement
    assert "ts_match_vq" not in statement
    assert "'scope" in statement


def test_the_absence_of_many_tokens_is_read() -> None:
    found, statement = ask("-goal:40..99")

    assert found == [1]
    assert " @@ " not in statement

    found, statement = ask("too -goal:40..99")

    assert found == [1]
    asked, _, read = statement.partition("ts_match_vq")
    assert "'too" in asked
    assert "!p.goal" not in asked
    assert "!p.goal" in read


def test_the_absence_of_a_few_tokens_is_asked() -> None:
    found, statement = ask("too -goal:42")

    assert found == [1]
    assert "ts_match_vq" not in statement


def test_a_range_is_asked_for_by_its_beginnings_but_a_few_values_at_once() -> None:
    found, statement = ask("goal:40..99")

    assert found == [2, 0]
    assert statement.count(" @@ ") > 4

    found, statement = ask("goal:(42 OR 50)")

    assert found == [2, 0]
    assert statement.count(" @@ ") == 1
