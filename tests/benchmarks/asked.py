"""Pages and pads as requests to Django in this process, without a server between them.

Every answer must be a 200, so what is refused is never taken for fast.
"""

from collections.abc import Callable
from ipaddress import IPv4Address
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.ingest import ndjson, receive
from auditlog.models import Packet
from tests.benchmarks import corpus

PACKETS = 600
PAD = 200
"""Messages that a pad is sent in one body."""

Work = Callable[[], object]


addresses = count(1)


def visitor(*, signed_in: bool = False) -> Client:
    """Someone at an address of their own, because what one address can ask for is limited."""
    client = Client(
        headers={"host": "localhost"}, REMOTE_ADDR=str(IPv4Address(0x0A000000 + next(addresses)))
    )
    if signed_in:
        person, _ = User.objects.get_or_create(username="bench")
        client.force_login(person)
    return client


def get(client: Client, address: str, **parameters: str) -> Work:
    return lambda: _whole(client.get(address, parameters))


def post(client: Client, address: str, **fields: str) -> Work:
    return lambda: _whole(client.post(address, fields))


def fill() -> list[Packet]:
    """Store packets of all protocols in the default log, unless it has some, and return them."""
    if not Packet.objects.exists():
        _, token = access.create_key(source="bench", scopes=("ingest",))
        sender = access.authenticate(token)
        assert sender is not None
        each = PACKETS // len(corpus.WRITERS)
        wires = [corpus.typical(name, each) for name in corpus.WRITERS]
        mixed = [wire for together in zip(*wires, strict=True) for wire in together]
        body = "\n".join(corpus.as_json({"wire": wire}) for wire in mixed)
        receive.receive(ndjson.read([body.encode()]), sender=sender)
    return list(Packet.objects.order_by("log", "leaf"))


class Pad:
    """A pad of an anonymous program."""

    def __init__(self) -> None:
        self.client = visitor()
        opened: dict[str, Any] = self.client.post("/api/v1/pads").json()
        self.key, self.address = opened["key"], opened["post"]
        self.wires = corpus.typical("nslip", PAD)

    def post_each(self) -> "Pad":
        for wire in self.wires:
            self._post(wire)
        return self

    def post_all(self) -> "Pad":
        self._post("\n".join(self.wires))
        return self

    def close(self) -> None:
        _whole(self.client.delete(f"/api/v1/pads/{self.key}"))

    def read(self) -> None:
        found = _whole(self.client.get(f"/api/v1/pads/{self.key}", {"limit": str(PAD)})).json()
        assert len(found["messages"]) == PAD

    def page(self) -> None:
        _whole(self.client.get(f"/stream/pad/{self.key}"))

    def lines(self) -> None:
        _whole(self.client.get(f"/stream/pad/{self.key}/lines"))

    def _post(self, body: str) -> None:
        _whole(self.client.post(self.address, body, content_type="text/plain"))


def _whole(response: Any) -> Any:
    assert response.status_code == 200, (response.status_code, response.content[:500])
    return response
