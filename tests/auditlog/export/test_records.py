"""Records of an export are those of the API, read faster."""

import json
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection

from auditlog import review
from auditlog.database import damage
from auditlog.export import records, repeats
from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.log import packet as packets
from auditlog.models import Log, Packet
from tests.auditlog.sending import WIRE, append, keep, make_sender
from tests.benchmarks import corpus

pytestmark = pytest.mark.django_db


def read(*leaves: int) -> list[dict[str, Any]]:
    log = Log.objects.get(slug="default")
    found = records.read(log, leaves or range(log.end.size))
    return [json.loads(msgspec.json.encode(record)) for record in found]


def with_known(*leaves: int) -> list[dict[str, Any]]:
    """The same as an export reads it, with the repeats that are known."""
    log = Log.objects.get(slug="default")
    found = records.read(log, leaves, repeats.find(log))
    return [json.loads(msgspec.json.encode(record)) for record in found]


def slowly() -> list[dict[str, Any]]:
    """The records as the API makes them."""
    keys = [*Packet.objects.order_by("leaf").values_list("log_id", "leaf")]
    found = damage.load(keys)
    exported = packets.exported([found[key] for key in keys])
    return [json.loads(msgspec.json.encode(record)) for record in exported]


def alter(leaf: int, column: str, value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE auditlog_packet SET {column} = %s WHERE leaf = %s",  # noqa: S608
            (value, leaf),
        )


def test_a_mixed_log_is_read_as_the_api_reads_it() -> None:
    items = [Item(sent.wire, sent_at=sent.sent_at.isoformat()) for sent in corpus.mixed(300)]
    append(*items, sender=make_sender())
    assert Follower().step()

    found = read()

    assert len(found) == 300
    assert found == slowly()
    assert len({record["protocol"] for record in found}) > 5
    assert all(record["sentence"] for record in found if record["protocol"] != "unknown")


def test_what_belongs_to_a_packet_is_in_its_record() -> None:
    ada = User.objects.create_user("ada")
    append(
        Item(WIRE, content="Résumé: naïve", event_id="a-1"), Item("\udcff\udcfe not text"),
        Item(WIRE), Item("@=4111111111111111"), sender=make_sender(),
    )  # fmt: skip
    first = Packet.objects.get(leaf=0)
    review.mark(packet=first, state="flagged", note="Why?", who=ada)
    review.mark(packet=first, state="commented", note="Here.", who=ada)
    while Follower().step():
        pass

    found = read(0, 1, 2, 3)

    assert found == slowly() == with_known(0, 1, 2, 3)
    assert found[0]["review"]["note"] == "Why?"
    assert [comment["note"] for comment in found[0]["comments"]] == ["Here."]
    assert found[0]["supplied"]["content"] == "Résumé: naïve"
    assert found[0]["repeats"] == found[2]["repeats"] == {
        "count": 2, "exact": True, "first": first.uid,
    }  # fmt: skip
    assert found[1]["wire_base64"] == "//4gbm90IHRleHQ="


def test_findings_that_are_not_made_yet_are_null() -> None:
    keep(Item(WIRE))

    assert read()[0]["findings"] is None


@pytest.mark.parametrize(
    ("column", "value"),
    [("meaning", "{"), ("supplied", "[1]"), ("diagnostics", '{"a":1}'), ("sent_at", "soon"),
     ("protocol", "gone"), ("meaning", '{"tags":1}')],
)  # fmt: skip
def test_a_damaged_packet_is_read_as_the_api_reads_it(column: str, value: str) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(3)), sender=make_sender())
    alter(1, column, value)

    found = read()

    assert found == slowly()
    assert [bool(record["damaged"]) for record in found] == [False, True, False]


def test_far_leaves_are_read_without_those_between() -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(60)), sender=make_sender())

    assert [record["leaf"] for record in read(2, 30, 59)] == [2, 30, 59]
    assert [record["leaf"] for record in read(2, 4)] == [2, 4]


def test_repeats_are_looked_up_only_where_there_may_be_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = Log.objects.get(slug="default")
    append(Item(WIRE), Item("one"), Item(WIRE), Item("two"), sender=make_sender())
    assert [repeats.find(log).may_have(leaf, ()) for leaf in range(4)] == [True] * 4
    while Follower().step():
        pass

    assert [repeats.find(log).may_have(leaf, ()) for leaf in range(4)] == [True, *[False] * 3]
    assert [record["repeats"] is None for record in with_known(0, 1, 2, 3)] == [
        False, True, False, True,
    ]  # fmt: skip
    monkeypatch.setattr(repeats, "MOST", 0)
    assert repeats.find(log) is repeats.UNKNOWN
