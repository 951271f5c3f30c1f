"""Addresses for large content, and what is stored of it."""

import json
import re

import msgspec
import pytest
from django.test import Client

from auditlog import access
from auditlog.log import packet
from auditlog.models import Packet
from cablese.protocols.nlip.exchange import agent
from playground.nlip import server_agent
from tests.playground import stating
from tests.playground.nlip.server_agent.messages import body, ours, post, read, said, token

pytestmark = pytest.mark.django_db

UPLOAD = "Where may I send a large binary file?"


@pytest.mark.requirement("NLIP-25")
@pytest.mark.requirement("NLIP-26")
@pytest.mark.requirement("NLIP-32")
def test_large_content_goes_to_the_address_that_was_asked_for(client: Client, key: str) -> None:
    answer = said(client, body(UPLOAD, token("authentication", key), control=True))
    address = next(
        part["content"] for part in answer.values["submessages"] if part["subformat"] == "uri"
    )
    assert re.fullmatch(r"http://localhost/nlip/upload/\S+", address)
    content = b"REQ/TSK|g=42,t=1\n# a note\nREQ/TSK|g=x,t=2\n"
    kept = Packet.objects.count()

    for _ in range(2):  # sent again, nothing changes
        found = read(
            post(
                client, content, address.removeprefix("http://localhost"), content_type="text/plain"
            )
        )
        assert (
            f"{len(content)} bytes received. 2 packets are stored in the log default. 2"
            f" messages found." in found.values["content"]
        )
        assert Packet.objects.count() == kept + 2
    assert ours(found) == ours(answer)


def test_an_upload_without_a_message_is_kept_whole_and_without_a_key_not_at_all(
    client: Client, key: str
) -> None:
    mine, nobodys = (
        server_agent.Upload(one, "c", one_key).token
        for one, one_key in (("a", key.split("_")[2]), ("b", None))
    )

    answer = read(
        post(client, b"\x89PNG\x00\xff", f"/nlip/upload/{mine}", content_type="image/png")
    )
    other = read(
        post(client, b"\x89PNG\x00\xff", f"/nlip/upload/{nobodys}", content_type="image/png")
    )

    assert "6 bytes received. 1 packet is stored in the log default." in answer.values["content"]
    assert "kept" not in other.values["content"]
    assert [bytes(packet.wire) for packet in Packet.objects.all()] == [b"\x89PNG\x00\xff"]


def test_lines_of_an_upload_say_who_speaks_and_what_else_they_say_is_kept(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_agent, "split", stating.split)
    upload = server_agent.Upload("a", "c", key.split("_")[2]).token

    post(client, stating.LINES.encode(), f"/nlip/upload/{upload}", content_type="text/plain")

    first, _, third = [json.loads(packet.supplied) for packet in Packet.objects.order_by("leaf")]
    assert (first["from"], first["to"], first["thread"]) == ("planner", "executor", "42/1")
    assert (first["attributes"], first["sent_zone"]) == ({"trace_id": "4bf92f35"}, "UTC")
    assert (third["to"], third["thread"]) == (agent.IDENTITY, "c")
    assert "from_line" not in third


SECRETS = [
    pytest.param(
        "10:00:01 planner -> executor "
        + json.dumps(json.loads(body("Hello", token("authentication_rooms", "hunter2")))),
        id="a message of a log",
    ),
    pytest.param(body("Hello", token("Authorization", "hunter2")), id="a message"),
    pytest.param(
        json.dumps({"level": "info", "msg": body("Hello", token("authentication", "hunter2"))}),
        id="a message in a record",
    ),
    pytest.param(
        json.dumps(
            {
                "level": "info",
                "auth": {"subformat": "authentication", "content": "hunter2"},
                "message": "REQ/TSK|g=42,t=1",
            }
        ),
        id="next to a message",
    ),
    pytest.param('{"subformat":"authentication","content":"hunter2"', id="no message"),
]


