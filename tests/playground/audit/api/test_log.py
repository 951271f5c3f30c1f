"""Keeping packets and finding them again, over HTTP. What needs a real server is in
`test_log_served.py`.
"""

import gzip
import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from auditlog import access
from auditlog.access import Sender
from auditlog.database import unavailable
from auditlog.log import logs
from auditlog.models import Conflict, Log, Packet
from tests.stating import LINES, state

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
BROKEN = "RJE/PLN|g=42,t=1"
NDJSON = "application/x-ndjson"


def make_key(*scopes: str, source: str = "hr-bot", log: Log | None = None) -> str:
    return access.create_key(source=source, scopes=scopes or ("ingest", "read"), log=log)[1]


@pytest.fixture
def key() -> str:
    return make_key()


def post(
    client: Client,
    path: str,
    body: object,
    key: str | None,
    media: str = "application/json",
    **more: Any,
) -> Any:
    content = body if isinstance(body, bytes | str) else json.dumps(body)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.post(f"/api/v1/{path}", content, content_type=media, headers=headers | more)


def get(client: Client, path: str, key: str | None, **query: Any) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.get(f"/api/v1/{path}", query, headers=headers)


def refused(response: HttpResponse) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert problem["status"] == response.status_code
    return problem["status"], problem["pointer"]


def statuses(response: Any) -> list[int]:
    return [receipt["status"] for receipt in response.json()["results"]]


def test_one_packet_is_kept_and_answered_with_its_receipt(client: Client, key: str) -> None:
    response = post(client, "packets", {"wire": WIRE, "event_id": "a-1"}, key)

    assert response.status_code == 201
    (receipt,) = response.json()["results"]
    packet = Packet.objects.get()
    assert list(receipt) == [
        "item", "event_id", "status", "packet", "log", "leaf", "leaf_hash", "valid", "diagnostics",
    ]  # fmt: skip
    assert receipt["item"] == 0
    assert receipt["event_id"] == "a-1"
    assert receipt["packet"] == packet.uid
    assert (receipt["log"], receipt["leaf"], receipt["valid"]) == ("default", 0, True)
    assert len(receipt["leaf_hash"]) == 64
    assert bytes(packet.wire).decode() == WIRE


def test_a_broken_packet_is_kept_and_marked(client: Client, key: str) -> None:
    (receipt,) = post(client, "packets", {"wire": BROKEN}, key).json()["results"]

    assert receipt["status"] == 201
    assert receipt["valid"] is False
    assert receipt["diagnostics"][0]["code"] == "nslip.unknown-act"
    assert receipt["diagnostics"][0]["fix"] == {"span": [0, 3], "text": "REJ", "safe": True}


def test_everything_beside_the_wire_is_kept(client: Client, key: str) -> None:
    said = {
        "protocol": "nslip", "event_id": "e", "sent_at": "2026-11-20T10:00:01.5+01:00", "from": "planner",
        "to": "coder", "goal": 7, "task": "3", "thread": "night/1", "tags": ["night run"], "content": "Do it.",
        "log": "default",
    }  # fmt: skip
    uid = post(client, "packets", {"wire": WIRE, **said}, key).json()["results"][0]["packet"]

    packet = get(client, f"packets/{uid}", key).json()

    assert packet["supplied"] == {
        "goal": "7", "task": "3", "from": "planner", "to": "coder", "thread": "night/1", "tags": ["night run"],
        "content": "Do it.",
    }  # fmt: skip
    assert packet["sent_at"] == said["sent_at"]


@pytest.mark.requirement("AACP-35")
def test_tokens_of_the_task_content_are_counted_apart(client: Client, key: str) -> None:
    first, second = ({"wire": WIRE, "content": "Do it. Do it."}, {"wire": WIRE})
    bare, beside = (
        get(
            client,
            f"packets/{post(client, 'packets', item, key).json()['results'][0]['packet']}",
            key,
        ).json()
        for item in (second, first)
    )

    assert beside["content_tokens"] == {"count": 6, "exact": True}
    assert bare["content_tokens"] is None
    assert beside["tokens"] == bare["tokens"]
    assert "content_tokens" not in get(client, "search", key).json()["results"][0]


