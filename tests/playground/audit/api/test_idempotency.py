"""`Idempotency-Key` over HTTP. What needs a real server is in `test_idempotency_served.py`."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.models import ApiKey, IdempotentRequest, Packet

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1"
NDJSON = "application/x-ndjson"


@pytest.fixture
def key() -> str:
    return access.create_key(source="bot", scopes=("ingest", "read"))[1]


def post(
    client: Client, path: str, body: object, key: str, value: str | None = "k", **more: str
) -> Any:
    content = body if isinstance(body, bytes | str) else json.dumps(body)
    media = more.pop("media", "application/json")
    named = {} if value is None else {"Idempotency-Key": value}
    headers = {"Authorization": f"Bearer {key}"} | named | more
    return client.post(f"/api/v1/{path}", content, content_type=media, headers=headers)


def problem(response: Any) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


BODIES = [
    ("packets", "application/json", {"wire": WIRE}),
    ("packets/batch", "application/json", [{"wire": WIRE}, {"wire": 5}]),
    ("packets/batch", NDJSON, json.dumps({"wire": WIRE}) + "\n{\n"),
    ("packets/batch?protocol=nslip", "text/plain", f"12:00 planner: {WIRE}\n\nprose\n"),
]


@pytest.mark.parametrize(("path", "media", "body"), BODIES)
def test_a_request_again_is_a_replay(
    client: Client, key: str, path: str, media: str, body: object
) -> None:
    first = post(client, path, body, key, media=media)
    again = post(client, path, body, key, media=media)
    stored = Packet.objects.count()

    assert first.status_code in (201, 207)
    assert "Idempotency-Replayed" not in first.headers
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert stored == sum(result["status"] == 201 for result in first.json()["results"])


@pytest.mark.parametrize(("path", "media", "body"), BODIES)
def test_another_body_is_422(client: Client, key: str, path: str, media: str, body: object) -> None:
    post(client, path, body, key, media=media)
    text = body if isinstance(body, str) else json.dumps(body)

    status, detail = problem(post(client, path, text.replace("42", "43"), key, media=media))

    assert status == 422
    assert "another body" in detail
    assert not any(b"43" in bytes(wire) for wire in Packet.objects.values_list("wire", flat=True))


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("packets/batch?strict=true", NDJSON),
        ("packets/batch", "application/jsonl"),
        ("packets", "application/json"),
    ],
)
def test_another_path_query_or_media_type_is_422(
    client: Client, key: str, path: str, media: str
) -> None:
    post(client, "packets/batch", json.dumps({"wire": WIRE}), key, media=NDJSON)

    assert problem(post(client, path, json.dumps({"wire": WIRE}), key, media=media))[0] == 422
    assert Packet.objects.count() == 1


def test_a_request_without_the_header_is_written_each_time(client: Client, key: str) -> None:
    for value in (None, None, "k"):
        assert post(client, "packets", {"wire": WIRE}, key, value).status_code == 201

    assert Packet.objects.count() == 3
    assert IdempotentRequest.objects.count() == 1


@pytest.mark.parametrize("value", ["", "é", "a" * 256, "a\x7f", "a\tb"])
@pytest.mark.parametrize("path", ["packets", "packets/batch"])
def test_a_key_that_is_none_is_400(client: Client, key: str, path: str, value: str) -> None:
    assert problem(post(client, path, {"wire": WIRE}, key, value))[0] == 400
    assert not Packet.objects.exists()


@pytest.mark.parametrize("value", ["a", " ~!\"',;=", "a" * 255])
def test_any_printable_key_will_do(client: Client, key: str, value: str) -> None:
    assert post(client, "packets", {"wire": WIRE}, key, value).status_code == 201
    assert "Idempotency-Replayed" in post(client, "packets", {"wire": WIRE}, key, value).headers


@pytest.mark.parametrize("path", ["packets", "packets/batch"])
def test_a_running_one_is_409(client: Client, key: str, path: str) -> None:
    body = {"wire": WIRE} if path == "packets" else [{"wire": WIRE}]
    post(client, path, body, key)
    IdempotentRequest.objects.update(touched=datetime.now(UTC), body=None)

    response = post(client, path, body, key)

    assert problem(response)[0] == 409
    assert 1 <= int(response.headers["Retry-After"]) <= 10


@pytest.mark.parametrize(
    "body",
    [
        b"",
        "{",
        {"wire": 5},
        {"wire": WIRE, "log": "nowhere"},
        {"wire": WIRE, "sent_at": "2026-11-20T10:00:00"},
    ],
)
def test_a_refused_request_is_not_remembered(client: Client, key: str, body: object) -> None:
    assert post(client, "packets", body, key).status_code in (400, 422)
    assert post(client, "packets", {"wire": WIRE}, key).status_code == 201


def test_strict_refusals_are_not_remembered(client: Client, key: str) -> None:
    assert post(client, "packets?strict=true", {"wire": "prose"}, key).status_code == 422
    assert post(client, "packets?strict=true", {"wire": WIRE}, key).status_code == 201


@pytest.mark.parametrize("way", ["revoked", "expired"])
def test_nothing_is_replayed_for_a_key_that_has_ended(client: Client, key: str, way: str) -> None:
    post(client, "packets", {"wire": WIRE}, key)
    found = ApiKey.objects.get()
    if way == "revoked":
        access.revoke_key(found.pk)
    else:
        ApiKey.objects.update(expires=datetime.now(UTC) - timedelta(seconds=1))

    assert problem(post(client, "packets", {"wire": WIRE}, key))[0] == 401


def test_another_key_of_the_same_source_has_its_own_requests(client: Client, key: str) -> None:
    other = access.create_key(source="bot", scopes=("ingest",))[1]

    assert [post(client, "packets", {"wire": WIRE}, one).status_code for one in (key, other)] == [
        201,
        201,
    ]
    assert Packet.objects.count() == 2


def test_an_event_id_and_a_key_go_together(client: Client, key: str) -> None:
    post(client, "packets", {"wire": WIRE, "event_id": "e"}, key, None)
    body = [{"wire": WIRE, "event_id": "e"}, {"wire": "other", "event_id": "e"}]
    first = post(client, "packets/batch", body, key)

    assert [result["status"] for result in first.json()["results"]] == [200, 409]
    assert post(client, "packets/batch", body, key).json() == first.json()
    assert Packet.objects.count() == 1


def test_content_counts_and_not_how_it_was_packed(client: Client, key: str) -> None:
    body = json.dumps({"wire": WIRE}).encode() + b"\n"
    first = post(
        client,
        "packets/batch",
        gzip.compress(body, 1),
        key,
        media=NDJSON,
        **{"Content-Encoding": "gzip"},
    )
    again = post(client, "packets/batch", body, key, media=NDJSON)

    assert again.json() == first.json()
    assert again.headers["Idempotency-Replayed"] == "true"


def test_the_document_describes_the_header_and_its_answers(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]

    for path in ("packets", "packets/batch"):
        operation = paths[f"/api/v1/{path}"]["post"]
        (header,) = [
            parameter for parameter in operation["parameters"] if parameter["in"] == "header"
        ]
        assert (header["name"], header["required"]) == ("Idempotency-Key", False)
        assert header["schema"]["maxLength"] == 255
        assert {"409", "422"} <= operation["responses"].keys()
        assert "Idempotency-Replayed" in operation["responses"]["201"]["headers"]
