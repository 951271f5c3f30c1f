"""What becomes of rows while the database cannot be written: a bounded wait, and an answer that is
true.
"""

import logging
import operator
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, InterfaceError, connection, connections, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.database import database_file, pulse
from auditlog.database.errands import Errand
from auditlog.database.faults import Fault
from auditlog.database.unavailable import Stuck, Unknown
from auditlog.log import group_commit
from auditlog.log.commit import queue, tuning
from auditlog.log.group_commit import Committer
from auditlog.models import Source
from tests.auditlog.writing import another_writer, insert_sources
from tests.database.faults import database_error

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def committer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Committer]:
    """With little patience, and a record of commits of its own."""
    monkeypatch.setattr(group_commit, "PATIENCE", 0.3)
    monkeypatch.setattr(tuning, "STEP", 0.1)
    monkeypatch.setattr(group_commit, "LEISURE", 0.0)
    monkeypatch.setattr(group_commit, "AGAIN", 0.1)
    own = pulse.Pulse()
    for name in ("read", "succeed", "fail"):
        monkeypatch.setattr(pulse, name, getattr(own, name))
    committer = Committer()
    yield committer
    committer.stop()


def names() -> list[str]:
    return sorted(Source.objects.values_list("name", flat=True))


def until(fits: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not fits():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def test_a_short_lock_is_waited_for(committer: Committer) -> None:
    committer.submit(insert_sources, ["a"]).result()
    with another_writer("auditlog_source"):
        waiting = committer.submit(insert_sources, ["b"])
        time.sleep(0.15)
    assert waiting.result() == ["b"]
    assert names() == ["a", "b"]


def test_a_long_lock_gives_the_rows_back_and_they_are_not_stored(
    committer: Committer, caplog: pytest.LogCaptureFixture
) -> None:
    with another_writer("auditlog_source"):
        waiting = [committer.submit(insert_sources, [name]) for name in "abc"]
        for one in waiting:
            with pytest.raises(Stuck, match=r"locked the database.*None of this was stored"):
                one.result()
        said = [record.getMessage() for record in caplog.records]
        assert len(said) == 1
        assert said[0].startswith("No packet can be stored (locked): OperationalError ")
    until(lambda: pulse.read().fault is None)
    assert names() == []


def test_new_rows_are_refused_at_once_while_it_lasts_and_taken_again_afterwards(
    committer: Committer,
) -> None:
    with another_writer("auditlog_source"):
        with pytest.raises(Stuck):
            committer.submit(insert_sources, ["a"]).result()
        began = time.monotonic()
        for _ in range(50):
            with pytest.raises(Stuck):
                committer.submit(insert_sources, ["b"])
            time.sleep(0.002)  # room for the committer, whose attempts must not end it
        assert time.monotonic() - began < group_commit.PATIENCE
    until(lambda: pulse.read().fault is None)
    assert committer.submit(insert_sources, ["c"]).result() == ["c"]
    assert names() == ["c"]


def test_rows_that_waited_too_long_go_back_and_the_others_are_tried_again(
    committer: Committer,
) -> None:
    now = time.monotonic()
    late, early = (
        [queue.Work(insert_sources, ["a"], None, now + by) for _ in "ab"] for by in (-1, 60)
    )
    backlog = queue.Backlog(SimpleQueue())
    backlog.works = deque([late[1], early[1]])

    again = committer._wait([late[0], early[0]], backlog, Fault("locked", ""))

    assert again == [early[0]]
    assert list(backlog.works) == [early[1]]
    for work in late:
        assert isinstance(work.done.exception(0), Stuck)


@pytest.mark.parametrize(("lasted", "pauses"), [(0.0, 1), (0.09, 1), (0.11, 0), (1.0, 0)])
def test_only_an_attempt_that_failed_at_once_is_followed_by_a_pause(
    committer: Committer, monkeypatch: pytest.MonkeyPatch, lasted: float, pauses: int
) -> None:
    slept: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 1_000.0, sleep=slept.append)
    monkeypatch.setattr(group_commit, "time", clock)
    committer._began = 1_000.0 - lasted

    committer._wait([], queue.Backlog(SimpleQueue()), Fault("locked", ""))

    assert len(slept) == pauses