@pytest.mark.requirement("AACP-44")
def test_a_packet_with_sensitive_data_is_kept_and_says_so(client: Client, key: str) -> None:
    wire = "SEND|FIN|return:A|p:1|aacp:1.1|filter:iban=DE89370400440532013000"
    receipt = post(client, "packets", {"wire": wire}, key).json()["results"][0]

    (found,) = get(client, f"packets/{receipt['packet']}", key).json()["sensitive"]

    assert receipt["status"] == 201
    assert (found["what"], found["field"]) == ("an IBAN", "filter")
    assert wire[slice(*found["span"])] == "DE89370400440532013000"
    assert "in data_ptr instead" in found["words"]


def test_the_same_again_is_a_duplicate_and_other_bytes_are_a_conflict(
    client: Client, key: str
) -> None:
    first = post(client, "packets", {"wire": WIRE, "event_id": "a-1"}, key).json()["results"][0]

    again = post(client, "packets", {"wire": WIRE, "event_id": "a-1"}, key)
    other = post(client, "packets", {"wire": BROKEN, "event_id": "a-1"}, key)

    assert again.status_code == 200
    assert again.json()["results"][0] == first | {"status": 200}
    assert refused(other) == (409, "/event_id")
    assert other.json()["event_id"] == "a-1"
    assert Packet.objects.count() == 1
    assert Conflict.objects.count() == 1


def test_strict_refuses_what_is_invalid(client: Client, key: str) -> None:
    assert refused(post(client, "packets?strict=true", {"wire": BROKEN}, key)) == (422, "/wire")
    assert post(client, "packets?strict=true", {"wire": WIRE}, key).status_code == 201
    assert statuses(
        post(client, "packets/batch?strict=true", [{"wire": BROKEN}, {"wire": WIRE}], key)
    ) == [
        422,
        200 + 1,
    ]


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        (b"", 400, ""),
        ([], 422, ""),
        (b'{"wire":"\xff"}', 422, ""),
        ("{", 422, ""),
        ({}, 422, "/wire"),
        ({"wire": 1}, 422, "/wire"),
        ({"wire": WIRE, "a/b~": 1}, 422, "/a~1b~0"),
        ({"wire": WIRE, "protocol": "morse"}, 422, "/protocol"),
        ({"wire": WIRE, "dialect": "nslip/9"}, 422, "/dialect"),
        ({"wire": WIRE, "sent_at": "2026-11-20T10:00:01"}, 422, "/sent_at"),
        ({"wire": WIRE, "tags": ["a", ""]}, 422, "/tags/1"),
        ({"wire": WIRE, "log": "nowhere"}, 422, "/log"),
        ({"wire": WIRE, "event_id": "x" * 201}, 422, "/event_id"),
        ('{"wire":"a","wire":"b"}', 422, "/wire"),
        ('{"wire":"\\ud800"}', 422, "/wire"),
        ({"wire": "x" * (4 * 1024 * 1024 + 1)}, 413, "/wire"),
        (b'{"wire":"' + b"x" * (17 * 1024 * 1024) + b'"}', 413, ""),
    ],
)
def test_a_packet_that_cannot_be_kept_has_its_place(
    client: Client, key: str, body: object, status: int, pointer: str
) -> None:
    assert refused(post(client, "packets", body, key)) == (status, pointer)
    assert not Packet.objects.exists()


def test_a_message_over_its_protocols_size_is_kept_and_marked(client: Client, key: str) -> None:
    wire = "REQ/TSK|g=42,t=1,@=" + "x" * 1_000_000

    (receipt,) = post(client, "packets", {"wire": wire, "protocol": "nslip"}, key).json()["results"]

    assert (receipt["status"], receipt["valid"]) == (201, False)
    assert [found["code"] for found in receipt["diagnostics"]] == ["nslip.too-large"]


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
    assert [(one["item"], one["leaf"], one["valid"]) for one in results] == [
        (0, 0, True),
        (1, 1, False),
        (2, 2, False),
    ]


