"""A request with an Idempotency-Key: nothing twice, nothing lost, and the same answer again."""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from auditlog.ingest import ndjson, plain, receive
from auditlog.ingest.body import CutOff, Piece, Unframed
from auditlog.ingest.item import Item, parse
from auditlog.ingest.repeats import idempotency
from auditlog.ingest.repeats.idempotency import LIFE, Reused
from auditlog.log import logs
from auditlog.models import IdempotentPiece, IdempotentRequest, Packet
from auditlog.sender import Sender
from tests.auditlog.ingest.repeats.attempts import begin, lines, messages, pass_time, run, send
from tests.auditlog.sending import WIRE, make_sender

pytestmark = pytest.mark.django_db


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


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("module", [receive, idempotency])
def test_the_next_pieces_are_read_while_a_few_are_stored(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, module: Any
) -> None:
    under_way: list[receive.Sent] = []
    numbers: list[int] = []

    class Watched(receive.Sent):
        def __init__(self, *piece: Any, **more: Any) -> None:
            super().__init__(*piece, **more)
            under_way.append(self)
            numbers.append(len(under_way))

        def receipts(self) -> list[receive.Receipt | receive.Rejection]:
            under_way.remove(self)
            return super().receipts()

    monkeypatch.setattr(receive, "Sent", Watched)
    if module is receive:
        assert len(list(receive.receive(ndjson.read(messages(20)), sender=sender))) == 20
    else:
        assert len(send(messages(20), sender)) == 20
    assert numbers == [1, 2, 3, 3, 3, 3, 3]


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
