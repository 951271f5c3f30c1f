"""The write-ahead log is copied after the answers, and its length stays within a limit."""

import threading
from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection

from auditlog.log.commit import tuning
from auditlog.log.group_commit import Committer
from tests.auditlog.writing import insert_sources

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL copies by itself"),
    pytest.mark.skipif(not tuning._CAN_ASK, reason="this SQLite copies within commits"),
]


@pytest.fixture
def committer() -> Iterator[Committer]:
    """With another connection: the last one to close would copy everything."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM auditlog_source")
    committer = Committer()
    yield committer
    committer.stop()


def read_pages() -> tuple[int, int]:
    """Return how many pages the write-ahead log has, and how many of them are copied."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(NOOP)")
        _, pages, copied = cursor.fetchone()
    return pages, copied


def test_a_long_log_is_copied_after_a_commit(
    committer: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "PAGES", 1)
    committer.submit(insert_sources, ["a"]).result()
    committer.stop()

    pages, copied = read_pages()
    assert pages == copied > 0


def test_a_short_log_is_not_copied(committer: Committer) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    committer.submit(insert_sources, ["a"]).result()
    committer.stop()

    pages, copied = read_pages()
    assert 0 == copied < pages


def test_the_answer_does_not_wait_for_the_copy(
    committer: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, waits = threading.Event(), list[bool]()
    monkeypatch.setattr(tuning, "copy", lambda: waits.append(answered.wait(10)))

    committer.submit(insert_sources, ["a"]).result()
    answered.set()
    committer.stop()

    assert waits == [True]


class Failing:
    """A limit that cannot be compared, as if the database could not be read."""

    def __le__(self, _: object) -> bool:
        raise OperationalError("disk I/O error")


def test_a_fault_while_copying_stops_nothing(
    committer: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "PAGES", Failing())
    committer.submit(insert_sources, ["a"]).result()

    assert committer.submit(insert_sources, ["b"]).result() == ["b"]
