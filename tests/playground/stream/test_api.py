"""Pads over the API: opened, posted to, read, closed; and a pad that keeps."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.database.faults import Fault
from auditlog.database.unavailable import Stuck
from auditlog.log import writer
from auditlog.models import ApiKey, Packet
from playground.http.throttle import Throttle
from playground.stream import opening, parse
from playground.stream import pad as one_pad
from playground.stream.pads import PADS_PER_CALLER, Pads
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db

NDJSON = "application/x-ndjson"
WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


@pytest.fixture(autouse=True)
def no_other_pads(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test meets the pads of another."""
    pads = Pads()
    monkeypatch.setattr(opening, "pads", pads)
    monkeypatch.setattr(opening, "throttle", Throttle())


def opened(client: Client, query: str = "", **headers: str) -> dict[str, Any]:
    response = client.post(f"/api/v1/pads{query}", headers=headers)
    assert response.status_code == 201, response.content
    answer: dict[str, Any] = response.json()
    return answer


def post(client: Client, pad: dict[str, Any], body: str | bytes, media: str = "text/plain") -> Any:
    return client.post(pad["post"], body, content_type=media)


def read(client: Client, pad: dict[str, Any], query: str = "") -> Any:
    return client.get(f"/api/v1/pads/{pad['key']}{query}").json()


def test_a_pad_ends_an_hour_after_it_was_opened(client: Client) -> None:
    pad = opened(client)

    began, ends = (datetime.fromisoformat(pad[name]) for name in ("opened", "expires"))

    assert ends - began == timedelta(hours=1)


def test_a_post_in_another_encoding_is_told_so(client: Client) -> None:
    pad = opened(client)
    response = post(client, pad, "REQ/TSK|g=1,t=1\n".encode("utf-16"))

    assert response.status_code == 422
    assert response.json()["detail"].startswith("The body is in UTF-16 or UTF-32. Expected UTF-8.")
    assert read(client, pad)["messages"] == []


def test_a_pad_is_opened_posted_to_read_and_closed(client: Client) -> None:
    pad = opened(client)

    answer = post(client, pad, f"10:00 planner: {WIRE}\nRJE/PLN|g=4\n")

    assert answer.status_code == 200
    assert answer.json() == {
        "first": 1,
        "last": 2,
        "messages": 2,
        "kept": 0,
        "unread": [],
        "unread_more": 0,
    }
    found = read(client, pad)
    assert [
        (message["number"], message["wire"], message["valid"]) for message in found["messages"]
    ] == [
        (1, WIRE, True),
        (2, "RJE/PLN|g=4", False),
    ]
    assert found["messages"][0]["tokens"] == 19
    assert found["pad"]["totals"]["messages"] == 2
    closed = client.delete(f"/api/v1/pads/{pad['key']}")
    assert closed.json()["totals"]["invalid"] == 1
    assert client.get(f"/api/v1/pads/{pad['key']}").status_code == 410
    assert post(client, pad, WIRE).status_code == 410
    assert Packet.objects.count() == 0


def test_items_are_numbered_in_the_whole_body(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "CHUNK_SIZE", 2)
    pad = opened(client)

    answer = post(client, pad, json.dumps([WIRE, WIRE, WIRE, {"wire": 3}, WIRE]), parse.JSON)

    assert answer.status_code == 207
    found = answer.json()
    assert (found["first"], found["last"], found["messages"]) == (1, 5, 4)
    assert [one["item"] for one in found["unread"]] == [3]


def test_the_address_to_post_to_does_not_read(client: Client) -> None:
    pad = opened(client)
    address = pad["post"].rpartition("/")[2]

    assert client.get(f"/api/v1/pads/{address}").status_code == 404
    assert client.delete(f"/api/v1/pads/{address}").status_code == 404


def test_what_curl_sends_by_itself_is_read(client: Client) -> None:
    pad = opened(client)

    assert post(client, pad, WIRE, "application/x-www-form-urlencoded").json()["messages"] == 1


def test_bad_lines_are_told_and_cost_no_neighbour(client: Client) -> None:
    pad = opened(client)
    lines = [
        {"wire": WIRE},
        {"wire": 7},
        {"wire": WIRE, "protocol": "none"},
        {"wire": "ACC/PLN|g=1,t=1", "from": "a"},
    ]

    answer = post(client, pad, "\n".join(map(json.dumps, lines)), NDJSON)

    assert answer.status_code == 207
    assert [(refusal["item"], refusal["pointer"]) for refusal in answer.json()["unread"]] == [
        (1, "/wire"),
        (2, "/protocol"),
    ]
    found = read(client, pad)
    assert [message["number"] for message in found["messages"]] == [1, 4]
    assert [gap["number"] for gap in found["gaps"]] == [2, 3]
    assert found["messages"][1]["supplied"] == {"from": "a"}


