"""Hits are counted on another connection, but never where that would see other packets."""

import threading
import time

import pytest
from django.db import connection, transaction

from auditlog.models import Log
from auditlog.search import engine
from auditlog.search.engine import counting, postgresql
from auditlog.search.expression import Phrase
from tests.auditlog.search.packets import CONVERSATION, put


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

    found = engine.find(log, Phrase(("!proto=nslip",)), 1, counted=100)

    assert found.leaves == [5]
    assert found.total() == 6
