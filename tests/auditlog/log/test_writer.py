"""Appending: places in the log, what is stored, and what becomes of an event id that comes
again.
"""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest
from django.db import connection
from django.db.utils import IntegrityError
from msgspec import structs

from auditlog.ingest.item import Item
from auditlog.log import group_commit, leaf, logs, writer
from auditlog.log.draft import Draft
from auditlog.models import Conflict, Leaf, Log, LogEnd, Packet, Seed
from auditlog.search import index
from auditlog.search.find import find
from tests.auditlog.sending import WIRE, append, keep, make_drafts, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def committed() -> Iterator[None]:
    """For tests that really commit: afterwards no thread and no remembered search key is left."""
    yield
    group_commit.stop()
    index.forget()


def test_it_writes_every_column_of_a_packet() -> None:
    columns = {field.column for field in Packet._meta.concrete_fields}
    assert set(writer.PACKET_COLUMNS) == columns


def test_leaves_are_contiguous_from_0_in_each_log() -> None:
    logs.create(slug="other")
    sender = make_sender()
    outcomes = append(
        Item(WIRE),
        Item(WIRE, log="other"),
        Item("no message"),
        Item(WIRE, log="other"),
        Item(WIRE),
        sender=sender,
    )
    assert [(outcome.log, outcome.leaf) for outcome in outcomes] == [
        ("default", 0), ("other", 0), ("default", 1), ("other", 1), ("default", 2),
    ]  # fmt: skip
    assert dict(Log.objects.values_list("slug", "end__size")) == {"default": 3, "other": 2}
    assert append(Item(WIRE), sender=sender)[0].leaf == 3


ITEM = Item(
    WIRE, event_id="a-1", sent_at="2026-11-20T10:00:01Z", from_="planner", content="do it",
    attributes={"trace_id": "4b"},
)  # fmt: skip


def test_a_leaf_is_hashed_as_stored_and_commits_to_the_packet() -> None:
    sender = make_sender()
    packet = keep(ITEM, sender=sender)
    row = Leaf.objects.get(log=packet.log, index=packet.leaf)
    data = bytes(row.bytes)
    assert bytes(row.hash) == leaf.hash_leaf(data)
    said = json.loads(data)
    assert {name: said[name] for name in ("v", "kind", "log", "proto", "recv", "src")} == {
        "v": 2, "kind": "packet", "log": "default", "proto": "nslip/1",
        "recv": leaf.format_time(packet.received), "src": packet.source_id,
    }  # fmt: skip
    supplied = {"attributes": {"trace_id": "4b"}, "from": "planner"}
    opened = {
        "raw": WIRE.encode(),
        "index": leaf.canonical(
            {
                "meaning": json.loads(packet.meaning), "supplied": supplied,
                "sent_at": "2026-11-20T10:00:01Z", "content": "do it",
            }
        ),
        "event": b"a-1",
        "reading": leaf.canonical(
            {
                "valid": True, "diagnostics": "[]", "canonical": "", "tokens": 19,
                "tokens_json": 27, "tokenizer": "o200k_base", "baseline_version": 1,
                "codec_version": 1, "protocol": "nslip", "uid": packet.uid,
            }
        ),
        "by": leaf.canonical({"key": sender.key_id, "source": "hr-bot"}),
    }  # fmt: skip
    seed = bytes(Seed.objects.get(pk=packet.pk).value)
    assert said["commit"] == {
        field: leaf.spell(leaf.commit(leaf.salt(seed, field), field, data))
        for field, data in opened.items()
    }
    assert b"auth" not in data
    assert b"planner" not in data


def test_a_packet_holds_what_was_sent_and_what_was_read() -> None:
    sender = make_sender()
    packet = keep(
        Item(WIRE, sent_at="2026-11-20T10:00:01+01:00", goal=7, tags=["x"], event_id="e"),
        sender=sender,
    )
    assert bytes(packet.wire) == WIRE.encode()
    assert packet.canonical == b""
    assert (packet.protocol, packet.dialect, packet.valid, packet.diagnostics) == (
        "nslip",
        "nslip/1",
        True,
        "[]",
    )
    assert json.loads(packet.meaning)["tags"] == ["auth_refactor"]
    assert packet.supplied == '{"goal":"7","tags":["x"]}'
    assert (packet.sent_at, packet.event_id) == ("2026-11-20T10:00:01+01:00", "e")
    assert (packet.key_id, packet.user_id, packet.source_id) == (
        sender.key_id,
        None,
        sender.source_id,
    )
    assert (packet.tokens, packet.tokens_json) == (19, 27)
    assert packet.received.utcoffset() == timedelta(0)


def test_a_canonical_form_is_stored_where_the_wire_has_another() -> None:
    assert keep(Item("REQ/TSK|g=42\n")).canonical == b"REQ/TSK|g=42"


