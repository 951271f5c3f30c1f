"""A body that ends before its announced end: what was whole is kept and answered, the beginning of
a message is not.
"""

import io
import sys
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.ingest.body import CutOff
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


class Broken(io.BytesIO):
    """What a server gives to Django of a chunked body that broke off."""

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        if not data and size:
            raise CutOff("The body ended early.")
        return data


def send_broken(path: str, body: bytes, media: str, key: str) -> tuple[int, Any]:
    broken: dict[str, Any] = {"CONTENT_LENGTH": str(sys.maxsize), "wsgi.input": Broken(body)}
    headers = {"authorization": f"Bearer {key}", "transfer-encoding": "chunked"}
    response = Client().generic("POST", path, b"x", media, headers=headers, **broken)
    return response.status_code, response.json()


@pytest.mark.parametrize(
    ("media", "line"), [("application/x-ndjson", NDJSON), ("text/plain", LINE)]
)
def test_lines_before_a_broken_chunk_are_kept_and_the_rest_is_reported(
    key: str, media: str, line: bytes
) -> None:
    status, answer = send_broken("/api/v1/packets/batch", line * 2 + line[:-3], media, key)

    assert status == 207
    *kept, last = answer["results"]
    assert [receipt["status"] for receipt in kept] == [201] * 2
    assert (last["item"], last["status"]) == (2, 400)
    assert last["error"]["detail"].startswith("The body ended early. This and all later items")
    assert Packet.objects.count() == 2


@pytest.mark.parametrize("media", ["application/x-ndjson", "text/plain", "application/json"])
def test_a_body_without_a_whole_line_is_refused(key: str, media: str) -> None:
    for body in (b"", NDJSON[:-3]):
        status, problem = send_broken("/api/v1/packets/batch", body, media, key)

        assert (status, problem["detail"]) == (400, "The body ended early.")
    assert not Packet.objects.exists()


@pytest.mark.parametrize(
    ("media", "line"), [("application/x-ndjson", NDJSON), ("text/plain", LINE)]
)
def test_a_live_session_shows_the_lines_before_a_broken_chunk(
    key: str, media: str, line: bytes
) -> None:
    pad = Client().post("/api/v1/pads").json()

    status, problem = send_broken(pad["post"], line * 2 + line[:-3], media, key)

    assert status == 400
    assert problem["detail"] == "The body ended early. 2 messages before that were accepted."
    assert problem["messages"] == 2
