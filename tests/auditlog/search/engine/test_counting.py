"""Hits are counted on another connection, but never where that would see other packets."""

import threading
import time

import pytest
from django.db import connection, transaction

from auditlog.models import Log
from auditlog.search import engine, table
from auditlog.search.engine import counting, postgresql, sqlite
from auditlog.search.engine.condition import Condition, Total
from auditlog.search.engine.hits import Hits
from auditlog.search.expression import Phrase
from auditlog.search.find import Count, find
from tests.auditlog.search.packets import CONVERSATION, START, put

NSLIP = Phrase(("!proto=nslip",))


@pytest.mark.django_db(transaction=True)
def test_a_count_has_a_thread_and_a_connection_of_its_own() -> None:
    def count() -> int:
        seen.append((threading.current_thread(), connection.in_atomic_block))
        return 7

    seen: list[tuple[threading.Thread, bool]] = []

    assert counting.begin(count)() == 7
    assert seen[0][0] is not threading.current_thread()

    with transaction.atomic():
        assert counting.begin(count)() == 7
    assert seen[1] == (threading.current_thread(), True)


@pytest.mark.django_db(transaction=True)
def test_without_a_free_place_it_counts_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def count() -> int:
        seen.append(threading.current_thread())
        return 7

    seen: list[threading.Thread] = []
    monkeypatch.setattr(counting, "_places", threading.BoundedSemaphore(1))
    hold = threading.Event()

    first = counting.begin(lambda: int(hold.wait(10)))
    second = counting.begin(count)

    assert seen == []
    assert second() == 7
    assert seen == [threading.current_thread()]
    hold.set()
    assert first() == 1
    deadline = time.monotonic() + 10
    while counting.begin(count) is count:  # the place is free again
        assert time.monotonic() < deadline


@pytest.mark.django_db(transaction=True)
def test_what_fails_in_a_count_is_raised_where_it_is_read() -> None:
    def fail() -> int:
        raise ValueError("no")

    wait = counting.begin(fail)

    with pytest.raises(ValueError, match="no"):
        wait()


@pytest.mark.django_db(transaction=True)
def test_hits_are_counted_outside_of_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "_WALK", 2)
    put(CONVERSATION)
    log = Log.objects.get(slug="default")

    found = engine.find(log, NSLIP, 1, counted=100)

    assert found.leaves == [5]
    assert found.total() == Total(6)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Log:
    """A log in which only the first two leaves are counted at once."""
    monkeypatch.setattr(postgresql, "_WALK", 2)
    monkeypatch.setattr(table, "PARTITION", 1)
    monkeypatch.setattr(sqlite, "_PATIENCE", 0)
    put(CONVERSATION)
    return Log.objects.get(slug="default")


@pytest.mark.django_db(transaction=True)
def test_when_the_time_is_over_there_are_at_least_those_of_the_page(slow: Log) -> None:
    found = engine.find(slow, NSLIP, 2, counted=100, patience=0)

    assert found.leaves == [5, 4]
    assert found.total() == Total(2, is_all=False)
    assert engine.find(slow, NSLIP, 2, counted=100, patience=60).total() == Total(6)

    page = find([slow], "proto:nslip", limit=1, now=START, patience=0)
    assert page.count == Count(2, exact=False)
    assert page.next
    after = find([slow], "proto:nslip", limit=1, now=START, cursor=page.next)
    assert after.count == page.count


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite counts in small steps")
def test_a_long_statement_ends_when_the_time_is_over(
    slow: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep = Condition("SELECT 1 FROM pg_sleep(30)", ())
    monkeypatch.setattr(Hits, "anywhere", lambda *_: asleep)
    begun = time.monotonic()

    found = engine.find(slow, NSLIP, 2, counted=100, patience=0.1)

    assert found.total() == Total(2, is_all=False)
    assert time.monotonic() - begun < 15


@pytest.mark.django_db
def test_inside_a_transaction_all_are_counted(slow: Log) -> None:
    assert engine.find(slow, NSLIP, 2, counted=100).total() == Total(6)