@pytest.mark.parametrize(
    "wire", ["", "prose", "REQ/TSK|g=\0", "\0", "REQ/TSK|g=\udcff", "\udcff", '{"g":"\\ud800"}']
)
def test_what_an_agent_sent_is_kept_however_broken(wire: str) -> None:
    packet = keep(Item(wire))
    assert bytes(packet.wire) == wire.encode(errors="surrogateescape")
    assert not packet.valid
    assert packet.canonical is None
    assert json.loads(packet.diagnostics)[0]["severity"] == "error"


def test_received_never_goes_back() -> None:
    sender = make_sender()
    future = datetime.now(UTC).replace(microsecond=5) + timedelta(minutes=1)
    LogEnd.objects.update(received=future)
    packet = keep(Item(WIRE), sender=sender)
    assert packet.received == future
    assert b'"recv":"' + leaf.format_time(future).encode() in bytes(
        Leaf.objects.get(index=packet.leaf).bytes
    )


def test_it_is_found_at_once_by_what_it_says_and_what_was_supplied() -> None:
    packet = keep(Item(WIRE, thread="night", content="rewrite the login"))
    for query in ("@auth_refactor goal:42", "thread:night", "login", "is:valid proto:nslip"):
        assert [row.uid for row in find(["default"], query, now=datetime.now(UTC)).rows] == [
            packet.uid
        ], query


def test_the_same_event_with_the_same_bytes_is_a_duplicate() -> None:
    sender = make_sender()
    (first,) = append(Item(WIRE, event_id="e", goal="7"), sender=sender)
    (again,) = append(Item(WIRE, event_id="e", goal="7"), sender=sender)
    assert (first.status, again.status) == (201, 200)
    assert (again.packet, again.leaf, again.leaf_hash) == (
        first.packet,
        first.leaf,
        first.leaf_hash,
    )
    assert (again.valid, again.diagnostics) == (first.valid, first.diagnostics)
    assert Packet.objects.count() == LogEnd.objects.get().size == 1


@pytest.mark.parametrize(
    "other",
    [
        Item(WIRE + ",g=43", event_id="e"),
        Item(WIRE, event_id="e", goal="7"),
        Item(WIRE, event_id="e", content=""),
        Item(WIRE, event_id="e", attributes={"trace_id": "4b"}),
    ],
)
def test_the_same_event_with_other_bytes_or_facts_is_a_conflict_and_recorded(other: Item) -> None:
    sender = make_sender()
    (first,) = append(Item(WIRE, event_id="e"), sender=sender)
    (again,) = append(other, sender=sender)
    assert (again.status, again.packet) == (409, first.packet)
    conflict = Conflict.objects.get()
    assert (conflict.log.slug, conflict.leaf) == (first.log, first.leaf)
    assert conflict.uid != first.packet
    assert bytes(conflict.wire) == other.wire.encode()
    assert conflict.key_id == sender.key_id
    assert Packet.objects.count() == 1


def test_attributes_are_stored_in_canonical_form_and_their_order_is_no_conflict() -> None:
    sender = make_sender()
    (first,) = append(
        Item(WIRE, event_id="e", goal="7", attributes={"b": 1.0, "a": [2.5]}), sender=sender
    )
    (again,) = append(
        Item(WIRE, event_id="e", goal="7", attributes={"a": [2.5], "b": 1}), sender=sender
    )
    (other,) = append(
        Item(WIRE, event_id="e", goal="7", attributes={"a": [2.6], "b": 1}), sender=sender
    )
    assert (first.status, again.status, other.status) == (201, 200, 409)
    assert Packet.objects.get().supplied == '{"attributes":{"a":[2.5],"b":1},"goal":"7"}'
    assert json.loads(bytes(Conflict.objects.get().facts))["supplied"]["attributes"] == {
        "a": [2.6],
        "b": 1,
    }


SYSLOG = Item(
    WIRE, event_id="e", sent_at="2026-03-28T10:00:01+01:00", sent_text="Mar 28 10:00:01",
    sent_zone="Europe/Berlin",
    from_line=["sent_at"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"sent_at": "2027-03-28T10:00:01+02:00"}, 200),
        ({"sent_at": "2026-03-28T10:00:02+01:00"}, 409),
        ({"sent_at": "2026-03-28T10:00:01+00:00", "sent_zone": "UTC"}, 409),
        ({"sent_at": "2027-03-28T10:00:01+02:00", "from_line": None}, 409),
        ({"sent_at": None, "sent_text": None, "sent_zone": None, "from_line": None}, 409),
    ],
    ids=["another year", "another second", "another zone", "corrected", "no time"],
)
def test_a_time_that_a_line_writes_without_its_year_is_the_same_next_year(
    changed: dict[str, object], status: int
) -> None:
    sender = make_sender()
    append(SYSLOG, sender=sender)
    (again,) = append(structs.replace(SYSLOG, **changed), sender=sender)
    assert again.status == status


