"""What senders and people are told while the machine's clock is behind a log."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.continuity import clock
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet
from tests.auditlog.machine import Machine
from tests.auditlog.sending import WIRE, keep

pytestmark = pytest.mark.django_db


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def post(client: Client, address: str, body: Any, media: str = "application/json") -> Any:
    _, token = access.create_key(source="bot", scopes=("ingest", "read"))
    text = body if isinstance(body, str) else json.dumps(body)
    return client.post(
        address, text, content_type=media, headers={"authorization": f"Bearer {token}"}
    )


def test_a_log_that_takes_nothing_answers_503_and_when_to_try_again(
    client: Client, machine: Machine
) -> None:
    keep(Item(WIRE))
    machine.set(seconds=-400)

    for address, body, media in (
        ("/api/v1/packets", {"wire": WIRE}, "application/json"),
        ("/api/v1/packets/batch", json.dumps({"wire": WIRE}), "application/x-ndjson"),
        ("/api/v1/packets/batch", WIRE, "text/plain"),
    ):
        response = post(client, address, body, media)
        assert response.status_code == 503, address
        assert response.headers["Retry-After"] == "101"
        assert response.headers["Content-Type"] == "application/problem+json"
        assert clock.ADVICE in response.json()["detail"]
    assert Packet.objects.count() == 1


def test_everything_else_works_meanwhile(client: Client, machine: Machine) -> None:
    logs.create(slug="other")
    packet = keep(Item(WIRE))
    machine.set(days=-3)
    client.force_login(User.objects.create_user("ada"))

    assert post(client, "/api/v1/packets", {"wire": WIRE, "log": "other"}).status_code == 201
    assert client.get("/audit/").status_code == 200
    assert client.get(f"/audit/default/{packet.uid}").status_code == 200
    assert client.post("/reading", {"text": WIRE}).status_code == 200


def test_a_person_is_told_when_saving_and_reviewing(client: Client, machine: Machine) -> None:
    packet = keep(Item(WIRE))
    machine.set(days=-3)
    client.force_login(User.objects.create_user("ada"))

    saved = client.post("/save/confirm", {"text": WIRE, "log": "default", "zone": "UTC"})
    reviewed = client.post(f"/audit/default/{packet.uid}/review", {"state": "flagged", "note": ""})

    for response in (saved, reviewed):
        assert response.status_code == 503
        assert "is 3 days ahead of this machine&#x27;s clock" in response.content.decode()
    assert Packet.objects.count() == 1
