"""A damaged packet is drawn as damaged wherever packets are drawn, and the sound ones beside it as
ever.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import StreamingHttpResponse
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import gap, triggers
from auditlog.models import Packet
from tests.auditlog.sending import append, make_sender
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def change(column: str, value: str | bytes) -> Callable[[Packet], None]:
    def spoil(packet: Packet) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE auditlog_packet SET {column} = %s"  # noqa: S608
                " WHERE log_id = %s AND leaf = %s",
                [value, *packet.pk],
            )

    return spoil


def _skip_check() -> None:
    """Let the test end with a packet that has no leaf: no damage asks for permission."""
    transaction.set_rollback(True)


def on_leaf(statement: str) -> Callable[[Packet], None]:
    def spoil(packet: Packet) -> None:
        triggers.take(connection)
        with connection.cursor() as cursor:
            cursor.execute(
                f'{statement} WHERE log_id = %s AND "index" = %s', [packet.log_id, packet.leaf]
            )
        triggers.put(connection)

    return spoil


DAMAGE: dict[str, tuple[Callable[[Packet], None], str]] = {
    "terms cut": (change("meaning", '{"act":"requ'), "The terms cannot be read."),
    "terms of another kind": (change("meaning", '["request"]'), "The terms cannot be read."),
    "tags of another kind": (change("meaning", '{"tags":[7]}'), "The terms cannot be read."),
    "metadata cut": (change("supplied", "{"), "The metadata cannot be read."),
    "metadata of another kind": (
        change("supplied", '{"attributes":7}'),
        "The metadata cannot be read.",
    ),
    "sent time": (change("sent_at", "yesterday"), "The metadata cannot be read."),
    "content": (change("content", b"\xff"), "The metadata cannot be read."),
    "diagnostics": (change("diagnostics", "[7]"), "The diagnostics cannot be read."),
    "canonical": (change("canonical", b"\xff"), "The canonical form cannot be read."),
    "protocol": (change("protocol", "morse"), "The protocol cannot be read."),
    "leaf missing": (on_leaf("DELETE FROM auditlog_leaf"), "Leaf 1 of the log is missing."),
}
if connection.vendor == "sqlite":
    DAMAGE["no receive time"] = (change("received", "nonsense"), "The receive time cannot be read.")
    DAMAGE["receive time"] = (
        change("received", "2026-99-99 10:00:00"),
        "The receive time cannot be read.",
    )


@pytest.fixture(params=DAMAGE)
def damaged(request: pytest.FixtureRequest) -> Iterator[tuple[Packet, str]]:
    """The second of three packets, and what is wrong with it."""
    outcomes = append(*(Item(WIRE, event_id=str(at)) for at in range(3)), sender=make_sender())
    packet = Packet.objects.get(uid=outcomes[1].packet)
    spoil, said = DAMAGE[request.param]
    spoil(packet)
    yield packet, said
    _skip_check()


@pytest.fixture
def person(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    return client


@pytest.fixture
def program() -> dict[str, str]:
    return {"Authorization": f"Bearer {access.create_key(source='reader', scopes=('read',))[1]}"}


@pytest.mark.parametrize("query", ["", "goal:42", "@auth_refactor act:request"])
def test_a_list_and_a_search_draw_it(
    person: Client, damaged: tuple[Packet, str], query: str
) -> None:
    packet, said = damaged

    page = person.get("/audit/", {"q": query}).content.decode()

    rows = page.split("<tbody>")[1].split("<tr>")[1:]
    assert len(rows) == 3
    assert ['class="sign damaged"' in row for row in rows] == [False, True, False]
    assert packet.uid in rows[1]
    assert said in rows[1]


def test_its_own_page_says_what_is_wrong(person: Client, damaged: tuple[Packet, str]) -> None:
    packet, said = damaged

    response = person.get(f"/audit/default/{packet.uid}")

    assert response.status_code == 200
    assert said in words(response.content.decode())
    assert "manage.py restore" in words(response.content.decode())


def test_the_page_of_a_sound_packet_beside_it_draws_it_among_the_others(
    person: Client, damaged: tuple[Packet, str]
) -> None:
    packet, _ = damaged
    sound = Packet.objects.exclude(pk=packet.pk).values_list("uid", flat=True)

    for uid in sound:
        response = person.get(f"/audit/default/{uid}")
        assert response.status_code == 200
        assert 'id="damage-title"' not in response.content.decode()


def test_conversations_gather_it(person: Client, damaged: tuple[Packet, str]) -> None:
    assert person.get("/audit/conversations").status_code == 200


def test_exports_hold_it_with_what_is_wrong(person: Client, damaged: tuple[Packet, str]) -> None:
    packet, said = damaged

    lines = [json.loads(line) for line in _download(person, "ndjson").splitlines()]
    cells = list(csv.DictReader(io.StringIO(_download(person, "csv").decode())))

    for found in (
        {line["id"]: line["damaged"] for line in lines},
        {cell["id"]: _list(cell["damaged"]) for cell in cells},
    ):
        assert len(found) == 3
        assert found.pop(packet.uid) == [said]
        assert list(found.values()) == [[], []]


def _download(person: Client, form: str) -> bytes:
    response = person.get(f"/audit/export.{form}")
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


def _list(cell: str) -> list[str]:
    return [cell] if cell else []


def test_the_api_answers_it(
    client: Client, program: dict[str, str], damaged: tuple[Packet, str]
) -> None:
    packet, said = damaged

    one = client.get(f"/api/v1/packets/{packet.uid}", headers=program)
    found: Any = client.get("/api/v1/search", headers=program).json()["results"]
    talks: Any = client.get("/api/v1/search/conversations", headers=program).json()["packets"]

    assert one.status_code == 200
    assert one.json()["damaged"] == [said]
    assert one.json()["wire"] == WIRE
    for packets in (found, talks):
        assert len(packets) == 3
        assert {packet["id"]: packet["damaged"] for packet in packets}[packet.uid] == [said]


def test_the_stream_of_its_log_goes_on(person: Client, damaged: tuple[Packet, str]) -> None:
    packet, _ = damaged

    assert person.get("/stream/log/default").status_code == 200
    assert person.get(f"/stream/log/default/message/{packet.leaf}").status_code == 200


def test_its_receipt_does_not_match(person: Client, damaged: tuple[Packet, str]) -> None:
    packet, said = damaged

    page = person.post("/audit/receipt", {"receipt": packet.uid})

    assert page.status_code == 200
    assert 'data-verdict="altered"' in page.content.decode()
    assert any(words in page.content.decode() for words in (said, "its leaf is missing"))


def test_a_leaf_whose_bytes_do_not_parse_is_reported(person: Client) -> None:
    (outcome,) = append(Item(WIRE), sender=make_sender())
    on_leaf("UPDATE auditlog_leaf SET bytes = X'7B'")(Packet.objects.get())

    page = person.post("/audit/receipt", {"receipt": outcome.packet})

    assert page.status_code == 200
    assert 'data-verdict="altered"' in page.content.decode()


def test_a_receipt_of_a_packet_that_was_lost_says_so(person: Client) -> None:
    gap.fill("default", 3)
    held = {"packet": str(uuid4()), "log": "default", "leaf": 2, "leaf_hash": "5e" * 32}

    page = person.post("/audit/receipt", {"receipt": json.dumps(held)})

    assert page.status_code == 200
    assert "The leaf at this index is a gap" in words(page.content.decode())


def test_an_event_of_a_packet_without_its_leaf_is_still_a_duplicate() -> None:
    sender = make_sender()
    (first,) = append(Item(WIRE, event_id="a"), sender=sender)
    on_leaf("DELETE FROM auditlog_leaf")(Packet.objects.get())

    (again,) = append(Item(WIRE, event_id="a"), sender=sender)

    assert (again.status, again.packet, again.leaf_hash) == (200, first.packet, "")
    _skip_check()