@pytest.mark.parametrize("content", SECRETS)
def test_authentication_tokens_of_an_upload_are_neither_stored_nor_repeated(
    client: Client, key: str, content: str
) -> None:
    upload = server_agent.Upload("a", "c", key.split("_")[2]).token

    answer = post(client, content, f"/nlip/upload/{upload}", content_type="text/plain")

    stored = [packet.as_json(one, fields=True) for one in Packet.objects.all()]
    kept = msgspec.json.encode(stored).decode()
    assert "removed" in kept
    assert "hunter2" not in kept
    assert b"hunter2" not in answer.content


def test_a_message_of_an_upload_that_had_a_secret_is_tagged(client: Client, key: str) -> None:
    upload = server_agent.Upload("a", "c", key.split("_")[2]).token
    content = "\n".join(
        (
            body("Hello", token("authentication", key)),
            f"REQ/TSK|g=42,t=1,@={key}",
            f"{key} -> executor REQ/TSK|g=42,t=2",
            "REQ/TSK|g=42,t=3",
        )
    )

    post(client, content, f"/nlip/upload/{upload}", content_type="text/plain")

    packets = Packet.objects.order_by("leaf")
    assert [json.loads(one.supplied).get("tags") for one in packets] == [
        ["authentication-removed"], ["authentication-removed"], None, None,
    ]  # fmt: skip
    assert all(key not in f"{bytes(one.wire)!r}{one.supplied}" for one in packets)


def test_an_upload_by_a_key_that_was_revoked_since_is_not_kept(client: Client, key: str) -> None:
    upload = server_agent.Upload("a", "c", key.split("_")[2]).token
    access.revoke_key(key.split("_")[2])

    answer = read(
        post(client, b"REQ/TSK|g=42,t=1", f"/nlip/upload/{upload}", content_type="text/plain")
    )

    assert "1 message found." in answer.values["content"]
    assert Packet.objects.count() == 0


def test_an_upload_address_that_is_forged_or_old_is_none(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = server_agent.Upload("a", "c", None).token
    forged = post(client, b"x", f"/nlip/upload/{good}x", content_type="text/plain")
    monkeypatch.setattr(server_agent, "UPLOAD_LIFE", -1)
    old = post(client, b"x", f"/nlip/upload/{good}", content_type="text/plain")

    assert [(one.status_code, read(one).values["format"]) for one in (forged, old)] == [
        (404, "error")
    ] * 2


def test_an_upload_has_a_limit_and_some_content(client: Client) -> None:
    address = f"/nlip/upload/{server_agent.Upload('a', 'c', None).token}"

    assert (
        post(
            client, b"x" * (server_agent.UPLOAD_LIMIT + 1), address, content_type="text/plain"
        ).status_code
        == 413
    )
    assert post(client, b"", address, content_type="text/plain").status_code == 400


@pytest.mark.parametrize(("lines", "said"), [(2, False), (3, True), (4, True)])
def test_an_upload_says_when_the_rest_was_not_read(
    client: Client, monkeypatch: pytest.MonkeyPatch, lines: int, *, said: bool
) -> None:
    monkeypatch.setattr(server_agent, "PART_LIMIT", 3)
    address = f"/nlip/upload/{server_agent.Upload('a', 'c', None).token}"
    content = b"".join(b"REQ/TSK|g=%d,t=1\n" % at for at in range(lines))

    answer = read(post(client, content, address, content_type="text/plain")).values["content"]

    assert ("Only the first 3 lines were read." in answer) is said
    assert f"{min(lines, 3)} messages found" in answer


def test_only_the_first_messages_of_an_upload_are_decoded_and_listed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent, "LISTED", 2)
    address = f"/nlip/upload/{server_agent.Upload('a', 'c', None).token}"
    content = b"".join(b"REQ/TSK|g=%d,t=1\n" % at for at in range(4))

    answer = read(post(client, content, address, content_type="text/plain")).values

    (listed,) = [part for part in answer["submessages"] if part.get("label") == "reading"]
    wires = [one["wire"] for one in listed["content"]["messages"]]
    assert wires == ["REQ/TSK|g=0,t=1", "REQ/TSK|g=1,t=1"]
    assert "4 messages found" in answer["content"]
