"""Storing batches over HTTP: item by item, as plain text, compressed, and refused."""

import base64
import gzip
import json

import pytest
from django.test import Client

from auditlog.log import logs
from auditlog.models import Packet
from tests.playground.audit.api.requests import BROKEN, NDJSON, WIRE, get, post, refused, statuses
from tests.playground.stating import LINES, state

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("application/json", json.dumps([{"wire": WIRE}, {"wire": BROKEN}, {"wire": "?"}])),
        (NDJSON, f'{{"wire":"{WIRE}"}}\n\n{{"wire":"{BROKEN}"}}\r\n{{"wire":"?"}}'),
        (
            "application/jsonl",
            f'\ufeff{{"wire":"{WIRE}"}}\n{{"wire":"{BROKEN}"}}\n{{"wire":"?"}}\n',
        ),
    ],
)
def test_a_batch_is_answered_item_by_item_in_order(
    client: Client, key: str, media: str, body: str
) -> None:
    response = post(client, "packets/batch", body, key, media)

    assert response.status_code == 201
    results = response.json()["results"]
    assert [(result["item"], result["leaf"], result["valid"]) for result in results] == [
        (0, 0, True),
        (1, 1, False),
        (2, 2, False),
    ]


def test_a_plain_log_is_cut_into_messages(client: Client, key: str) -> None:
    text = f"🙂 10:00 planner: {WIRE}\nnothing here\n{BROKEN}\n"

    response = post(client, "packets/batch", text, key, "text/plain; charset=utf-8")

    assert response.status_code == 201
    answer = response.json()
    assert [text[slice(*result["span"])] for result in answer["results"]] == [WIRE, BROKEN]
    assert [(fragment["text"], fragment["reason"]) for fragment in answer["ignored"]] == [
        ("🙂 10:00 planner:", "log prefix"),
        ("nothing here", "unrecognized text"),
    ]
    assert answer["ignored_more"] == 0


@pytest.mark.parametrize("charset", ["utf-16", "utf-32", "utf-16-be", "utf-32-be"])
@pytest.mark.parametrize("media", ["application/json", NDJSON, "text/plain"])
def test_a_batch_in_another_encoding_is_told_so(
    client: Client, key: str, media: str, charset: str
) -> None:
    """It would be a text without a message."""
    mark = "\ufeff" if charset.endswith("-be") else ""
    for headers in ({}, {"Content-Encoding": "gzip"}):
        body = f"{mark}{WIRE}\n".encode(charset)
        sent = gzip.compress(body) if headers else body
        response = post(client, "packets/batch", sent, key, media, **headers)

        assert refused(response) == (422, "")
        assert response.json()["detail"] == "The body is in UTF-16 or UTF-32. Expected UTF-8."
    assert not Packet.objects.exists()


def test_a_plain_log_may_name_its_protocol_and_its_log(client: Client, key: str) -> None:
    logs.create(slug="night")

    response = post(
        client, "packets/batch?protocol=nslip&log=night", f"hello\n{WIRE}\n", key, "text/plain"
    )

    assert [(result["log"], result["valid"]) for result in response.json()["results"]] == [
        ("night", False),
        ("night", True),
    ]