def test_later_pieces_of_a_request_wait_longer(committer: Committer) -> None:
    with another_writer("auditlog_source"):
        waiting = committer.submit(insert_sources, ["a"], wait=True)
        with pytest.raises(Stuck):
            committer.submit(insert_sources, ["b"]).result()
    assert waiting.result() == ["a"]
    assert names() == ["a"]


def test_it_stops_although_the_lock_is_held(committer: Committer) -> None:
    with another_writer("auditlog_source"):
        waiting = committer.submit(insert_sources, ["a"])
        committer.stop()
        with pytest.raises(Stuck):
            waiting.result()


def test_a_commit_that_hangs_has_an_unknown_outcome_and_what_waits_behind_it_is_not_stored(
    committer: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "HANGING", 0.3)
    entered, release = threading.Event(), threading.Event()

    def hang(cursor: CursorWrapper, rows: Sequence[str]) -> Sequence[str]:
        entered.set()
        release.wait(10)
        return insert_sources(cursor, rows)

    first = committer.submit(hang, ["a"])
    assert entered.wait(10)
    second = committer.submit(insert_sources, ["b"])
    with pytest.raises(Unknown, match="may or may not have been stored"):
        first.result()
    with pytest.raises(Stuck):
        second.result()
    with pytest.raises(Stuck):
        committer.submit(insert_sources, ["c"])
    assert pulse.read().fault == queue.SILENT
    release.set()
    until(lambda: names() == ["a"])
    until(lambda: committer._began is None)  # The commit is seen before the thread has ended it.
    assert committer.submit(insert_sources, ["d"]).result() == ["d"]
    assert names() == ["a", "d"]


def test_a_result_that_comes_when_the_wait_is_over_is_given() -> None:
    class Late(Future[Sequence[str]]):
        def result(self, timeout: float | None = None) -> Sequence[str]:
            if timeout is not None:
                raise TimeoutError
            return super().result()

    done = Late()
    done.set_result(["a"])
    assert queue.Pending(done).result() == ["a"]


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("SQLITE_FULL", Stuck),
        ("SQLITE_READONLY", Stuck),
        ("SQLITE_BUSY", Stuck),
        ("SQLITE_IOERR", Unknown),
    ],
)
def test_a_commit_that_fails_is_told_as_what_it_is(
    committer: Committer, monkeypatch: pytest.MonkeyPatch, code: str, answer: type[Exception]
) -> None:
    committer.submit(insert_sources, ["a"]).result()
    tries = 0

    def fail(_connection: object) -> None:
        nonlocal tries
        tries += 1
        raise database_error(code, "it failed")

    with monkeypatch.context() as patch:
        patch.setattr(type(connections["default"]), "commit", fail)
        with pytest.raises(answer):
            committer.submit(insert_sources, ["b"]).result()
    assert tries == 1
    assert pulse.read().fault is not None
    assert committer.submit(insert_sources, ["c"]).result() == ["c"]
    assert pulse.read().fault is None
    assert names() == ["a", "c"]


def test_a_fault_while_writing_is_told_to_all_that_wait_and_tried_once(
    committer: Committer,
) -> None:
    entered, release, tries = threading.Event(), threading.Event(), 0

    def first(cursor: CursorWrapper, rows: Sequence[str]) -> Sequence[str]:
        entered.set()
        release.wait(10)
        return insert_sources(cursor, rows)

    def full(_cursor: CursorWrapper, _rows: Sequence[str]) -> Sequence[str]:
        nonlocal tries
        tries += 1
        raise database_error("SQLITE_FULL", "database or disk is full")

    committer.submit(first, ["a"])
    assert entered.wait(10)
    waiting = [committer.submit(full, [name]) for name in "bcd"]
    release.set()
    for one in waiting:
        with pytest.raises(Stuck, match="The disk is full"):
            one.result()
    assert tries == 1
    assert names() == ["a"]


