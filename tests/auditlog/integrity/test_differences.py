"""How a packet differs from its leaf: what is proven is named alone, otherwise all that may be."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from msgspec import structs

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.integrity import differences, originals
from auditlog.integrity.openings import read_columns
from auditlog.models import ApiKey, Leaf, Packet, Seed, Source
from cablese import codec, registry
from cablese.message import Message
from tests.auditlog.sending import WIRE, keep, make_sender
from tests.benchmarks import corpus

pytestmark = pytest.mark.django_db

READING = (
    "validity", "diagnostics", "canonical form", "token count", "token count of the JSON baseline",
    "tokenizer", "baseline version", "codec version", "protocol", "packet ID",
)  # fmt: skip
FACTS = ("metadata", "content", "sender’s time")


def find(packet: Packet, **columns: Any) -> tuple[differences.Difference, ...]:
    """Change columns of a packet, and find how it differs from its leaf."""
    row = Leaf.objects.get(log_id=packet.log_id, index=packet.leaf)
    seed = Seed.objects.get(pk=packet.pk)
    for name, value in columns.items():
        setattr(packet, name, value)
    return differences.find(packet, seed=bytes(seed.value), data=bytes(row.bytes))


def test_every_covered_column_has_a_name() -> None:
    packet = keep(Item(WIRE))
    assert set(read_columns(packet)) < set(differences.NAMES)
    assert len(set(differences.NAMES.values())) == len(differences.NAMES)


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({}, ()),
        ({"valid": False, "tokens": 1}, (("validity", "token count"),)),
        ({"valid": False, "meaning": "{}"}, (("meaning",), ("validity",))),
        ({"content": b"new"}, (("content",),)),
        ({"supplied": '{"goal":"7"}'}, (("metadata",),)),
        ({"meaning": "{}", "content": b"new"}, (("meaning", *FACTS),)),
        ({"canonical": None, "uid": "x"}, (("canonical form", "packet ID"),)),
        ({"wire": b"REQ/TSK|g=7"}, (("raw text",),)),
        ({"wire": b"REQ/TSK|g=7", "canonical": b"REQ/TSK|g=7"}, (("raw text",), READING)),
        ({"dialect": "none/0", "valid": False}, (("protocol version",), ("validity",))),
        ({"event_id": "new"}, (("event ID",),)),
    ],
)  # fmt: skip
def test_changes_are_named(
    columns: dict[str, Any], found: tuple[differences.Difference, ...]
) -> None:
    assert find(keep(Item(WIRE)), **columns) == found


@pytest.mark.parametrize("wire", ["prose", "REQ/TSK|g=\udcff", "T|17|Q|obj=door", ""])
def test_any_wire_is_read_again(wire: str) -> None:
    packet = keep(Item(wire))
    assert find(packet) == ()
    assert find(packet, valid=not packet.valid) == (("validity",),)


def test_what_is_made_again_is_what_was_stored() -> None:
    for sent in corpus.mixed(60):
        packet = keep(Item(sent.wire), sender=make_sender())
        columns = read_columns(packet)
        again = originals.read_again(columns, packet.dialect)
        assert {name: columns[name] for name in again} == again


def test_the_sender_is_named() -> None:
    ann = User.objects.create(username="ann")
    sent = keep(Item(WIRE), sender=access.person(ann))
    other = make_sender("other")
    bob = User.objects.create(username="bob")

    assert find(sent) == ()
    assert find(sent, user_id=bob.pk) == (("person",),)
    assert find(sent, user_id=bob.pk, key_id=other.key_id) == (("API key", "person"),)
    assert find(sent, user_id=ann.pk, key_id=None, source=Source.objects.get(name="other")) == (
        ("source",),
    )


def test_a_source_that_was_renamed_is_named() -> None:
    keep(Item(WIRE))
    Source.objects.update(name="renamed")
    assert find(Packet.objects.select_related("log", "source").get()) == (("source name",),)


def test_with_too_many_keys_all_of_the_sender_may_be_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packet = keep(Item(WIRE))
    packet.source.name = "renamed"
    packet.source.save()
    monkeypatch.setattr(originals, "TRIED", ApiKey.objects.count())
    assert find(packet) == (("API key", "person", "source name"),)


def test_a_better_decoder_is_no_tampering(monkeypatch: pytest.MonkeyPatch) -> None:
    packet = keep(Item(WIRE))
    nslip = registry.get("nslip")
    decode = type(nslip).decode

    def better(self: codec.Codec, wire: str, *, dialect: str | None = None) -> Message:
        return structs.replace(decode(self, wire, dialect=dialect), values={"g": 43})

    monkeypatch.setattr(type(nslip), "decode", better)
    monkeypatch.setattr(codec, "VERSION", codec.VERSION + 1)

    again = originals.read_again(read_columns(packet), packet.dialect)
    assert again["meaning"] != packet.meaning
    assert find(packet) == ()
    assert find(packet, valid=False) == (("validity",),)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"commit":7}', b"[]", b'{"commit":{}}'])
def test_a_leaf_that_is_none_is_reported(data: bytes) -> None:
    packet = keep(Item(WIRE))
    found = differences.find(packet, seed=bytes(32), data=data)
    assert found
    assert found[0] in {differences.UNREADABLE, ("log",)}


def test_a_leaf_in_another_form_is_reported() -> None:
    packet = keep(Item(WIRE))
    row, seed = Leaf.objects.get(), Seed.objects.get()
    data = json.dumps(json.loads(bytes(row.bytes))).encode()
    assert differences.find(packet, seed=bytes(seed.value), data=data) == (differences.FORM,)
