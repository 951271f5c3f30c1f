"""Erasing over the API, and what it answers of erased packets."""

import json
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, Packet
from auditlog.search import index
from tests.auditlog.erasure.orders import erase_leaves, find_rows
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

ITEM = Item("INF/OBS|g=42,@=xyzzyplugh", event_id="xyzzyplugh-1")


@pytest.fixture(autouse=True)
def fresh() -> None:
    index.forget()


def ask(method: str, path: str, body: object = None, *, scope: str = "admin", log: str = "") -> Any:
    row = Log.objects.get(slug=log) if log else None
    token = access.create_key(source=f"bot-{scope}", scopes=(scope,), log=row)[1]
    return Client().generic(
        method,
        f"/api/v1/{path}",
        b"" if body is None else json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )


def put() -> str:
    (outcome,) = append(ITEM, sender=make_sender())
    return outcome.packet


def test_a_key_erases_a_packet_and_reading_it_says_what_was_erased() -> None:
    uid = put()

    answer = ask("POST", f"packets/{uid}/erase", {"reason": "GDPR 17"})

    gone = answer.json()
    assert answer.status_code == 200
    assert (gone["id"], gone["log"], gone["leaf"], gone["redacted"]) == (uid, "default", 0, None)
    (one,) = gone["erased"]
    assert (one["by"], one["reason"], one["field"], one["leaf"]) == (
        "bot-admin",
        "GDPR 17",
        None,
        1,
    )
    read = ask("GET", f"packets/{uid}", scope="read")
    assert read.status_code == 410
    assert read.json()["erased"]["erased"] == gone["erased"]
    assert find_rows("xyzzyplugh") == {}
    assert ask("POST", f"packets/{uid}/erase", {"reason": "again"}).json() == gone


def test_a_field_is_erased_once() -> None:
    uid = put()

    gone = ask("POST", f"packets/{uid}/erase", {"reason": "x", "field": "@"}).json()

    assert gone["redacted"]["wire"] == "INF/OBS|g=42,@=█████"
    again = ask("POST", f"packets/{uid}/erase", {"reason": "x", "field": "g"})
    assert (again.status_code, again.json()["pointer"]) == (422, "/field")
    assert ask("POST", f"packets/{uid}/erase", {"reason": "x"}).json()["redacted"] is None


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"reason": " "}, "/reason"),
        ({"reason": "a\0b", "field": "none"}, "/reason"),
        ({"reason": "x", "field": "none"}, "/field"),
    ],
)
def test_a_bad_order_is_refused(body: dict[str, str], pointer: str) -> None:
    answer = ask("POST", f"packets/{put()}/erase", body)

    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)
    assert Packet.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "detail"),
    [
        ("to", '"to", or it is empty. For the metadata, the field is "metadata.to".'),
        ("goal", '"goal", or it is empty. Its fields: act, frame, g, metadata.to.'),
        ("\x1b[31m", '"\ufffd[31m", or it is empty. Its fields: act, frame, g, metadata.to.'),
    ],
)
def test_the_refusal_of_a_field_says_which_fields_the_packet_has(field: str, detail: str) -> None:
    (outcome,) = append(Item(wire="INF/OBS|g=42", to="anna"), sender=make_sender())

    answer = ask("POST", f"packets/{outcome.packet}/erase", {"reason": "x", "field": field})

    assert answer.status_code == 422
    assert answer.json()["detail"] == f"The packet does not have the field {detail}"
    assert Packet.objects.count() == 1


def test_a_field_that_is_given_twice_does_not_erase_the_packet() -> None:
    uid = put()
    token = access.create_key(source="bot-admin", scopes=("admin",))[1]

    answer = Client().post(
        f"/api/v1/packets/{uid}/erase",
        '{"reason":"r","field":"@","field":null}',
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )

    assert (answer.status_code, answer.json()["pointer"]) == (422, "/field")
    assert Packet.objects.count() == 1


def test_the_recipient_in_the_metadata_is_erased_alone() -> None:
    (outcome,) = append(Item(wire="INF/OBS|g=42,to=otto", to="anna"), sender=make_sender())

    order = {"reason": "x", "field": "metadata.to"}
    gone = ask("POST", f"packets/{outcome.packet}/erase", order).json()

    assert gone["redacted"]["supplied"] == {"to": "█████"}
    assert gone["redacted"]["wire"] == "INF/OBS|g=42,to=otto"


def test_text_without_fields_can_only_be_erased_whole() -> None:
    (outcome,) = append(Item(wire="hello"), sender=make_sender())

    answer = ask("POST", f"packets/{outcome.packet}/erase", {"reason": "x", "field": "to"})

    assert answer.json()["detail"].endswith("erase the whole packet.")


def test_a_key_of_another_log_learns_nothing() -> None:
    logs.create(slug="other")
    uid = put()
    unknown = "019a0000-0000-7000-8000-000000000000"

    assert ask("POST", f"packets/{uid}/erase", {"reason": "x"}, log="other").status_code == 404
    assert ask("POST", f"packets/{unknown}/erase", {"reason": "x"}).status_code == 404
    assert Packet.objects.count() == 1
    erase_leaves(0)
    assert ask("GET", f"packets/{uid}", scope="read", log="other").status_code == 404
    assert ask("POST", f"packets/{uid}/erase", {"reason": "x"}, log="other").status_code == 404


def test_an_event_that_is_sent_again_is_gone() -> None:
    body = {"wire": ITEM.wire, "event_id": ITEM.event_id}
    first = ask("POST", "packets", body, scope="ingest").json()["results"][0]
    erase_leaves(0)

    answer = ask("POST", "packets", body, scope="ingest")
    many = ask("POST", "packets/batch", [body, {"wire": "REQ/TSK|g=1"}], scope="ingest")

    assert answer.status_code == 410
    assert first["packet"] in answer.json()["detail"]
    assert (many.status_code, [one["status"] for one in many.json()["results"]]) == (
        207,
        [410, 201],
    )
    assert Packet.objects.count() == 1


def test_an_export_says_how_many_were_erased() -> None:
    put()
    append(Item("REQ/TSK|g=1"), sender=make_sender())
    erase_leaves(0)

    answer = ask("GET", "export", scope="export")

    assert answer.headers["Cablese-Erased"] == "1"
    assert len(answer.getvalue().splitlines()) == 1
    assert ask("GET", "export?after=0", scope="export").headers["Cablese-Erased"] == "0"
