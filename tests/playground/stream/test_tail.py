"""The end of a log, followed by the leaves of its packets."""

import pytest
from django.contrib.auth.models import User

from auditlog import review
from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log
from auditlog.search.query import QueryError
from playground.audit.marks import WAITING
from playground.stream import tail
from playground.stream.feeds import Batch
from playground.stream.summary import UNREAD, Row
from playground.stream.tail import Tail
from tests.auditlog.sending import append, keep, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Log:
    return Log.objects.get(slug="default")


def numbers(batch: Batch) -> list[int]:
    return [line.number for line in batch.lines if isinstance(line, Row)]


def test_it_begins_with_the_newest_packets_and_goes_on_behind_them(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "BACKLOG", 2)
    sender = make_sender()
    append(*(Item(f"REQ/TSK|g={at},t=1") for at in range(3)), sender=sender)
    feed = Tail(log)
    first = feed.read(None)
    append(Item("ACC/PLN|g=9,t=1"), sender=sender)

    second = feed.read(first.to)

    assert numbers(first) == [1, 2]
    assert (second.since, second.to, numbers(second)) == (2, 3, [3])
    assert (second.messages, second.tokens, second.hidden) == (1, 11, 0)


def test_a_query_chooses_and_what_it_holds_back_is_counted(log: Log) -> None:
    sender = make_sender()
    feed = Tail(log, "goal:1 OR is:invalid")
    assert feed.read(None).lines == []
    append(Item("REQ/TSK|g=1,t=1"), Item("REQ/TSK|g=2,t=1"), Item("RJE/PLN|g=3"), sender=sender)

    batch = feed.read(-1)

    assert numbers(batch) == [0, 2]
    assert (batch.messages, batch.hidden) == (3, 1)


def test_each_part_of_a_query_is_about_new_packets(log: Log) -> None:
    append(Item("REQ/TSK|g=1,t=1"), Item("RJE/PLN|g=3"), sender=make_sender())

    batch = Tail(log, "goal:1 OR is:invalid").read(0)

    assert (numbers(batch), batch.messages) == ([1], 1)


def test_what_arrives_while_it_reads_is_counted_with_the_next_batch(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(*(Item(f"REQ/TSK|g={at},t=1") for at in range(3)), sender=make_sender())
    monkeypatch.setattr(Tail, "_size", lambda _feed: 2)

    batch = Tail(log).read(-1)

    assert (numbers(batch), batch.to, batch.messages, batch.hidden) == ([0, 1], 1, 2, 0)


def test_a_line_has_the_marks_of_what_was_found(log: Log) -> None:
    wire = "PROC|FIN|return:a|p:1|aacp:1.1|filter:card=4111111111111111"
    append(Item(wire), Item("ACC/PLN|g=9,t=1"), sender=make_sender())
    before = [line.marks for line in Tail(log).read(None).lines if isinstance(line, Row)]
    while Follower().step():
        pass

    lines = [line for line in Tail(log).read(None).lines if isinstance(line, Row)]

    assert before == [[WAITING], [WAITING]]
    assert [mark.title for mark in lines[0].marks] == ["Sensitive data: card number"]
    assert [mark.title for mark in lines[1].marks] == ["Conversation flow: accept of nothing"]


def test_leaves_that_are_no_packets_are_no_gap(log: Log) -> None:
    packet = keep(Item("REQ/TSK|g=1,t=1"))
    review.mark(packet=packet, who=User.objects.create_user("ada"), state="flagged", note="")
    feed = Tail(log)
    first = feed.read(None)

    assert first.to == 1
    assert feed.read(first.to).lines == []


def test_other_logs_stay_out(log: Log) -> None:
    logs.create(slug="other")
    append(Item("REQ/TSK|g=1,t=1", log="other"), sender=make_sender())

    assert Tail(log).read(None).lines == []


def test_more_than_a_view_shows_is_skipped_and_said(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "SHOWN", 2)
    feed = Tail(log)
    append(*(Item(f"REQ/TSK|g={at},t=1") for at in range(5)), sender=make_sender())

    batch = feed.read(-1)

    assert (numbers(batch), batch.skipped, batch.to) == ([3, 4], 3, 4)


def test_a_query_that_cannot_be_read_is_refused_at_once(log: Log) -> None:
    with pytest.raises(QueryError):
        Tail(log, "goal:1) OR (goal:2")


@pytest.mark.django_db(transaction=True)
def test_waiting_ends_when_nothing_comes(log: Log) -> None:
    feed = Tail(log)

    assert not feed.wait(feed.read(None).to, 0.01)


def test_a_batch_decodes_the_newest_packets_up_to_a_limit(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    wires = ("RJE/PLN|g=1", "REQ/TSK|g=1\x07,t=2", "REQ/TSK|g=3,t=1")
    append(*map(Item, wires), sender=make_sender())
    full = [line for line in Tail(log).read(-1).lines if isinstance(line, Row)]
    monkeypatch.setattr(tail, "DECODED", len("REQ/TSK|g=3,t=1"))

    short = [line for line in Tail(log).read(-1).lines if isinstance(line, Row)]

    assert short[2] == full[2]
    for undecoded, decoded in zip(short[:2], full, strict=False):
        assert undecoded.severity == decoded.severity == "error"
        assert undecoded.protocol == decoded.protocol
        assert undecoded.tokens == decoded.tokens
        assert (undecoded.number, undecoded.at) == (decoded.number, decoded.at)
        assert undecoded.english == UNREAD
        text = "".join(text for _, text in undecoded.wire)
        assert text == "".join(text for _, text in decoded.wire)
