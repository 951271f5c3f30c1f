"""A body that ends before its announced end: what was whole is kept and answered, the beginning of
a message is not.
"""

import io
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.models import Packet

LINE = b"REQ/TSK|g=42,t=1\n"
NDJSON = b'{"wire":"REQ/TSK|g=42,t=1"}\n'


@pytest.fixture
def key(db: None) -> str:
    return access.create_key(source="bot", scopes=("ingest",))[1]


def send(
    key: str, body: bytes, media: str, *, announced: int, path: str = "/api/v1/packets/batch"
) -> tuple[int, Any]:
    length: dict[str, Any] = {"CONTENT_LENGTH": str(announced), "wsgi.input": io.BytesIO(body)}
    response = Client().generic(
        "POST", path, body, media, headers={"authorization": f"Bearer {key}"}, **length
    )
    return response.status_code, response.json()


def test_the_beginning_of_a_message_is_not_kept_as_one(key: str) -> None:
    status, problem = send(key, LINE[:12], "text/plain", announced=len(LINE))

    assert status == 400
    assert problem["detail"] == "The body ended after 12 of its 17 bytes."
    assert not Packet.objects.exists()


def test_pieces_that_came_whole_are_kept_and_answered(key: str) -> None:
    status, answer = send(key, NDJSON * 500, "application/x-ndjson", announced=len(NDJSON) * 501)

    assert status == 207
    *kept, last = answer["results"]
    assert [receipt["status"] for receipt in kept] == [201] * 500
    assert last["status"] == 400
    assert Packet.objects.count() == 500


def test_one_packet_is_not_kept_either(key: str) -> None:
    status, _ = send(
        key, NDJSON, "application/json", announced=len(NDJSON) + 1, path="/api/v1/packets"
    )

    assert status == 400
    assert not Packet.objects.exists()
