"""Group commit: many waiting requests, few transactions, and each gets its own answer."""

import os
import threading
from collections.abc import Iterator, Sequence

import pytest
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.database.unavailable import Overloaded
from auditlog.log import group_commit
from auditlog.log.group_commit import Committer
from tests.auditlog.writing import insert_sources

pytestmark = pytest.mark.django_db(transaction=True)


class Spoiled(Exception):
    pass


class Gate:
    """A handler that holds the first group back until the others have queued behind it."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.entered = threading.Event()
        self.groups: list[list[str]] = []

    def __call__(self, cursor: CursorWrapper, rows: Sequence[str]) -> Sequence[str]:
        self.groups.append(list(rows))
        self.entered.set()
        assert self.opened.wait(10)
        if "bad" in rows:
            raise Spoiled
        insert_sources(cursor, rows)
        return [row.upper() for row in rows]


@pytest.fixture
def committer() -> Iterator[Committer]:
    committer = Committer(capacity=6)
    yield committer
    committer.stop()


def names() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM auditlog_source ORDER BY name")
        return [row[0] for row in cursor.fetchall()]


def test_requests_that_wait_share_a_commit_and_get_their_own_results(committer: Committer) -> None:
    gate = Gate()
    first = committer.submit(gate, ["a"])
    assert gate.entered.wait(10)
    others = [committer.submit(gate, rows) for rows in (["b"], ["c", "d"], ["e"])]
    gate.opened.set()
    assert first.result() == ["A"]
    assert [other.result() for other in others] == [["B"], ["C", "D"], ["E"]]
    assert gate.groups == [["a"], ["b", "c", "d", "e"]]
    assert names() == ["a", "b", "c", "d", "e"]


def test_an_error_goes_to_the_request_that_made_it(committer: Committer) -> None:
    gate = Gate()
    first = committer.submit(gate, ["a"])
    assert gate.entered.wait(10)
    good, bad, twice = (committer.submit(gate, [name]) for name in ("b", "bad", "a"))
    gate.opened.set()
    assert (first.result(), good.result()) == (["A"], ["B"])
    with pytest.raises(Spoiled):
        bad.result()
    with pytest.raises(Exception, match=r"(?i)unique"):
        twice.result()
    assert committer.submit(gate, ["c"]).result() == ["C"]
    assert names() == ["a", "b", "c"]


def test_a_full_queue_refuses_and_takes_again_later(committer: Committer) -> None:
    gate = Gate()
    waiting = [committer.submit(gate, ["a"])]
    assert gate.entered.wait(10)
    waiting.append(committer.submit(gate, ["b", "c", "d", "e", "f"]))
    with pytest.raises(Overloaded):
        committer.submit(gate, ["g"])
    patient = threading.Thread(
        target=lambda: waiting.append(committer.submit(gate, ["g"], wait=True))
    )
    patient.start()
    gate.opened.set()
    patient.join(10)
    assert [result for done in waiting for result in done.result()] == [
        "A",
        "B",
        "C",
        "D",
        "E",
        "F",
        "G",
    ]


def test_by_default_20_000_rows_may_wait() -> None:
    committer, gate = Committer(), Gate()
    try:
        first = committer.submit(gate, ["a"])
        assert gate.entered.wait(10)
        second = committer.submit(lambda _, rows: rows, [""] * 19_999)
        with pytest.raises(Overloaded):
            committer.submit(gate, ["b"])
    finally:
        gate.opened.set()
        committer.stop()
    assert (first.result(), len(second.result())) == (["A"], 19_999)


def test_one_request_larger_than_the_queue_is_taken_when_nothing_else_waits(
    committer: Committer,
) -> None:
    gate = Gate()
    gate.opened.set()
    assert committer.submit(gate, list("abcdefgh")).result() == list("ABCDEFGH")


def test_it_starts_again_after_a_stop(committer: Committer) -> None:
    gate = Gate()
    gate.opened.set()
    committer.submit(gate, ["a"])
    committer.stop()
    committer.stop()
    assert names() == ["a"]
    assert committer.submit(gate, ["b"]).result() == ["B"]


def test_inside_a_transaction_rows_share_its_fate() -> None:
    gate = Gate()
    gate.opened.set()
    with transaction.atomic():
        assert group_commit.submit(gate, ["a"]).result() == ["A"]
        assert names() == ["a"]
        transaction.set_rollback(True)
    assert names() == []


def test_a_forked_process_has_a_committer_of_its_own() -> None:
    before = group_commit._committer
    child = os.fork()
    if child == 0:
        os._exit(0 if group_commit._committer is not before else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert group_commit._committer is before
