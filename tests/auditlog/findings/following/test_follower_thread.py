"""The follower in its thread, next to writers, to another follower, and to faults."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from auditlog.findings.following import follower, piece, position
from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.models import Finding, FindingPosition, Log
from auditlog.sender import Sender
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db(transaction=True)

CARD = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|filter:card=4111 1111 1111 1111"


def until(is_so: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that takes less than 2 s on a machine with nothing else to do."""
    limit = time.monotonic() + timedelta(seconds=seconds).total_seconds()
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.02)


def reached() -> int:
    return FindingPosition.objects.get(log__slug="default").leaf


@pytest.fixture
def running() -> Iterator[Follower]:
    one = Follower()
    one.start()
    yield one
    one.stop()


def test_it_is_woken_by_a_commit(running: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "POLL", 60.0)
    sender = make_sender()
    for number in range(3):
        append(Item(f"{CARD}|n:{number}"), sender=sender)
        until(lambda number=number: Finding.objects.count() == number + 1)  # type: ignore[misc]


def test_it_finds_what_another_process_has_stored(running: Follower) -> None:
    sender = make_sender()
    append(Item(CARD), sender=sender)
    until(lambda: Finding.objects.count() == 1)
    position.make_again()
    Finding.objects.all().delete()

    until(lambda: Finding.objects.count() == 1)


def test_writers_and_the_follower_go_on_together(
    running: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(piece, "PACKETS", 7)
    sender = make_sender()
    threads = [threading.Thread(target=write, args=(sender, name)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    until(lambda: reached() == 90)

    assert Finding.objects.filter(detector="sensitive").count() == 90
    assert not Finding.objects.exclude(detector="sensitive").exists()


def write(sender: Sender, name: str) -> None:
    for number in range(30):
        append(Item(f"{CARD}|n:{name}{number}"), sender=sender)
    connection.close()


def test_two_followers_make_each_finding_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piece, "PACKETS", 3)
    append(*[Item(f"{CARD}|n:{number}") for number in range(60)], sender=make_sender())
    both = [Follower(), Follower()]
    for one in both:
        one.start()

    until(lambda: reached() == 60)

    for one in both:
        one.stop()
    assert list(Finding.objects.order_by("leaf").values_list("leaf", flat=True)) == [*range(60)]


def test_a_log_is_followed_by_one_process_at_a_time() -> None:
    append(Item(CARD), sender=make_sender())
    position.begin()
    log_id = Log.objects.get(slug="default").pk
    others: list[position.Position | None] = []

    def other() -> None:
        with position.held(log_id) as held:
            others.append(held)
        connection.close()

    with position.held(log_id) as held:
        assert held is not None
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    # SQLite has one serving process.
    assert (others == [None]) is (connection.vendor == "postgresql")


def test_a_fault_of_the_database_is_logged_once_and_passes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    append(Item(CARD), sender=make_sender())
    monkeypatch.setattr(follower, "AGAIN", 0.05)
    faults = [OperationalError("4111 1111 1111 1111")] * 3
    find_work = position.find_work

    def fail() -> list[int]:
        if faults:
            raise faults.pop()
        return find_work()

    monkeypatch.setattr(position, "find_work", fail)
    one = Follower()

    with caplog.at_level(logging.ERROR):
        one.start()
        until(lambda: Finding.objects.count() == 1)
    one.stop()

    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.getMessage().startswith("Findings cannot be made now: ")
    assert "4111" not in caplog.text


def test_it_continues_after_the_connection_was_lost() -> None:
    append(Item(CARD), sender=make_sender())
    first = Follower()
    first.start()
    until(lambda: reached() == 1)
    first.stop()
    append(Item(CARD), sender=make_sender())
    first.start()

    until(lambda: reached() == 2)

    first.stop()
    assert Finding.objects.filter(detector="repeated").count() == 1