def test_a_plain_log_is_cut_into_messages(client: Client, key: str) -> None:
    text = f"🙂 10:00 planner: {WIRE}\nnothing here\n{BROKEN}\n"

    response = post(client, "packets/batch", text, key, "text/plain; charset=utf-8")

    assert response.status_code == 201
    answer = response.json()
    assert [text[slice(*one["span"])] for one in answer["results"]] == [WIRE, BROKEN]
    assert [(one["text"], one["reason"]) for one in answer["ignored"]] == [
        ("🙂 10:00 planner:", "log prefix"),
        ("nothing here", "unrecognized text"),
    ]
    assert answer["ignored_more"] == 0


def test_a_plain_log_may_name_its_protocol_and_its_log(client: Client, key: str) -> None:
    logs.create(slug="night")

    response = post(
        client, "packets/batch?protocol=nslip&log=night", f"hello\n{WIRE}\n", key, "text/plain"
    )

    assert [(one["log"], one["valid"]) for one in response.json()["results"]] == [
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
        "attributes": {"trace_id": "4bf92f35"}, "from": "planner", "to": "executor", "thread": "42/1",
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


def test_a_bad_item_never_loses_its_neighbours(client: Client, key: str) -> None:
    lines = [
        json.dumps({"wire": WIRE, "event_id": "1"}), "{", '{"wire":1,"event_id":"3"}', '{"wire":"\\udc00"}', "[]",
        json.dumps({"wire": WIRE, "event_id": "1"}), json.dumps({"wire": BROKEN, "event_id": "1"}),
        json.dumps({"wire": BROKEN}),
    ]  # fmt: skip

    response = post(client, "packets/batch", "\n".join(lines), key, NDJSON)

    assert response.status_code == 207
    assert statuses(response) == [201, 422, 422, 422, 422, 200, 409, 201]
    results = response.json()["results"]
    assert [one["item"] for one in results] == list(range(8))
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
    assert [(one["item"], one["event_id"], one["status"]) for one in results] == [
        (0, "a", 422),
        (1, None, 422),
    ]
    assert [one["error"]["pointer"] for one in results] == ["/wire", "/log"]
    assert not Packet.objects.exists()


def test_a_text_of_which_nothing_was_kept_is_422_with_its_spans(client: Client, key: str) -> None:
    response = post(client, "packets/batch?strict=true", f"prose\n{BROKEN}\n", key, "text/plain")

    assert refused(response) == (422, "")
    assert [one["span"] for one in response.json()["results"]] == [[6, 6 + len(BROKEN)]]
    assert [one["text"] for one in response.json()["ignored"]] == ["prose"]


def test_an_ignored_fragment_of_a_plain_log_names_the_protocol_that_it_resembles(
    client: Client, key: str
) -> None:
    text = f"{WIRE}\nLOG|user=bob|action=login\nprose\n"

    answer = post(client, "packets/batch", text, key, "text/plain").json()

    assert [one["resembles"] for one in answer["ignored"]] == ["aacp", None]


def test_a_text_without_a_message_is_422_with_what_was_ignored(client: Client, key: str) -> None:
    response = post(client, "packets/batch", "Dear all,\nthank you.\n", key, "text/plain")

    assert refused(response) == (422, "")
    answer = response.json()
    assert answer["results"] == []
    assert (
        "".join(one["text"] for one in answer["ignored"]).replace("\n", "") == "Dear all,thank you."
    )
    assert answer["ignored_more"] == 0


def test_a_batch_of_conflicts_alone_is_422(client: Client, key: str) -> None:
    post(client, "packets", {"wire": WIRE, "event_id": "a"}, key)

    response = post(client, "packets/batch", [{"wire": BROKEN, "event_id": "a"}], key)

    assert refused(response) == (422, "")
    assert [one["status"] for one in response.json()["results"]] == [409]


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
    monkeypatch.setattr("playground.audit.api.log.announced", lambda _request: None)
    monkeypatch.setattr("playground.rest.body.BLOCK", 1_000)
    lines = b"".join(b'{"wire":"REQ/TSK|g=%d"}\n' % n for n in range(3_000))

    response = post(client, "packets/batch", lines, key, NDJSON)

    assert response.status_code == 207
    assert statuses(response)[:1] + statuses(response)[-1:] == [201, 413]
    assert Packet.objects.count() == len(statuses(response)) - 1 > 0


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


OPERATIONS = (("packets", {"wire": WIRE}), ("packets/batch", [{"wire": WIRE}]), ("search", None))


@pytest.mark.parametrize(
    ("path", "body"), [*OPERATIONS, ("packets/00000000-0000-7000-8000-000000000000", None)]
)
@pytest.mark.parametrize(
    "key", [None, "", "cbl_live_x", "cbl_live_" + "0" * 12 + "_" + "0" * 43 + "_000000"]
)
def test_without_a_valid_key_is_401(
    client: Client, path: str, body: object, key: str | None
) -> None:
    response = get(client, path, key) if body is None else post(client, path, body, key)

    assert refused(response) == (401, "")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert not Packet.objects.exists()


def test_a_revoked_key_is_401(client: Client) -> None:
    made, token = access.create_key(source="hr-bot", scopes=("ingest",))
    access.revoke_key(made.id)

    assert refused(post(client, "packets", {"wire": WIRE}, token)) == (401, "")


@pytest.mark.parametrize(("path", "body"), OPERATIONS)
def test_a_key_without_the_scope_is_403(client: Client, path: str, body: object) -> None:
    wrong = make_key("read" if body else "ingest")

    response = get(client, path, wrong) if body is None else post(client, path, body, wrong)

    assert refused(response) == (403, "")
    assert not Packet.objects.exists()


def test_a_key_of_one_log_writes_and_reads_there_only(client: Client) -> None:
    night = logs.create(slug="night")
    bound = make_key(log=night)
    elsewhere = post(client, "packets", {"wire": WIRE}, make_key(source="other")).json()["results"][
        0
    ]["packet"]

    here = post(client, "packets", {"wire": BROKEN}, bound).json()["results"][0]

    assert here["log"] == "night"
    assert refused(post(client, "packets", {"wire": WIRE, "log": "default"}, bound)) == (
        422,
        "/log",
    )
    assert get(client, f"packets/{here['packet']}", bound).status_code == 200
    assert refused(get(client, f"packets/{elsewhere}", bound)) == (404, "/id")
    assert [one["wire"] for one in get(client, "search", bound).json()["results"]] == [BROKEN]
    assert refused(get(client, "search", bound, log="default")) == (403, "/log")


def test_a_packet_is_given_with_what_it_says(client: Client, key: str) -> None:
    uid = post(client, "packets", {"wire": "ACC/PLN|g=42,t=01"}, key).json()["results"][0]["packet"]

    packet = get(client, f"packets/{uid}", key).json()

    assert packet["id"] == uid
    assert packet["wire"] == "ACC/PLN|g=42,t=01"
    assert packet["canonical"] == "ACC/PLN|g=42,t=1"
    assert packet["values"]["slots"] == {"g": 42, "t": 1}
    assert [field["name"] for field in packet["fields"]] == ["act", "frame", "g", "t"]
    assert "".join(piece["text"] for piece in packet["english"])
    assert packet["tokens"]["tokenizer"] == "o200k_base"
    assert packet["review"] is None


def test_bytes_that_are_not_utf_8_are_given_back_as_they_came(client: Client, key: str) -> None:
    post(client, "packets/batch", b"ACC/PLN|g=42,t=1,@=caf\xe9\n", key, "text/plain")
    packet = get(client, f"packets/{Packet.objects.get().uid}", key).json()

    assert packet["wire"].endswith("caf\ufffd")
    assert packet["wire_base64"] == "QUNDL1BMTnxnPTQyLHQ9MSxAPWNhZuk="


def test_a_packet_that_is_not_there_is_404(client: Client, key: str) -> None:
    assert refused(get(client, "packets/00000000-0000-7000-8000-000000000000", key)) == (404, "/id")


def test_search_walks_by_its_cursor(client: Client, key: str) -> None:
    post(client, "packets/batch", [{"wire": f"REQ/TSK|g={n},t=1,@=walk"} for n in range(25)], key)

    seen: list[str] = []
    cursor = None
    for _ in range(4):
        query = {"q": "@walk", "limit": 10} | ({"cursor": cursor} if cursor else {})
        page = get(client, "search", key, **query).json()
        assert page["count"] == {"value": 25, "exact": True}
        seen += [one["wire"] for one in page["results"]]
        cursor = page["next"]
        if cursor is None:
            break

    assert seen == [f"REQ/TSK|g={n},t=1,@=walk" for n in reversed(range(25))]
    assert cursor is None


def test_a_found_packet_is_one_without_its_fields(client: Client, key: str) -> None:
    post(client, "packets", {"wire": WIRE}, key)

    (found,) = get(client, "search", key, q="@auth_refactor goal:42").json()["results"]

    whole = get(client, f"packets/{found['id']}", key).json()
    more = ("values", "fields", "english", "sensitive", "content_tokens")
    assert found == {name: value for name, value in whole.items() if name not in more}


@pytest.mark.parametrize(
    ("query", "status", "pointer"),
    [
        ({"q": "(goal:42"}, 422, "/q"),
        ({"q": "gaol:42"}, 422, "/q"),
        ({"limit": 0}, 422, "/limit"),
        ({"limit": "many"}, 422, "/limit"),
        ({"limit": 1001}, 422, "/limit"),
        ({"cursor": "x"}, 422, "/cursor"),
        ({"log": "nowhere"}, 404, "/log"),
        ({"log": "No!"}, 422, "/log"),
    ],
)
def test_a_search_that_cannot_be_answered_has_its_place(
    client: Client, key: str, query: dict[str, Any], status: int, pointer: str
) -> None:
    assert refused(get(client, "search", key, **query)) == (status, pointer)


def test_a_query_that_cannot_be_read_tells_its_span_and_what_could_stand_there(
    client: Client, key: str
) -> None:
    post(client, "packets", {"wire": WIRE}, key)

    problem = get(client, "search", key, q="is:valid gaol:42").json()

    assert problem["span"] == [9, 13]
    assert "goal" in problem["suggestion"]


def test_a_cursor_of_another_query_is_refused(client: Client, key: str) -> None:
    post(client, "packets/batch", [{"wire": WIRE}] * 3, key)
    cursor = get(client, "search", key, q="goal:42", limit=1).json()["next"]

    assert refused(get(client, "search", key, q="goal:43", cursor=cursor)) == (422, "/cursor")


@pytest.mark.requirement("AACP-43")
def test_the_same_bytes_again_are_flagged_in_a_record_and_in_a_search(
    client: Client, key: str
) -> None:
    wires = [WIRE, "ACC/PLN|g=42,t=1", WIRE]
    first, other, again = (
        post(client, "packets", {"wire": wire}, key).json()["results"][0] for wire in wires
    )

    flag = {"count": 2, "exact": True, "first": first["packet"]}
    assert get(client, f"packets/{again['packet']}", key).json()["repeats"] == flag
    assert get(client, f"packets/{other['packet']}", key).json()["repeats"] is None
    found = {one["id"]: one["repeats"] for one in get(client, "search", key).json()["results"]}
    assert found == {first["packet"]: flag, other["packet"]: None, again["packet"]: flag}


def test_an_overloaded_log_says_when_to_come_again(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: Sender) -> None:
        raise unavailable.Overloaded

    monkeypatch.setattr("playground.audit.api.log.keep", refuse)

    response = post(client, "packets", {"wire": WIRE}, key)

    assert refused(response) == (503, "")
    assert response.headers["Retry-After"] == "1"
