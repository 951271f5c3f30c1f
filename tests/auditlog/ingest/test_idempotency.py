"""A request with an Idempotency-Key: nothing twice, nothing lost, and the same answer again."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.models import F

from auditlog.access import Sender
from auditlog.database.faults import Fault
from auditlog.database.unavailable import Stuck, Unavailable
from auditlog.ingest import idempotency, ndjson, plain, receive
from auditlog.ingest.body import CutOff, Piece, Unframed
from auditlog.ingest.idempotency import LEASE, LIFE, Attempt, Reused, Running, Unfinished
from auditlog.ingest.item import Item, parse
from auditlog.log import group_commit, logs, writer
from auditlog.log.commit.queue import Pending
from auditlog.models import IdempotentPiece, IdempotentRequest, Packet
from tests.auditlog.sending import WIRE, make_sender

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def sender() -> Sender:
    return make_sender()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of three items."""
    monkeypatch.setattr(ndjson, "PIECE", 3)
    monkeypatch.setattr(plain, "PIECE", 3)


def lines(*items: dict[str, Any]) -> list[bytes]:
    return [json.dumps(item).encode() + b"\n" for item in items]


def messages(amount: int, start: int = 0) -> list[bytes]:
    return lines(*({"wire": f"REQ/TSK|g={number},t=1"} for number in range(start, start + amount)))


def begin(sender: Sender, value: str = "k", request: bytes = b"r") -> Attempt:
    assert sender.key_id is not None
    return idempotency.begin(key_id=sender.key_id, value=value, request=request)


def run(
    attempt: Attempt, body: Iterable[bytes], sender: Sender, **more: Any
) -> list[dict[str, Any]]:
    answers = attempt.receive(ndjson.read(attempt.tap(body)), sender=sender, **more)
    decoded: list[dict[str, Any]] = json.loads(receive.encode(answers))
    return decoded


def send(
    body: Iterable[bytes], sender: Sender, value: str = "k", **more: Any
) -> list[dict[str, Any]]:
    return run(begin(sender, value), body, sender, **more)