@pytest.mark.parametrize("text", [None, "Nov 20 10:00:01"])
def test_another_time_that_its_sender_states_is_a_conflict(text: str | None) -> None:
    sender = make_sender()
    for year, status in ((2026, 201), (2026, 200), (2027, 409)):
        item = Item(WIRE, event_id="e", sent_at=f"{year}-11-20T10:00:01Z", sent_text=text)
        assert append(item, sender=sender)[0].status == status


def test_an_event_id_is_unique_within_one_batch_too() -> None:
    items = [
        Item(WIRE, event_id="e"),
        Item(WIRE, event_id="e"),
        Item("other", event_id="e"),
        Item(WIRE, event_id="f"),
    ]
    outcomes = append(*items, sender=make_sender())
    assert [outcome.status for outcome in outcomes] == [201, 200, 409, 201]
    assert [outcome.leaf for outcome in outcomes] == [0, 0, 0, 1]


def test_an_event_id_belongs_to_a_log_and_a_source() -> None:
    logs.create(slug="other")
    one, two = make_sender("one"), make_sender("two")
    statuses = [
        append(Item("a", event_id="e"), sender=one)[0].status,
        append(Item("b", event_id="e"), sender=two)[0].status,
        append(Item("c", event_id="e", log="other"), sender=one)[0].status,
    ]
    assert statuses == [201, 201, 201]


def test_a_leaf_index_is_never_used_again() -> None:
    sender = make_sender()
    keep(Item(WIRE), sender=sender).delete()
    assert keep(Item(WIRE), sender=sender).leaf == 1


def test_a_seed_is_deleted_with_its_packet() -> None:
    sender = make_sender()
    packet, other = keep(Item(WIRE), sender=sender), keep(Item(WIRE), sender=sender)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM auditlog_packet WHERE leaf = %s", [packet.leaf])
    assert Seed.objects.get().leaf == other.leaf


def test_a_log_keeps_the_hash_of_its_newest_leaf() -> None:
    append(Item("a"), Item("b"), sender=make_sender())
    assert LogEnd.objects.get().head == Leaf.objects.get(index=1).hash


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE auditlog_leaf SET kind = 'gap'",
        "DELETE FROM auditlog_leaf",
        "UPDATE auditlog_log SET slug = 'x'",
        "UPDATE auditlog_log SET origin = NULL",
        "DELETE FROM auditlog_log",
        "INSERT INTO auditlog_leaf SELECT * FROM auditlog_leaf",
    ],
)
def test_the_database_refuses_to_change_leaves_and_names_of_logs(statement: str) -> None:
    append(Item(WIRE), sender=make_sender())
    logs.fix_origins("here.example")
    with pytest.raises(IntegrityError), connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_database_refuses_to_replace_or_empty() -> None:
    append(Item(WIRE), sender=make_sender())
    connection.check_constraints()  # PostgreSQL empties no table that still has checks to make
    statement = {
        "sqlite": "INSERT OR REPLACE INTO auditlog_leaf SELECT * FROM auditlog_leaf",
        "postgresql": "TRUNCATE auditlog_leaf CASCADE",
    }[connection.vendor]
    with pytest.raises(IntegrityError, match="never"), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_two_writers_at_once_leave_no_gap_and_keep_each_event_once() -> None:
    sender = make_sender()
    rounds, size = 6, 20
    outcomes: list[list[tuple[str, int, str]]] = [[], []]

    def send(drafts: list[list[Draft]], to: list[tuple[str, int, str]]) -> None:
        committer = group_commit.Committer()
        for batch in drafts:
            written = committer.submit(writer.write, batch).result()
            to += [
                (outcome.packet, outcome.status, str(one.event_id))
                for one, outcome in zip(batch, written, strict=True)
            ]
        committer.stop()

    batches = [
        [
            make_drafts(*[Item(WIRE, event_id=f"{r}-{n}") for n in range(size)], sender=sender)
            for r in range(rounds)
        ]
        for _ in outcomes
    ]
    threads = [
        threading.Thread(target=send, args=pair) for pair in zip(batches, outcomes, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = rounds * size
    indexes = Leaf.objects.order_by("index").values_list("index", flat=True)
    assert list(indexes) == list(range(total))
    assert LogEnd.objects.get().size == Packet.objects.count() == total
    both = list(chain(*outcomes))
    assert sorted(status for _, status, _ in both) == [200] * total + [201] * total
    assert {event: packet for packet, status, event in both if status == 200} == {
        event: packet for packet, status, event in both if status == 201
    }
    received = list(Packet.objects.order_by("leaf").values_list("received", flat=True))
    assert received == sorted(received)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_outside_a_transaction_rows_are_committed_when_the_outcome_is_there() -> None:
    sender = make_sender()
    assert not connection.in_atomic_block
    (outcome,) = append(Item(WIRE), sender=sender)
    assert Packet.objects.get(uid=outcome.packet).leaf == 0
    assert Leaf.objects.count() == 1