def test_a_connection_that_was_lost_is_made_again(committer: Committer) -> None:
    committer.submit(insert_sources, ["a"]).result()
    tries = 0

    def once(cursor: CursorWrapper, rows: Sequence[str]) -> Sequence[str]:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise InterfaceError("the connection is closed")
        return insert_sources(cursor, rows)

    assert committer.submit(once, ["b"]).result() == ["b"]
    assert tries == 2
    assert names() == ["a", "b"]


def test_a_database_that_stays_away_is_told_after_one_more_try(committer: Committer) -> None:
    committer.submit(insert_sources, ["a"]).result()
    tries = 0

    def never(_cursor: CursorWrapper, _rows: Sequence[str]) -> Sequence[str]:
        nonlocal tries
        tries += 1
        raise InterfaceError("the connection is closed")

    with pytest.raises(Stuck, match="cannot be reached"):
        committer.submit(never, ["b"]).result()
    assert tries == 2


def count(cursor: CursorWrapper, values: Mapping[Any, Any]) -> None:
    insert_sources(cursor, [f"{about}={value}" for about, value in values.items()])


COUNT = Errand(count, operator.add)


def test_errands_are_merged_and_written_when_there_is_time(
    committer: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "LEISURE", 0.3)
    for about in "aab":
        committer.run(COUNT, about, 1)
    until(lambda: names() == ["a=2", "b=1"])


def test_errands_wait_for_a_lock_in_short_steps(committer: Committer) -> None:
    waits: list[str] = []

    def note(cursor: CursorWrapper, _values: Mapping[Any, Any]) -> None:
        cursor.execute(
            "PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout"
        )
        waits.append(str(cursor.fetchone()[0]))

    committer.run(Errand(note, max), "a", 1)
    until(lambda: bool(waits))
    assert waits == ["100" if connection.vendor == "sqlite" else "100ms"]


def test_errands_are_written_before_it_stops(
    committer: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "LEISURE", 60.0)
    committer.run(COUNT, "a", 1)
    committer.stop()
    assert names() == ["a=1"]


def test_errands_wait_for_a_lock_and_keep_nobody_waiting(committer: Committer) -> None:
    with another_writer("auditlog_source"):
        began = time.monotonic()
        committer.run(COUNT, "a", 1)
        assert time.monotonic() - began < 5
        time.sleep(0.3)
        committer.run(COUNT, "b", 1)
    until(lambda: names() == ["a=1", "b=1"])


def test_an_errand_that_fails_by_itself_is_lost_and_logged(
    committer: Committer, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_cursor: CursorWrapper, _values: Mapping[Any, Any]) -> None:
        raise ValueError("hunter2")

    committer.run(Errand(broken, max), "a", 1)
    until(lambda: bool(caplog.records))
    assert committer.submit(insert_sources, ["b"]).result() == ["b"]
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.ERROR, "Errands were lost: ValueError")
    ]


def test_an_errand_inside_a_transaction_shares_its_fate() -> None:
    with transaction.atomic():
        group_commit.run(COUNT, "a", 1)
        assert names() == ["a=1"]
        transaction.set_rollback(True)
    assert names() == []


@pytest.mark.parametrize(
    ("error", "answer"),
    [(RuntimeError("4111"), Unknown), (IntegrityError("4111"), IntegrityError)],
)
def test_a_commit_that_fails_in_a_strange_way_may_have_happened(
    committer: Committer,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    answer: type[Exception],
) -> None:
    def fail() -> None:
        raise error

    # After the commit, as the last part of the stage.
    monkeypatch.setattr(database_file, "require_written", fail)

    with pytest.raises(answer) as raised:
        committer.submit(insert_sources, ["a"]).result()

    assert isinstance(raised.value, IntegrityError) or "4111" not in str(raised.value)
