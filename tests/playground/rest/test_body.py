"""Request bodies, compressed or not, and responses as JSON."""

import gzip
import json
from typing import Any

import msgspec
import pytest
from django.test import Client

from auditlog.models import Packet
from playground.rest.body import write_json
from playground.server.front.environ import TooLarge
from tests.playground.audit.api.requests import NDJSON, WIRE, make_key, post, refused

GZIP = {"Content-Encoding": "gzip"}
ITEM = json.dumps({"wire": WIRE}).encode()
TEXT = json.dumps({"text": WIRE}).encode()


def send(path: str, body: bytes, media: str = "application/json", **headers: str) -> Any:
    """Post a body as a key that may store packets."""
    return post(Client(), path, body, make_key("ingest"), media, **headers)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "body", "media", "status"),
    [
        ("packets", ITEM, "application/json", 201),
        ("packets/batch", ITEM + b"\n", NDJSON, 201),
        ("decode", TEXT, "application/json", 200),
        ("tokens", b'{"texts":["a"]}', "application/json", 200),
    ],
)
class TestCompression:
    def test_a_body_can_be_compressed_everywhere(
        self, path: str, body: bytes, media: str, status: int
    ) -> None:
        packed = send(path, gzip.compress(body), media, **{"Content-Encoding": " GZIP"})
        old = send(path, gzip.compress(body), media, **{"Content-Encoding": "x-gzip"})
        plain = send(path, body, media, **{"Content-Encoding": "identity"})
        assert [each.status_code for each in (packed, old, plain)] == [status] * 3

    def test_other_encodings_are_refused_and_nothing_is_stored(
        self, path: str, body: bytes, media: str, status: int
    ) -> None:
        for coding in ("br", "gzip, br"):
            refusal = send(path, body, media, **{"Content-Encoding": coding})
            assert refused(refusal) == (415, "")
            assert refusal.json()["detail"] == (
                f"Unsupported Content-Encoding {coding}. Expected gzip or identity."
            )
        assert not Packet.objects.exists()

    @pytest.mark.parametrize("cut", [8, 0])
    def test_what_is_not_gzip_is_refused(
        self, path: str, body: bytes, media: str, status: int, cut: int
    ) -> None:
        broken = gzip.compress(body)[:-cut] if cut else body
        assert refused(send(path, broken, media, **GZIP)) == (422, "")
        assert not Packet.objects.exists()

    def test_the_limit_is_that_of_the_decompressed_body(
        self, path: str, body: bytes, media: str, status: int
    ) -> None:
        refusal = send(path, gzip.compress(b" " * (64 << 20) + body), media, **GZIP)
        assert refused(refusal) == (413, "")
        assert not Packet.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("packets", ITEM, 201), ("packets/batch", b"[%b]" % ITEM, 201), ("decode", TEXT, 200)],
)
def test_a_byte_order_mark_before_json_is_not_part_of_it(
    path: str, body: bytes, status: int
) -> None:
    mark = "\ufeff".encode()
    assert send(path, mark + body).status_code == status
    assert send(path, mark + mark + body).status_code in (400, 422)
    assert send(path, mark).status_code in (400, 422)


@pytest.mark.django_db
def test_a_live_session_reads_compressed_messages_too() -> None:
    address = Client().post("/api/v1/pads").json()["post"]
    path = address[address.index("/api/v1/") + len("/api/v1/") :]

    assert send(path, gzip.compress(WIRE.encode()), "text/plain", **GZIP).json()["messages"] == 1
    assert refused(send(path, WIRE.encode(), "text/plain", **{"Content-Encoding": "br"}))[0] == 415


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "body", "pointer", "name"),
    [
        ("decode", '{"text":"a","protocol":"nslip","protocol":"auto"}', "/protocol", "protocol"),
        ("decode", r'{"text":"a","te\u0078t":"b"}', "/text", "text"),
        ("encode", '{"protocol":"nslip","values":{"g":[{"a":1,"a":1}]}}', "/values/g/0/a", "a"),
        ("packets", f'{{"wire":"{WIRE}","wire":"{WIRE}"}}', "/wire", "wire"),
        ("receipts/check", '{"receipt":{"leaf":1,"leaf":2}}', "/receipt/leaf", "leaf"),
    ],
)
def test_a_repeated_key_is_refused(path: str, body: str, pointer: str, name: str) -> None:
    refusal = send(path, body.encode())
    assert refused(refusal) == (422, pointer)
    assert refusal.json()["detail"] == f'"{name}" is given more than once.'


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "pointer", "detail"),
    [
        ("[]", "", "Expected an object, got a list."),
        ('{"text":[]}', "/text", "Expected text, got a list."),
        ('{"text":"x","dialect":true}', "/dialect", "Expected text or null, got true or false."),
    ],
)
def test_a_value_of_another_type_is_refused_in_words(body: str, pointer: str, detail: str) -> None:
    answer = Client().post("/api/v1/decode", body, content_type="application/json").json()
    assert (answer["pointer"], answer["detail"]) == (pointer, detail)


@pytest.mark.django_db
def test_the_same_key_in_two_objects_and_in_a_text_is_not_repeated() -> None:
    body = {"protocol": "nslip", "values": {"a": {"g": 1}, "b": {"g": 1}, "c": '"g":1,"g":1'}}
    assert "more than once" not in send("encode", json.dumps(body).encode()).content.decode()


def test_stored_json_is_written_as_it_is() -> None:
    stored = msgspec.Raw(b'[{"code":"x"}]')

    assert write_json({"diagnostics": stored}).content == b'{"diagnostics":[{"code":"x"}]}'


def test_an_unpaired_surrogate_stays_escaped_beside_stored_json() -> None:
    answer = write_json({"text": "\ud800", "diagnostics": msgspec.Raw(b'[{"code":"x"}]')})

    assert answer.content == rb'{"text":"\ud800","diagnostics":[{"code":"x"}]}'
    assert json.loads(answer.content)["text"] == "\ud800"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "media", "limit"),
    [
        ("packets", "application/json", "16,777,216"),
        ("packets/batch", NDJSON, "67,108,864"),
        ("packets/batch", "text/plain", "67,108,864"),
        ("decode", "application/json", "8,388,608"),
    ],
)
def test_a_body_that_says_its_length_is_told_the_limit_before_it_is_received(
    path: str, media: str, limit: str
) -> None:
    """The front receives nothing of it, so it cannot be read."""
    headers = {"Authorization": f"Bearer {make_key('ingest')}"}
    unread: dict[str, Any] = {"wsgi.input": TooLarge(), "CONTENT_LENGTH": "100000000"}
    answer = Client().post(f"/api/v1/{path}", b"", media, headers=headers, **unread)

    assert answer.status_code == 413
    assert answer.json()["detail"] == f"The body has 100,000,000 bytes. The limit is {limit}."