def test_what_lines_of_a_plain_log_say_is_stored(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state(monkeypatch)

    answer = post(client, "packets/batch?zone=Europe/Berlin", LINES, key, "text/plain")
    (found,) = get(
        client, "search", key, q="attr.trace_id:4bf92f35 from:planner to:executor thread:42/1"
    ).json()["results"]

    assert answer.status_code == 201
    assert found["sent_at"] == "2026-11-20T10:00:01+01:00"
    assert found["supplied"] == {
        "attributes": {"trace_id": "4bf92f35"}, "from": "planner", "to": "executor",
        "thread": "42/1",
        "sent_text": "2026-11-20 10:00:01", "sent_zone": "Europe/Berlin",
        "from_line": ["attributes", "from", "sent_at", "thread", "to"],
    }  # fmt: skip


def test_a_plain_log_names_its_zone_by_an_iana_name(client: Client, key: str) -> None:
    answer = post(client, "packets/batch?zone=Europe/Berln", LINES, key, "text/plain")

    assert refused(answer) == (422, "/zone")
    assert "Did you mean Europe/Berlin?" in answer.json()["detail"]
    assert Packet.objects.count() == 0


@pytest.mark.parametrize("media", ["application/json", NDJSON])
def test_attributes_are_stored_and_found(client: Client, key: str, media: str) -> None:
    item = {
        "wire": WIRE,
        "attributes": {"llm": {"model": "gpt-4o"}, "steps": ["a", "b"], "cost": 0.25},
    }
    body = json.dumps([item] if media == "application/json" else item)

    assert post(client, "packets/batch", body, key, media).status_code == 201
    for query in ("attr.llm.model:gpt-4o", "attr.steps:b", "attr.cost:0.25", "attr.llm.model:gpt*"):
        (found,) = get(client, "search", key, q=query).json()["results"]
        assert found["supplied"] == {"attributes": item["attributes"]}


def test_an_attribute_that_no_packet_has_is_an_error(client: Client, key: str) -> None:
    post(client, "packets", {"wire": WIRE, "attributes": {"trace_id": "x"}}, key)

    answer = get(client, "search", key, q="attr.trace:x")

    assert answer.status_code == 422
    assert "attr.trace_id" in answer.content.decode()


def test_gzip_is_welcome(client: Client, key: str) -> None:
    body = gzip.compress(f'{{"wire":"{WIRE}"}}\n'.encode() * 3)

    response = post(client, "packets/batch", body, key, NDJSON, **{"Content-Encoding": "gzip"})

    assert statuses(response) == [201, 201, 201]


def test_bytes_that_are_not_utf8_are_sent_as_plain_text(client: Client, key: str) -> None:
    """As the description of an item says: JSON has no way to write them."""
    response = post(client, "packets/batch", f"{WIRE}_".encode() + b"\xe9\n", key, "text/plain")

    assert statuses(response) == [201]
    packet = get(client, f"packets/{response.json()['results'][0]['packet']}", key).json()
    assert base64.b64decode(packet["wire_base64"]).endswith(b"\xe9")
    escaped = post(client, "packets", rb'{"wire":"caf\udce9"}', key)
    assert refused(escaped) == (422, "/wire")
    item = client.get("/api/openapi.json").json()["components"]["schemas"]["Item"]
    assert "an unpaired surrogate is refused" in item["description"]
    assert "surrogate escapes" not in item["description"]


def test_a_bad_item_never_loses_its_neighbours(client: Client, key: str) -> None:
    lines = [
        json.dumps({"wire": WIRE, "event_id": "1"}), "{", '{"wire":1,"event_id":"3"}',
        '{"wire":"\\udc00"}', "[]",
        json.dumps({"wire": WIRE, "event_id": "1"}), json.dumps({"wire": BROKEN, "event_id": "1"}),
        json.dumps({"wire": BROKEN}),
    ]  # fmt: skip

    response = post(client, "packets/batch", "\n".join(lines), key, NDJSON)

    assert response.status_code == 207
    assert statuses(response) == [201, 422, 422, 422, 422, 200, 409, 201]
    results = response.json()["results"]
    assert [result["item"] for result in results] == list(range(8))
    assert results[2]["event_id"] == "3"
    assert results[3]["error"]["pointer"] == "/wire"
    assert set(results[1]["error"]) == {"detail", "pointer"}
    assert Packet.objects.count() == 2


def test_a_batch_sent_again_is_200_and_adds_nothing(client: Client, key: str) -> None:
    items = [{"wire": WIRE, "event_id": f"e-{at}"} for at in range(5)]
    post(client, "packets/batch", items, key)

    response = post(client, "packets/batch", items, key)

    assert response.status_code == 200
    assert statuses(response) == [200] * 5
    assert Packet.objects.count() == 5


@pytest.mark.parametrize(
    ("media", "body", "status"),
    [
        ("application/json", "{", 422),
        ("application/json", '{"wire":"x"}', 422),
        ("application/json", b"[" + b" " * (9 * 1024 * 1024) + b"]", 413),
        ("application/xml", "<x/>", 415),
        ("text/plain; charset=utf-8", b"x" * (65 * 1024 * 1024), 413),
    ],
)
def test_a_batch_that_cannot_be_read_is_refused_whole(
    client: Client, key: str, media: str, body: bytes | str, status: int
) -> None:
    assert refused(post(client, "packets/batch", body, key, media)) == (status, "")
    assert not Packet.objects.exists()


def test_a_batch_of_nothing_is_no_failure(client: Client, key: str) -> None:
    for media, body in (("application/json", "[]"), (NDJSON, "\n"), ("text/plain", "\n")):
        response = post(client, "packets/batch", body, key, media)
        assert response.status_code == 200
        assert response.json()["results"] == []


@pytest.mark.parametrize(
    ("media", "body"),
    [
        (
            "application/json",
            json.dumps([{"wire": 5, "event_id": "a"}, {"wire": WIRE, "log": "nowhere"}]),
        ),
        (NDJSON, '{"wire":5,"event_id":"a"}\n{"wire":"x","log":"nowhere"}\n'),
    ],
)
def test_a_batch_of_which_nothing_was_kept_is_422_as_a_whole(
    client: Client, key: str, media: str, body: str
) -> None:
    response = post(client, "packets/batch", body, key, media)

    assert refused(response) == (422, "")
    results = response.json()["results"]
    assert [(result["item"], result["event_id"], result["status"]) for result in results] == [
        (0, "a", 422),
        (1, None, 422),
    ]
    assert [result["error"]["pointer"] for result in results] == ["/wire", "/log"]
    assert not Packet.objects.exists()


def test_a_text_of_which_nothing_was_kept_is_422_with_its_spans(client: Client, key: str) -> None:
    response = post(client, "packets/batch?strict=true", f"prose\n{BROKEN}\n", key, "text/plain")

    assert refused(response) == (422, "")
    assert [result["span"] for result in response.json()["results"]] == [[6, 6 + len(BROKEN)]]
    assert [fragment["text"] for fragment in response.json()["ignored"]] == ["prose"]


def test_an_ignored_fragment_of_a_plain_log_names_the_protocol_that_it_resembles(
    client: Client, key: str
) -> None:
    text = f"{WIRE}\nLOG|user=bob|action=login\nprose\n"

    answer = post(client, "packets/batch", text, key, "text/plain").json()

    assert [fragment["resembles"] for fragment in answer["ignored"]] == ["aacp", None]


def test_a_text_without_a_message_is_422_with_what_was_ignored(client: Client, key: str) -> None:
    response = post(client, "packets/batch", "Dear all,\nthank you.\n", key, "text/plain")

    assert refused(response) == (422, "")
    answer = response.json()
    assert answer["results"] == []
    assert (
        "".join(fragment["text"] for fragment in answer["ignored"]).replace("\n", "")
        == "Dear all,thank you."
    )
    assert answer["ignored_more"] == 0


def test_a_batch_of_conflicts_alone_is_422(client: Client, key: str) -> None:
    post(client, "packets", {"wire": WIRE, "event_id": "a"}, key)

    response = post(client, "packets/batch", [{"wire": BROKEN, "event_id": "a"}], key)

    assert refused(response) == (422, "")
    assert [result["status"] for result in response.json()["results"]] == [409]


def test_old_and_new_are_mixed(client: Client, key: str) -> None:
    item = {"wire": WIRE, "event_id": "a"}
    post(client, "packets", item, key)

    response = post(client, "packets/batch", [item, {"wire": WIRE}], key)

    assert (response.status_code, statuses(response)) == (207, [200, 201])


def test_the_document_describes_a_batch_that_was_refused(client: Client) -> None:
    document = client.get("/api/openapi.json").json()

    answer = document["paths"]["/api/v1/packets/batch"]["post"]["responses"]["422"]
    name = answer["content"]["application/problem+json"]["schema"]["$ref"].rpartition("/")[2]
    shape = document["components"]["schemas"][name]
    assert {"type", "title", "status", "detail", "pointer"} == set(shape["required"])
    assert {"results", "ignored", "ignored_more"} <= shape["properties"].keys()


def test_a_stream_that_grows_too_large_keeps_the_receipts_of_what_was_committed(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.audit.api.log.STREAM_LIMIT", 40_000)
    for module in ("playground.audit.api.log", "playground.rest.body"):
        monkeypatch.setattr(f"{module}.announced", lambda _request: None)
    monkeypatch.setattr("playground.rest.body.BLOCK", 1_000)
    lines = b"".join(b'{"wire":"REQ/TSK|g=%d"}\n' % n for n in range(3_000))

    response = post(client, "packets/batch", lines, key, NDJSON)

    assert response.status_code == 207
    assert statuses(response)[:1] + statuses(response)[-1:] == [201, 413]
    assert Packet.objects.count() == len(statuses(response)) - 1 > 0


@pytest.mark.parametrize(
    ("length", "said"),
    [(100, "Unknown time zone"), (101, "Expected text of at most 100 characters.")],
)
def test_a_batch_refuses_the_name_of_a_time_zone(
    client: Client, key: str, length: int, said: str
) -> None:
    response = post(client, f"packets/batch?zone={'x' * length}", WIRE, key, "text/plain")

    assert refused(response) == (422, "/zone")
    assert said in response.json()["detail"]


def test_a_batch_names_an_unknown_protocol_of_its_query(client: Client, key: str) -> None:
    assert refused(post(client, "packets/batch?protocol=morse", WIRE, key, "text/plain")) == (
        422,
        "/protocol",
    )
    assert refused(post(client, "packets/batch?log=No!", WIRE, key, "text/plain")) == (422, "/log")


@pytest.mark.parametrize("name", ["protocol", "log", "zone"])
@pytest.mark.parametrize("media", ["application/json", NDJSON])
def test_what_is_for_plain_text_is_refused_elsewhere(
    client: Client, key: str, name: str, media: str
) -> None:
    response = post(client, f"packets/batch?{name}=UTC", json.dumps([{"wire": WIRE}]), key, media)

    assert refused(response) == (422, f"/{name}")
    assert not Packet.objects.exists()


@pytest.mark.parametrize("encoding", ["br", "gzip, gzip"])
def test_another_encoding_is_refused(client: Client, key: str, encoding: str) -> None:
    response = post(client, "packets/batch", b"x", key, NDJSON, **{"Content-Encoding": encoding})

    assert refused(response) == (415, "")


def test_what_is_not_gzip_is_refused(client: Client, key: str) -> None:
    response = post(client, "packets/batch", b"x", key, NDJSON, **{"Content-Encoding": "gzip"})

    assert refused(response) == (422, "")
