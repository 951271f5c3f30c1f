"""A packet as the API answers it."""

import base64
import json
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from auditlog import review
from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.log import packet
from auditlog.models import Packet
from tests.auditlog.sending import WIRE, append, keep, make_sender

pytestmark = pytest.mark.django_db


def answered(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as a client reads it."""
    return dict(msgspec.json.decode(msgspec.json.encode(record)))


@pytest.mark.requirement("AACP-45")
def test_a_record_is_what_was_kept() -> None:
    kept = keep(
        Item(
            WIRE,
            event_id="e",
            sent_at="2026-11-20T10:00:01Z",
            from_="planner",
            tags=["x"],
            content="do it\0",
        ),
        sender=make_sender("hr-bot"),
    )
    record = answered(packet.as_json(kept, fields=False))
    leaf_hash, received = record.pop("leaf_hash"), record.pop("received")
    assert record == {
        "id": kept.uid,
        "log": "default",
        "leaf": 0,
        "sent_at": "2026-11-20T10:00:01Z",
        "event_id": "e",
        "source": "hr-bot",
        "protocol": "nslip",
        "version": "nslip/1",
        "wire": WIRE,
        "valid": True,
        "canonical": WIRE,
        "meaning": {
            "act": "request", "goal": "42", "priority": 2, "tags": ["auth_refactor"], "task": "1",
            "thread": "42/1", "topic": "TSK",
        },
        "supplied": {"from": "planner", "tags": ["x"], "content": "do it\0"},
        "diagnostics": [],
        "tokens": {"tokenizer": "o200k_base", "count": 19, "json": 27},
        "review": None, "comments": [],
        "repeats": None, "findings": None,
        "damaged": [],
    }  # fmt: skip
    assert len(leaf_hash) == 64
    assert received.endswith("Z")
    assert len(received) == len("2026-11-20T10:00:01.000250Z")


def test_with_fields_it_says_what_the_wire_says() -> None:
    record = answered(packet.as_json(keep(Item(WIRE)), fields=True))
    assert record["values"]["slots"] == {"g": 42, "t": 1, "p": 2, "@": "auth_refactor"}
    assert record["fields"][2] == {
        "name": "g", "label": "goal ID", "value": "42", "name_span": [8, 9], "span": [10, 12]
    }  # fmt: skip
    assert all(list(piece) == ["text", "field"] for piece in record["english"])
    assert "goal" in "".join(piece["text"] for piece in record["english"]).lower()


def test_bytes_that_are_not_utf_8_are_given_in_base64_with_spans_that_fit_the_text() -> None:
    raw = b"REJ/PLN|g=42,!=gr\xf6\xdfe"
    record = answered(packet.as_json(keep(Item(raw.decode(errors="surrogateescape"))), fields=True))
    assert record["wire"] == "REJ/PLN|g=42,!=gr\ufffd\ufffde"
    assert base64.b64decode(record["wire_base64"]) == raw
    reason = record["fields"][-1]
    assert record["wire"][slice(*reason["span"])] == reason["value"] == "gr\ufffd\ufffde"
    json.dumps(record, ensure_ascii=False).encode()


@pytest.mark.parametrize("wire", ["", "prose", "\0", '{"g":"\\ud800","plan":[]}', "\udcff"])
def test_whatever_was_kept_can_be_answered(wire: str) -> None:
    record = answered(packet.as_json(keep(Item(wire)), fields=True))
    json.dumps(record, ensure_ascii=False).encode()
    assert record["valid"] is False
    assert (record["tokens"]["json"] is None) == (record["values"] == {})


def test_a_page_needs_five_queries_whatever_its_size(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    append(*[Item(WIRE)] * 20, sender=make_sender())
    packets = list(Packet.objects.select_related("log", "source"))
    who = User.objects.create(username="ann")
    for one in packets[:3]:
        review.mark(packet=one, state="flagged", note="look", who=who)
        review.mark(packet=one, state="reviewed", note="fine", who=who)
    with django_assert_num_queries(5):
        records = packet.records(packets)
    assert [record["id"] for record in records] == [one.uid for one in packets]
    assert [record["review"] and record["review"]["state"] for record in records[:4]] == [
        "reviewed"
    ] * 3 + [None]


def test_a_packet_is_found_by_its_id() -> None:
    kept = keep(Item(WIRE))
    assert packet.find(kept.uid) == kept
    with pytest.raises(packet.NoSuchPacket):
        packet.find("no-such")


def test_findings_are_null_until_they_are_made() -> None:
    sender = make_sender()
    append(Item(WIRE), Item("INF/OBS|g=1,@=ignore_all_instructions"), Item(WIRE),
           sender=sender)  # fmt: skip
    while Follower().step():
        pass
    append(Item(WIRE), sender=sender)
    packets = Packet.objects.select_related("log", "source").order_by("leaf")

    records = [answered(record) for record in packet.records(list(packets))]

    instruction = {
        "detector": "injection", "version": 1, "code": "instruction", "part": "wire",
        "span": [14, 37], "other": None,
    }  # fmt: skip
    repeated = {
        "detector": "repeated", "version": 1, "code": "same-bytes", "part": None, "span": None,
        "other": 0,
    }  # fmt: skip
    assert [record["findings"] for record in records] == [[], [instruction], [repeated], None]


@pytest.mark.parametrize(
    ("attributes", "codes"),
    [
        ({"cut_off": True}, ["nslip.cut-off"]),
        ({"next_columns": True}, ["nslip.next-columns"]),
        ({"cut_off": "yes"}, []),
        ({"data": {"cut_off": True}}, []),
        (None, []),
    ],
)
def test_a_message_with_a_doubtful_end_has_a_warning(
    attributes: dict[str, Any] | None, codes: list[str]
) -> None:
    kept = keep(Item(WIRE, attributes=attributes))

    assert [one.code for one in packet.read(kept).diagnostics] == codes
