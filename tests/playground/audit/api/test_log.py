"""Storing one packet over HTTP. What needs a real server is in `test_log_served.py`."""

import pytest
from django.test import Client

from auditlog.database import unavailable
from auditlog.models import Conflict, Packet
from auditlog.sender import Sender
from tests.playground.audit.api.requests import BROKEN, WIRE, get, post, refused, statuses

pytestmark = pytest.mark.django_db


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
        "protocol": "nslip", "event_id": "e", "sent_at": "2026-11-20T10:00:01.5+01:00",
        "from": "planner",
        "to": "coder", "goal": 7, "task": "3", "thread": "night/1", "tags": ["night run"],
        "content": "Do it.",
        "log": "default",
    }  # fmt: skip
    uid = post(client, "packets", {"wire": WIRE, **said}, key).json()["results"][0]["packet"]

    packet = get(client, f"packets/{uid}", key).json()

    assert packet["supplied"] == {
        "goal": "7", "task": "3", "from": "planner", "to": "coder", "thread": "night/1",
        "tags": ["night run"],
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
    assert [diagnostic["code"] for diagnostic in receipt["diagnostics"]] == ["nslip.too-large"]


def test_an_overloaded_log_says_when_to_come_again(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: Sender) -> None:
        raise unavailable.Overloaded

    monkeypatch.setattr("playground.audit.api.log.keep", refuse)

    response = post(client, "packets", {"wire": WIRE}, key)

    assert refused(response) == (503, "")
    assert response.headers["Retry-After"] == "1"