def test_only_so_many_bad_lines_are_told(client: Client) -> None:
    answer = post(client, opened(client), '{"wire":1}\n' * 250, NDJSON).json()

    assert (len(answer["unread"]), answer["unread_more"]) == (100, 150)
    assert [refusal["item"] for refusal in answer["unread"]] == list(range(100))


def test_reading_goes_on_behind_a_number(client: Client) -> None:
    pad = opened(client)
    post(client, pad, f"{WIRE}\n" * 5)

    found = read(client, pad, "?after=1&limit=2")

    assert [message["number"] for message in found["messages"]] == [2, 3]
    assert found["to"] == 3
    assert read(client, pad, "?after=5")["to"] == 5


def test_a_protocol_can_be_chosen_and_must_be_one(client: Client) -> None:
    pad = opened(client, "?protocol=nslip")
    post(client, pad, "hello there")

    assert read(client, pad)["messages"][0]["protocol"] == "nslip"
    refused = client.post("/api/v1/pads?protocol=none")
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/protocol")


@pytest.mark.parametrize("address", ["A" * 24, "A" * 23, "x/y"])
def test_an_address_that_is_none_is_told(client: Client, address: str) -> None:
    answer = client.post(f"/api/v1/post/{address}", WIRE, content_type="text/plain")

    assert answer.status_code in (404, 422)
    assert answer["Content-Type"] == "application/problem+json"


def test_too_fast_is_told_and_what_came_before_is_there(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_pad, "BURST", 150.0)
    pad = opened(client)

    answer = post(client, pad, f'{{"wire":"{WIRE}"}}\n' * 400, NDJSON)

    assert answer.status_code == 429
    assert answer["Retry-After"] == "1"
    taken = answer.json()["messages"]
    assert 150 <= taken < 400
    found = read(client, pad)
    assert len(found["messages"]) == taken
    assert "rejected" in found["gaps"][-1]["words"]


def test_too_large_is_told(client: Client) -> None:
    answer = post(client, opened(client), b" " * (8 * 1024 * 1024 + 1), "application/json")

    assert answer.status_code == 413


def test_too_many_pads_of_one_caller_are_told(client: Client) -> None:
    for _ in range(PADS_PER_CALLER):
        opened(client)

    refused = client.post("/api/v1/pads")

    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 3000


def test_the_limit_of_a_key_is_told_as_that_of_a_key(client: Client) -> None:
    _, token = access.create_key(source="hr-bot", scopes=("ingest",))
    bearer = {"Authorization": f"Bearer {token}"}
    for _ in range(PADS_PER_CALLER):
        opened(client, **bearer)

    refused = client.post("/api/v1/pads", headers=bearer)

    assert refused.json()["detail"].startswith("The limit is 8 live sessions per API key. Close")


def test_opening_over_and_over_is_slowed_down(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "throttle", Throttle(burst=1))
    client.delete(f"/api/v1/pads/{opened(client)['key']}")

    assert client.post("/api/v1/pads").status_code == 429


def test_a_pad_opened_with_a_key_keeps_what_arrives(client: Client) -> None:
    _, token = access.create_key(source="hr-bot", scopes=("ingest",))
    pad = opened(client, Authorization=f"Bearer {token}")
    assert pad["keeps"]

    answer = post(client, pad, f'{{"wire":"{WIRE}","event_id":"e-1"}}\nRJE/PLN|g=4\n', NDJSON)

    assert answer.json()["kept"] == 2
    assert [bytes(packet.wire).decode() for packet in Packet.objects.order_by("log", "leaf")] == [
        WIRE,
        "RJE/PLN|g=4",
    ]
    assert {packet.source.name for packet in Packet.objects.all()} == {"hr-bot"}
    assert read(client, pad)["pad"]["totals"]["kept"] == 2


def test_an_idempotency_key_is_refused_where_messages_go_to_the_log(client: Client) -> None:
    _, token = access.create_key(source="hr-bot", scopes=("ingest",))
    keeping, other = opened(client, Authorization=f"Bearer {token}"), opened(client)
    headers = {"Idempotency-Key": "k"}

    assert (
        client.post(keeping["post"], WIRE, content_type="text/plain", headers=headers).status_code
        == 422
    )
    assert (
        client.post(other["post"], WIRE, content_type="text/plain", headers=headers).status_code
        == 200
    )
    assert not Packet.objects.exists()