def killed_after(
    amount: int, body: list[bytes], sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A try whose process ends when that many lines were read."""

    def cut() -> Iterator[bytes]:
        yield from body[:amount]
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "_release", lambda _self: None)
        with pytest.raises(Killed):
            send(cut(), sender)
    group_commit.stop()


def wires() -> list[str]:
    return [
        bytes(one).decode()
        for one in Packet.objects.order_by("leaf").values_list("wire", flat=True)
    ]


def pass_time(moment: timedelta) -> None:
    IdempotentRequest.objects.update(created=F("created") - moment, touched=F("touched") - moment)


def test_the_same_request_again_gets_the_same_receipts(sender: Sender) -> None:
    logs.create(slug="other")
    items = lines(
        {"wire": WIRE, "event_id": "a"},
        {"wire": WIRE, "event_id": "a"},
        {"wire": "REQ/XXX|g=1", "event_id": "a"},
        {"wire": "REQ/XXX|g=1", "log": "other"},
        {"wire": WIRE, "log": "nowhere", "event_id": "b"},
        {"wire": WIRE},
        {"wire": 7},
    )
    first = begin(sender)
    answers = run(first, items, sender)
    again = begin(sender)
    logs.create(slug="nowhere")

    assert [one["status"] for one in answers] == [201, 200, 409, 201, 422, 201, 422]
    assert run(again, items, sender) == answers
    assert (first.replayed, again.replayed) == (False, True)
    assert Packet.objects.count() == 3


@pytest.mark.usefixtures("small")
def test_blocks_and_pieces_may_differ_from_try_to_try(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = messages(10)
    answers = send([b"".join(body)], sender)
    monkeypatch.setattr(ndjson, "PIECE", 4)

    assert send([bytes([one]) for one in b"".join(body)], sender) == answers
    assert Packet.objects.count() == 10


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "other",
    [messages(9), messages(11), [*messages(9), b"{}"], [b"\n", *messages(10)], messages(10, 1), []],
    ids=["shorter", "longer", "last differs", "spaced", "first differs", "empty"],
)
def test_another_body_is_refused(sender: Sender, other: list[bytes]) -> None:
    send(messages(10), sender)

    with pytest.raises(Reused, match="another body"):
        send(other, sender)
    assert Packet.objects.count() == 10


def test_another_request_is_refused_before_its_body_is_read(sender: Sender) -> None:
    send(messages(1), sender)

    with pytest.raises(Reused, match="path"):
        begin(sender, request=b"other")


def test_keys_are_unique_by_api_key_and_value(sender: Sender) -> None:
    send(messages(1), sender)
    send(messages(1), sender, value="other")
    send(messages(1), make_sender("other"))

    assert Packet.objects.count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("amount", [7, 10, 13, 19])
def test_a_retry_goes_on_where_a_killed_one_ended(
    sender: Sender, amount: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = messages(20)
    killed_after(amount, body, sender, monkeypatch)
    stored = Packet.objects.count()
    assert 0 < stored < amount
    assert IdempotentRequest.objects.get().items == stored
    with pytest.raises(Running) as running:
        begin(sender)
    assert 1 <= running.value.retry_after <= LEASE.total_seconds()

    pass_time(LEASE)
    retry = begin(sender)
    answers = run(retry, body, sender)

    assert [(one["item"], one["status"], one["leaf"]) for one in answers] == [
        (n, 201, n) for n in range(20)
    ]
    assert wires() == [f"REQ/TSK|g={number},t=1" for number in range(20)]
    assert not retry.replayed
    assert send(body, sender) == answers


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small")
def test_a_retry_that_begins_otherwise_writes_nothing(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_after(13, messages(20), sender, monkeypatch)
    pass_time(LEASE)
    stored = Packet.objects.count()

    for other in ([*messages(2), *lines({"wire": WIRE}), *messages(17)], messages(stored - 1)):
        with pytest.raises(Reused):
            send(other, sender)
    assert Packet.objects.count() == stored


@pytest.mark.usefixtures("small")
def test_a_body_that_breaks_off_can_be_sent_again_at_once(sender: Sender) -> None:
    body = messages(20)

    def cut() -> Iterator[bytes]:
        yield from body[:13]
        raise CutOff("The body ended.")

    first = send(cut(), sender)
    assert [one["status"] for one in first] == [201] * 12 + [400]

    assert [one["leaf"] for one in send(body, sender)] == list(range(20))
    assert Packet.objects.count() == 20


@pytest.mark.usefixtures("small")
def test_a_body_over_a_limit_is_answered_the_same_again(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ndjson, "ITEM_LIMIT", 7)
    first = send(messages(9), sender)

    assert [one["status"] for one in first] == [201] * 7 + [413]
    assert send(messages(9), sender) == first
    assert Packet.objects.count() == 7


@pytest.mark.usefixtures("small")
def test_of_two_tries_one_writes(sender: Sender) -> None:
    one, other = begin(sender), begin(sender)
    run(one, messages(10), sender)

    with pytest.raises(Running):
        run(other, messages(10), sender)
    assert Packet.objects.count() == 10


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("before", [0, 1, 4])
@pytest.mark.usefixtures("small")
def test_a_try_that_a_fault_stopped_is_gone_on_with(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """The fault meets the piece behind so many that were stored. Those behind it are not stored
    either.
    """
    real, calls = writer.submit, 0

    def submit(*work: Any, **more: Any) -> Pending[writer.Outcome]:
        nonlocal calls
        calls += 1
        if calls != before + 1:
            return real(*work, **more)
        done: Future[Sequence[writer.Outcome]] = Future()
        done.set_exception(Stuck(Fault("locked", "")))
        return Pending(done)

    body = messages(30)
    with monkeypatch.context() as patch:
        patch.setattr(writer, "submit", submit)
        with pytest.raises(Unavailable) as stopped:
            send(body, sender)
    assert isinstance(stopped.value, Unfinished) is bool(before)
    group_commit.stop()
    answers = send(body, sender)
    group_commit.stop()
    assert [one["status"] for one in answers] == [201] * 30
    assert [one["leaf"] for one in answers] == list(range(30))
    assert wires() == [f"REQ/TSK|g={number},t=1" for number in range(30)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small")
def test_a_slow_try_that_was_overtaken_writes_no_more(sender: Sender) -> None:
    body = messages(20)
    overtaken: list[dict[str, Any]] = []

    def slow() -> Iterator[bytes]:
        yield from body[:13]
        group_commit.stop()
        pass_time(LEASE)
        overtaken.extend(send(body, sender))
        yield from body[13:]

    with pytest.raises(Running):
        send(slow(), sender)
    assert overtaken
    group_commit.stop()
    assert wires() == [f"REQ/TSK|g={number},t=1" for number in range(20)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("amount", [1, 40])
@pytest.mark.usefixtures("small")
def test_threads_with_one_key_write_once(sender: Sender, amount: int) -> None:
    barrier = threading.Barrier(4)
    outcomes: list[list[dict[str, Any]] | Exception] = []

    def work() -> None:
        try:
            attempt = begin(sender)
            barrier.wait(10)
            outcomes.append(run(attempt, messages(amount), sender))
        except Running as running:
            outcomes.append(running)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    group_commit.stop()

    answered = [one for one in outcomes if isinstance(one, list)]
    assert len(outcomes) == 4
    assert len(answered) == 1
    assert Packet.objects.count() == amount
    assert send(messages(amount), sender) == answered[0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("amount", [1, 40])
@pytest.mark.parametrize("log", ["default", None], ids=["one log", "a log each"])
@pytest.mark.usefixtures("small")
def test_processes_with_one_key_write_once(
    sender: Sender, amount: int, log: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thread has a committer of its own, as each process has; a log each means that no lock is
    shared.
    """
    barrier, mine = threading.Barrier(4), threading.local()
    outcomes: list[list[dict[str, Any]] | Exception] = []
    for number in range(4):
        logs.create(slug=f"log-{number}")

    def submit(*work: Any, **more: Any) -> Any:
        return mine.committer.submit(*work, **more)

    def work(number: int) -> None:
        mine.committer = group_commit.Committer()
        own = Sender(
            sender.source_id, sender.source, key_id=sender.key_id, log=log or f"log-{number}"
        )
        try:
            attempt = begin(own)
            barrier.wait(10)
            outcomes.append(run(attempt, messages(amount), own))
        except (Running, OperationalError) as refused:
            outcomes.append(refused)
        finally:
            mine.committer.stop()
            connection.close()

    with monkeypatch.context() as patch:
        patch.setattr(group_commit, "submit", submit)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)

    assert len([one for one in outcomes if isinstance(one, list)]) == 1
    assert len([one for one in outcomes if isinstance(one, Running)]) == 3
    assert Packet.objects.count() == amount


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("amount", [2, 8])
def test_a_request_of_which_nothing_was_stored_is_forgotten(sender: Sender, amount: int) -> None:
    refused = send(lines(*[{"wire": WIRE, "log": "later"}] * amount), sender)
    assert {one["status"] for one in refused} == {422}
    assert not IdempotentRequest.objects.exists()
    assert not IdempotentPiece.objects.exists()

    logs.create(slug="later")
    assert {one["status"] for one in send(lines({"wire": WIRE, "log": "later"}), sender)} == {201}


