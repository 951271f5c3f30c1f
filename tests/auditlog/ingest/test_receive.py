"""From a body to receipts: every item is answered in its place."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Any

import pytest

from auditlog.database import unavailable
from auditlog.database.faults import Fault
from auditlog.ingest import body, ndjson, plain, receive
from auditlog.ingest.body import BadBody, Piece
from auditlog.ingest.item import Item
from auditlog.log import group_commit, logs, writer
from auditlog.log.commit.queue import Pending
from auditlog.log.draft import Draft
from auditlog.log.writer import Outcome
from auditlog.models import Leaf, Packet
from auditlog.search import index
from auditlog.sender import Sender
from tests.auditlog.sending import WIRE, make_sender

pytestmark = pytest.mark.django_db


def send(
    *items: dict[str, Any], sender: Sender | None = None, strict: bool = False
) -> list[dict[str, Any]]:
    lines = b"\n".join(json.dumps(item).encode() for item in items)
    receipts = receive.receive(ndjson.read([lines]), sender=sender or make_sender(), strict=strict)
    answered: list[dict[str, Any]] = json.loads(receive.encode(receipts))
    return answered


def test_a_receipt_says_what_became_of_the_item_and_no_more() -> None:
    (receipt,) = send({"wire": WIRE, "event_id": "e"})
    packet = Packet.objects.get()
    assert receipt == {
        "item": 0,
        "event_id": "e",
        "status": 201,
        "packet": packet.uid,
        "log": "default",
        "leaf": 0,
        "leaf_hash": bytes(Leaf.objects.get().hash).hex(),
        "valid": True,
        "diagnostics": [],
    }


def test_a_receipt_of_a_broken_message_carries_its_diagnostics() -> None:
    (receipt,) = send({"wire": "REQ/XXX|g=1"})
    assert (receipt["status"], receipt["valid"], receipt["event_id"]) == (201, False, None)
    (found,) = receipt["diagnostics"]
    assert list(found) == ["code", "severity", "span", "message", "section", "fix"]
    assert (found["code"], found["span"]) == ("nslip.unknown-frame", [4, 7])


def test_a_bad_item_loses_no_neighbour() -> None:
    logs.create(slug="other")
    sender = make_sender()
    items: list[dict[str, Any]] = [
        {"wire": WIRE},
        {"wire": 5, "event_id": "x"},
        {"wire": WIRE, "log": "nowhere"},
        {"wire": WIRE, "protocol": "morse"},
        {"wire": WIRE, "dialect": "nslip/9"},
        {"wire": "x" * (4 * 1024 * 1024 + 1)},
        {"wire": WIRE, "event_id": "e", "log": "other"},
        {"wire": "other", "event_id": "e", "log": "other"},
    ]
    receipts = send(*items, sender=sender)
    assert [(one["item"], one["status"]) for one in receipts] == list(
        enumerate([201, 422, 422, 422, 422, 413, 201, 409])
    )
    refused = [one for one in receipts if one["status"] > 201]
    assert all(list(one) == ["item", "event_id", "status", "error"] for one in refused)
    assert [one["error"]["pointer"] for one in refused] == [
        "/wire",
        "/log",
        "/protocol",
        "/dialect",
        "/wire",
        "/event_id",
    ]
    assert [one["event_id"] for one in refused] == ["x", None, None, None, None, "e"]
    assert Packet.objects.count() == 2


def test_strict_refuses_invalid_messages_and_keeps_the_others() -> None:
    receipts = send({"wire": WIRE}, {"wire": "REQ/XXX|g=1"}, {"wire": "prose"}, strict=True)
    assert [one["status"] for one in receipts] == [201, 422, 422]
    assert receipts[1]["error"]["pointer"] == "/wire"
    assert Packet.objects.count() == 1


def test_one_wire_is_one_packet_as_it_is() -> None:
    wire = f"  {WIRE}\n{WIRE}\r\n"
    send({"wire": wire})
    assert bytes(Packet.objects.get().wire) == wire.encode()


def test_a_named_protocol_and_dialect_are_used() -> None:
    send(
        {"wire": "prose", "protocol": "nslip", "dialect": "nslip/1"},
        {"wire": WIRE, "protocol": "auto"},
    )
    assert list(Packet.objects.order_by("leaf").values_list("protocol", "valid")) == [
        ("nslip", False),
        ("nslip", True),
    ]


def test_a_key_of_one_log_writes_there_and_nowhere_else() -> None:
    logs.create(slug="other")
    plain_sender = make_sender()
    sender = Sender(
        plain_sender.source_id, plain_sender.source, key_id=plain_sender.key_id, log="other"
    )
    first, second = send({"wire": WIRE}, {"wire": WIRE, "log": "default"}, sender=sender)
    assert (first["status"], first["log"]) == (201, "other")
    assert (second["status"], second["error"]["pointer"]) == (422, "/log")


def test_receipts_of_text_have_spans() -> None:
    text = f"12:00 planner: {WIRE}\nprose\nREQ/XXX|g=1\n"
    reader = plain.Reader()
    receipts = receive.receive(reader.read([text.encode()]), sender=make_sender())
    answered = json.loads(receive.encode(receipts))
    assert [text[slice(*one["span"])] for one in answered] == [WIRE, "REQ/XXX|g=1"]


def test_bytes_that_are_not_utf_8_are_kept() -> None:
    raw = b"REJ/PLN|g=42,!=gr\xf6\xdfe"
    (receipt,) = receive.receive(plain.Reader().read([raw + b"\n"]), sender=make_sender())
    assert isinstance(receipt, receive.Receipt)
    assert not receipt.valid
    assert bytes(Packet.objects.get().wire) == raw


def test_a_body_that_cannot_be_read_keeps_nothing() -> None:
    def blocks() -> Iterator[bytes]:
        yield b'{"wire":"'
        raise BadBody("It broke.")

    with pytest.raises(BadBody, match="It broke"):
        receive.receive(ndjson.read(blocks()), sender=make_sender())
    assert Packet.objects.count() == 0


def test_a_body_that_breaks_off_later_keeps_what_came_before_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ndjson, "PIECE", 2)
    monkeypatch.setattr(ndjson, "ITEM_LIMIT", 4)
    line = json.dumps({"wire": WIRE}).encode() + b"\n"
    receipts = receive.receive(ndjson.read([line * 5]), sender=make_sender())
    assert [one.status for one in receipts] == [201] * 4 + [413]
    last = receipts[-1]
    assert isinstance(last, receive.Rejection)
    assert last.item == 4
    assert "4 items" in last.error.detail
    assert Packet.objects.count() == 4


def test_an_empty_body_has_no_receipts() -> None:
    assert receive.receive(ndjson.read([]), sender=make_sender()) == []


def test_items_at_hand_are_kept_too() -> None:
    (receipt,) = receive.keep([Item(WIRE)], sender=make_sender())
    assert isinstance(receipt, receive.Receipt)
    assert receipt.packet == Packet.objects.get().uid


def test_ten_thousand_with_one_in_a_hundred_broken_are_all_answered() -> None:
    lines = [
        json.dumps(
            {"wire": f"REQ/TSK|g={n}" if n % 100 else f"REQ/XXX|g={n}", "event_id": str(n)}
        ).encode()
        for n in range(10_000)
    ]
    receipts = receive.receive(ndjson.read([b"\n".join(lines)]), sender=make_sender())
    assert [one.item for one in receipts] == list(range(10_000))
    assert all(
        isinstance(one, receive.Receipt) and one.valid == bool(n % 100)
        for n, one in enumerate(receipts)
    )
    assert Packet.objects.filter(valid=False).count() == 100
    assert list(Packet.objects.order_by("log", "leaf").values_list("event_id", flat=True)) == [
        str(n) for n in range(10_000)
    ]


@pytest.mark.django_db(transaction=True)
def test_a_full_queue_refuses_the_whole_body_before_anything_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sender = make_sender()
    full = group_commit.Committer(capacity=1)
    full._pending = 1
    monkeypatch.setattr(group_commit, "_committer", full)
    with pytest.raises(unavailable.Overloaded):
        receive.keep([Item(WIRE)], sender=sender)
    assert Packet.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_pieces_are_committed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ndjson, "PIECE", 3)
    line = json.dumps({"wire": WIRE}).encode() + b"\n"
    receipts = receive.receive(ndjson.read([line * 10]), sender=make_sender())
    group_commit.stop()
    index.forget()
    assert [one.leaf for one in receipts if isinstance(one, receive.Receipt)] == list(range(10))
    assert Packet.objects.count() == 10


def test_limits_are_those_of_the_interface() -> None:
    assert (body.STREAM_LIMIT, body.ARRAY_LIMIT, body.ITEM_LIMIT, body.PIECE) == (
        64 << 20,
        8 << 20,
        20_000,
        500,
    )


class Failing:
    """A writer whose pieces end as a test says: None is stored, an error is raised."""

    def __init__(self, *ends: Exception | None) -> None:
        self.ends = iter(ends)

    def __call__(self, drafts: Sequence[Draft], **_: object) -> Pending[Outcome]:
        done: Future[Sequence[Outcome]] = Future()
        end = next(self.ends)
        if end is None:
            done.set_result(
                [Outcome(201, one.uid, one.log, 0, "", one.valid, "[]") for one in drafts]
            )
        else:
            done.set_exception(end)
        return Pending(done)


LOCKED = Fault("locked", "OperationalError SQLITE_BUSY")


@pytest.mark.parametrize(
    ("ends", "stored", "words"),
    [
        (
            (None, None, unavailable.Stuck(LOCKED)),
            [0, 1, 2, 3],
            "4 items were stored.*No other item was stored",
        ),
        (
            (None, unavailable.Stuck(LOCKED), None),
            [0, 1, 4, 5],
            "4 items were stored.*No other item was stored",
        ),
        ((None, None, unavailable.Unknown(LOCKED)), [0, 1, 2, 3], "Others may have been stored"),
        ((unavailable.Unknown(LOCKED), None, None), [2, 3, 4, 5], "Others may have been stored"),
    ],
)
@pytest.mark.django_db
def test_what_was_stored_before_and_after_a_fault_is_told(
    monkeypatch: pytest.MonkeyPatch,
    ends: tuple[Exception | None, ...],
    stored: list[int],
    words: str,
) -> None:
    sender = make_sender()
    monkeypatch.setattr(writer, "submit", Failing(*ends))
    pieces = [Piece([Item(WIRE), Item(WIRE)]) for _ in ends]
    with pytest.raises(receive.Interrupted, match=words) as told:
        receive.receive(pieces, sender=sender)
    assert [one.item for one in told.value.results] == stored
    assert str(told.value).startswith(LOCKED.message)


@pytest.mark.parametrize(
    "end", [unavailable.Stuck(LOCKED), unavailable.Unknown(LOCKED), unavailable.Overloaded()]
)
@pytest.mark.django_db
def test_a_fault_before_anything_was_stored_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch, end: Exception
) -> None:
    sender = make_sender()
    monkeypatch.setattr(writer, "submit", Failing(end))
    with pytest.raises(type(end)) as told:
        receive.receive([Piece([Item(WIRE)])], sender=sender)
    assert told.value is end


def test_equal_messages_are_decoded_once_and_each_as_it_was_asked_for() -> None:
    wire = "REQ/XXX|g=1"
    items: list[dict[str, Any]] = [
        {"wire": wire},
        {"wire": wire, "protocol": "slip"},
        {"wire": wire},
    ]

    receipts = send(*items)

    assert [receipt["leaf"] for receipt in receipts] == [0, 1, 2]
    first, other, last = (receipt["diagnostics"] for receipt in receipts)
    assert first == last
    assert first[0]["code"].startswith("nslip.")
    assert other[0]["code"].startswith("slip.")


def test_strict_refuses_every_one_of_equal_messages() -> None:
    receipts = send({"wire": "REQ/XXX|g=1"}, {"wire": "REQ/XXX|g=1"}, strict=True)

    assert [receipt["status"] for receipt in receipts] == [422, 422]
    assert not Packet.objects.exists()


@pytest.mark.parametrize(("number", "waits"), [(0, False), (1, True)])
def test_only_the_first_piece_may_be_refused_for_want_of_room(
    number: int, monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(writer, "submit", lambda _drafts, wait, **_more: asked.append(wait))

    receive.Sent([], number)

    assert asked == [waits]