def test_a_key_that_was_revoked_keeps_nothing_more(client: Client) -> None:
    key, token = access.create_key(source="hr-bot", scopes=("ingest",))
    pad = opened(client, Authorization=f"Bearer {token}")
    post(client, pad, WIRE)
    access.revoke_key(key.pk)

    answer = post(client, pad, WIRE)

    assert answer.status_code == 410
    assert "its key expired, was revoked" in json.loads(answer.content)["detail"]
    assert Packet.objects.count() == 1


@pytest.mark.parametrize("way", ["revoked", "expired", "may not write"])
def test_a_pad_is_gone_for_every_reader_once_its_key_is_no_longer_good(
    client: Client, way: str
) -> None:
    key, token = access.create_key(source="hr-bot", scopes=("ingest",))
    pad = opened(client, Authorization=f"Bearer {token}")
    post(client, pad, WIRE)
    change: dict[str, Any] = {
        "revoked": {"revoked": datetime.now(UTC)},
        "expired": {"expires": datetime.now(UTC) - timedelta(seconds=1)},
        "may not write": {"scopes": "read"},
    }
    ApiKey.objects.filter(pk=key.pk).update(**change[way])

    with recorded() as lines:
        statuses = [
            client.get(f"/api/v1/pads/{pad['key']}").status_code,
            client.get(f"/stream/pad/{pad['key']}").status_code,
            client.get(f"/stream/pad/{pad['key']}/events").status_code,
            client.get(f"/stream/pad/{pad['key']}/lines").status_code,
            client.get(f"/stream/pad/{pad['key']}/message/1").status_code,
            client.post(f"/stream/pad/{pad['key']}/save").status_code,
            client.delete(f"/api/v1/pads/{pad['key']}").status_code,
            post(client, pad, WIRE).status_code,
        ]

    assert statuses == [410] * 8
    assert events(lines) == [{"event": "pad.ended", "key": key.pk}]
    assert Packet.objects.count() == 1


def test_a_key_must_be_good_and_may_write(client: Client) -> None:
    _, reading = access.create_key(source="reader", scopes=("read",))

    assert (
        client.post("/api/v1/pads", headers={"Authorization": "Bearer nothing"}).status_code == 401
    )
    assert (
        client.post("/api/v1/pads", headers={"Authorization": f"Bearer {reading}"}).status_code
        == 403
    )
    assert ApiKey.objects.get().source.name == "reader"


def test_what_the_log_refuses_is_shown_and_told(client: Client) -> None:
    _, token = access.create_key(source="hr-bot", scopes=("ingest",))
    pad = opened(client, Authorization=f"Bearer {token}")
    lines = [{"wire": 1}, {"wire": WIRE, "log": "nowhere"}, {"wire": WIRE}]

    answer = post(client, pad, "\n".join(map(json.dumps, lines)), NDJSON)

    assert (answer.status_code, answer.json()["kept"]) == (207, 1)
    assert [(refusal["item"], refusal["pointer"]) for refusal in answer.json()["unread"]] == [
        (0, "/wire"),
        (1, "/log"),
    ]
    assert Packet.objects.count() == 1
    assert len(read(client, pad)["messages"]) == 2


def test_a_fault_in_the_middle_says_how_much_was_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = access.create_key(source="agent", scopes=("ingest",))
    pad = opened(client, Authorization=f"Bearer {key}")
    real, calls = writer.submit, 0

    def submit(*work: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise Stuck(Fault("full", ""))
        return real(*work, **more)

    monkeypatch.setattr(writer, "submit", submit)
    answer = post(client, pad, f"{WIRE}\n" * 4_000)

    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    taken = answer.json()["messages"]
    assert 0 < taken < 4_000
    assert Packet.objects.count() == taken
    assert f"Only the first {taken:,} messages were accepted" in answer.json()["detail"]
    assert "None of this" not in answer.json()["detail"]


def test_a_fault_at_the_beginning_says_that_nothing_was_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = access.create_key(source="agent", scopes=("ingest",))
    pad = opened(client, Authorization=f"Bearer {key}")

    def submit(*_work: Any, **_more: Any) -> Any:
        raise Stuck(Fault("full", ""))

    monkeypatch.setattr(writer, "submit", submit)
    answer = post(client, pad, f"{WIRE}\n" * 2)

    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert "were accepted" not in answer.json()["detail"]
    assert read(client, pad)["messages"] == []
