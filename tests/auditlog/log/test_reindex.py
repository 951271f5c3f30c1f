"""The search index is made again from what is stored of each packet, and from nothing else."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F

from auditlog.ingest.item import Item
from auditlog.log import draft, reindex, writer
from auditlog.models import Packet
from auditlog.search import index
from auditlog.search.find import find
from cablese import registry
from tests.auditlog.search.packets import START, places
from tests.auditlog.sending import append, make_sender
from tests.benchmarks.corpus import cases

pytestmark = pytest.mark.django_db

WIRES = [
    case["wire"]
    for name in registry.get_names()
    for case in cases(name)[::3]
    if "\ud800" not in case["wire"]  # no request can contain it
]
METADATA: dict[str, Any] = {
    "goal": "q4", "tags": ["b", "a"], "content": "rewrite the login", "from_": "Ünï planner",
    "sent_at": "2026-11-20T10:00:01Z",
    "attributes": {
        "z": [1.0, 2.5, {"b": True, "a": None}], "a": "x y", "\U0001f600": "é", "\ufb33": 1,
    },
}  # fmt: skip


def empty_index() -> None:
    with connection.cursor() as cursor:
        index.erase(cursor, [packet.pk for packet in Packet.objects.all()])


@pytest.mark.parametrize("metadata", [{}, METADATA, METADATA | {"attributes": None}])
def test_the_terms_of_a_packet_are_made_again_from_its_row(metadata: dict[str, Any]) -> None:
    items = [Item(wire, **metadata) for wire in WIRES]
    made = draft.make(draft.Submission(items, make_sender()), received=START, logs={"default": 1})
    drafts = {one.uid: one.terms for one in made if isinstance(one, draft.Draft)}
    assert len(drafts) > len(items) // 2
    writer.append([one for one in made if isinstance(one, draft.Draft)])

    for packet in Packet.objects.select_related("log", "source"):
        assert reindex.terms_of(packet) == drafts[packet.uid], bytes(packet.wire)


def test_a_lost_index_is_made_again() -> None:
    append(Item("REQ/TSK|g=42,@=auth"), Item("REQ/TSK|g=43"), sender=make_sender())
    empty_index()
    assert places("goal:42") == places("") == []

    reindex.forget()
    assert [*reindex.run()] == [(2, 2)]

    assert (places("goal:42"), places("au*"), places("")) == ([0], [0], [1, 0])
    assert [*reindex.run()] == []


def test_terms_that_a_packet_no_longer_has_are_forgotten() -> None:
    append(Item("REQ/TSK|g=42"), Item("REQ/TSK|g=43"), sender=make_sender())
    first, second = Packet.objects.select_related("log", "source").order_by("leaf")
    empty_index()
    with connection.cursor() as cursor:
        old = reindex.terms_of(second)
        index.write(cursor, [index.Entry(first.log_id, first.leaf, "nslip", old, counted=True)])
    assert places("goal:43") == [0]

    reindex.forget()
    list(reindex.run())

    assert (places("goal:42"), places("goal:43")) == ([0], [1])


def test_it_continues_where_it_was_stopped_while_packets_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reindex, "PIECE", 2)
    sender = make_sender()
    append(*[Item(f"REQ/TSK|g={n}") for n in range(5)], sender=sender)
    empty_index()
    reindex.forget()
    assert next(reindex.run()) == (2, 5)
    append(Item("REQ/TSK|g=5"), sender=sender)

    assert [*reindex.run()] == [(2, 3), (3, 3)]

    assert find(["default"], "", now=START).count.value == 6


def test_an_erased_packet_is_not_indexed_again() -> None:
    append(Item("REQ/TSK|g=42"), Item("REQ/TSK|g=43"), sender=make_sender())
    Packet.objects.filter(leaf=0).delete()
    empty_index()
    reindex.forget()

    assert [*reindex.run()] == [(1, 1)]


def test_the_command_says_how_far_it_is() -> None:
    append(Item("REQ/TSK|g=42"), sender=make_sender())
    Packet.objects.update(terms_version=F("terms_version") - 1)

    out = StringIO()
    call_command("reindex", stdout=out)
    call_command("reindex", stdout=out)
    call_command("reindex", "--all", stdout=out)

    assert out.getvalue().splitlines() == [
        "Indexed 1 of 1 packet.",
        "Every packet is indexed. To index all again: manage.py reindex --all.",
        "Indexed 1 of 1 packet.",
    ]
