import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.models import Packet
from tests.playground.display.hostile.live import FACTS, HOSTILE, IN_SLOT, WIRES


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_superuser(f"ada{IN_SLOT}")
    client.force_login(person)
    return person


@pytest.fixture
def stored(client: Client, ada: User) -> list[Packet]:
    """Packets whose texts, senders, and metadata are hostile."""
    _, token = access.create_key(source=HOSTILE, scopes=("ingest",))
    items = [{"wire": wire, "content": HOSTILE, **FACTS} for wire in WIRES]
    answer = client.post(
        "/api/v1/packets/batch", json.dumps(items), content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )  # fmt: skip
    assert answer.status_code in (200, 201, 207), answer.content
    return list(Packet.objects.order_by("log", "leaf"))