@pytest.mark.usefixtures("small")
def test_a_broken_request_of_which_nothing_was_stored_is_forgotten(sender: Sender) -> None:
    def cut() -> Iterator[bytes]:
        yield from lines(*[{"wire": 1}] * 8)
        raise CutOff("The body ended.")

    assert [one["status"] for one in send(cut(), sender)] == [422] * 6 + [400]
    assert not IdempotentRequest.objects.exists()
    assert not IdempotentPiece.objects.exists()


@pytest.mark.usefixtures("small")
def test_refused_pieces_are_part_of_a_request_of_which_something_is_stored(sender: Sender) -> None:
    body = [*lines(*[{"wire": 1}] * 7), *messages(1)]
    first = send(body, sender)

    assert [one["status"] for one in first] == [422] * 7 + [201]
    assert send(body, sender) == first


def test_after_a_day_a_key_is_new(sender: Sender) -> None:
    first = send(messages(1), sender)
    pass_time(LIFE)
    second = send(messages(1), sender)

    assert [first[0]["leaf"], second[0]["leaf"]] == [0, 1]
    assert IdempotentRequest.objects.count() == 1


def test_expired_requests_are_removed_a_few_at_a_time(sender: Sender) -> None:
    for number in range(12):
        send(messages(2), sender, value=str(number))
    pass_time(LIFE)
    counts = []
    for number in range(4):
        send(messages(1), sender, value=f"new-{number}")
        counts.append((IdempotentRequest.objects.count(), IdempotentPiece.objects.count()))

    assert counts == [(8, 8), (4, 4), (3, 3), (4, 4)]


@pytest.mark.usefixtures("small")
def test_a_request_whose_end_cannot_be_told_may_go_on(sender: Sender) -> None:
    whole = messages(20)
    first = send(whole[:13], sender, framed=False)
    same = begin(sender)
    assert run(same, whole[:13], sender, framed=False) == first
    assert same.replayed

    assert [one["leaf"] for one in send(whole, sender)] == list(range(20))
    with pytest.raises(Reused):
        send(whole[:13], sender, framed=False)


def test_spans_of_a_text_are_made_again(sender: Sender) -> None:
    text = f"12:00 planner: {WIRE}\nprose\nREQ/XXX|g=1,!=\udcff\n".encode(errors="surrogateescape")

    def read() -> list[Any]:
        attempt = begin(sender)
        return attempt.receive(plain.Reader().read(attempt.tap([text])), sender=sender)

    first = read()
    assert [one.span for one in first] == [(15, 15 + len(WIRE)), (58, 73)]
    assert receive.encode(read()) == receive.encode(first)


def test_a_text_is_the_same_whenever_it_is_read(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line without a year gets the year of its receipt, which another try may see otherwise."""

    def read(received: str) -> list[Any]:
        monkeypatch.setattr(plain, "to_item", lambda found, **_: Item(found.wire, sent_at=received))
        attempt = begin(sender)
        return attempt.receive(
            plain.Reader().read(attempt.tap([b"REQ/TSK|g=1\n"])), sender=sender, framed=False
        )

    first = read("2026-12-31T10:00:01Z")
    assert receive.encode(read("2027-12-31T10:00:01Z")) == receive.encode(first)


def test_bytes_that_are_not_text_tell_bodies_apart(sender: Sender) -> None:
    def read(raw: bytes) -> list[Any]:
        attempt = begin(sender)
        return attempt.receive(plain.Reader().read(attempt.tap([raw])), sender=sender, framed=False)

    read(b"REQ/TSK|g=1,!=\xff\n")
    with pytest.raises(Reused):
        read(b"REQ/TSK|g=1,!=\xfe\n")


def test_an_erased_packet_is_not_answered_as_stored(sender: Sender) -> None:
    send(messages(3), sender)
    gone = Packet.objects.get(leaf=1)
    gone.seed.delete()
    gone.delete()

    answers = send(messages(3), sender)

    assert [one["status"] for one in answers] == [201, 410, 201]


def test_every_fact_of_an_item_tells_bodies_apart() -> None:
    facts = {
        "protocol": "nslip", "dialect": "nslip/1", "event_id": "e",
        "sent_at": "2026-11-20T10:00:01Z", "from": "a",
        "to": "b", "goal": 1, "task": "1", "thread": "t", "tags": ["x"], "content": "c",
        "log": "default",
        "attributes": {"trace_id": [1, {"a": None}]},
    }  # fmt: skip
    items = [
        parse(json.dumps({"wire": WIRE} | {name: value}).encode()) for name, value in facts.items()
    ]
    again = [
        parse(json.dumps({"wire": WIRE} | {name: value}).encode()) for name, value in facts.items()
    ]

    written = [idempotency._written(one) for one in items]
    assert written == [idempotency._written(one) for one in again]
    assert len(set(written)) == len(facts)


@pytest.mark.parametrize(
    ("read", "complete", "ending", "stored", "cut"),
    [
        (ndjson.read, ndjson.complete, '{"wire":"A"}\n{"wire":"B"}', 2, False),
        (ndjson.read, ndjson.complete, '{"wire":"A"}\n{"wire":"B"', 1, True),
        (ndjson.read, ndjson.complete, '{"wire":"A"}\n  ', 1, False),
        (
            plain.Reader(protocol="nslip").read,
            lambda _: False,
            "ACC/PLN|g=4\nACC/PLN|g=42",
            1,
            True,
        ),
        (
            plain.Reader(protocol="nslip").read,
            lambda _: False,
            "ACC/PLN|g=4\nACC/PLN|g=42\n",
            2,
            False,
        ),
    ],
)
def test_a_last_line_that_may_be_cut_is_not_read(
    read: Callable[[Iterable[bytes]], Iterator[Piece]],
    complete: Callable[[bytes], bool],
    ending: str,
    stored: int,
    *,
    cut: bool,
) -> None:
    body = Unframed(
        [ending[at : at + 5].encode() for at in range(0, len(ending), 5)], complete=complete
    )
    pieces, found = body.checked(read(body)), 0
    try:
        for piece in pieces:
            found += len(piece.items)
        broken = False
    except CutOff:
        broken = True

    assert (found, broken) == (stored, cut)


def test_a_request_is_dated_by_our_clock(sender: Sender) -> None:
    before = datetime.now(UTC)
    send(messages(1), sender)

    assert before <= IdempotentRequest.objects.get().created <= datetime.now(UTC)
