"""A preview shows the first messages of a file with their facts, and stores nothing."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from auditlog.models import Packet
from cablese import transcript
from tests.playground.drawn import words
from tests.playground.stating import LINES, WIRE

pytestmark = pytest.mark.django_db


def look(client: Client, data: bytes, **about: object) -> Any:
    said = {"file": "a.log:1:2", "at": 0, "line": 1, "log": "default"} | about
    return client.post(
        f"/import/preview?{urlencode(said)}", data, content_type="application/octet-stream"
    )


def test_a_preview_shows_the_first_messages_and_stores_nothing(
    admin_client: Client, stated: None
) -> None:
    page = look(admin_client, LINES.encode(), zone="Europe/Berlin").content.decode()
    shown = words(page)

    assert "line 1" in shown
    assert "2026-11-20T10:00:01+01:00 (zone assumed: Europe/Berlin)" in shown
    assert "trace_id 4bf92f35" in shown
    assert Packet.objects.count() == 0


def test_a_preview_counts_what_it_does_not_show(admin_client: Client) -> None:
    shown = words(look(admin_client, b"REQ/TSK|g=1,t=1\n" * 25).content.decode())

    assert shown.count("REQ/TSK|g=1,t=1") == 20
    assert "5 more messages" in shown


def test_a_preview_counts_lines_that_cannot_be_stored_apart(admin_client: Client) -> None:
    fits = json.dumps({"wire": WIRE}).encode() + b"\n"
    unknown = json.dumps({"wire": WIRE, "protocol": "smtp"}).encode() + b"\n"
    shown = words(look(admin_client, fits * 25 + b'{"wier":1}\n' * 2 + unknown).content.decode())

    assert "has 5 more messages. 3 more lines will be rejected." in shown
    shown = words(look(admin_client, fits * 20 + unknown).content.decode())
    assert "more message" not in shown
    assert "1 more line will be rejected." in shown


def test_a_preview_of_items_shows_their_facts_and_what_is_wrong(admin_client: Client) -> None:
    lines = [
        {"wire": WIRE, "from": "ada", "attributes": {"a": {"b": 1}}},
        {"wire": WIRE, "wier": 1},
    ]
    shown = words(
        look(admin_client, "\n".join(map(json.dumps, lines)).encode() + b"\n").content.decode()
    )

    assert "From ada a.b 1 supplied" in shown
    assert 'line 2 ✖ Unknown field "wier". Valid fields: wire,' in shown


RECORDS = "".join(
    json.dumps(one) + "\n"
    for one in ({"wire": WIRE, "from": "a"}, {"wire": WIRE, "level": "x"}, {"msg": WIRE})
)
MIXED = f"{RECORDS}2026-11-20 INFO planner: {WIRE}\n"


def test_a_preview_offers_the_format_that_fits(admin_client: Client) -> None:
    def drawn(kind: str, text: str) -> str:
        return str(look(admin_client, text.encode(), kind=kind).content.decode())

    page = drawn("ndjson", MIXED)
    assert "1 of the 4 lines at the beginning of the file fits the chosen format" in words(page)
    assert 'class="import-format" value="text"' in page
    items = json.dumps({"wire": "no protocol"}) + "\n"
    page = drawn("text", items * 2)
    assert "The beginning of the file has 0 messages as plain text, and 2 as NDJSON." in words(page)
    assert 'class="import-format" value="ndjson"' in page
    for kind, text in (("", MIXED), ("text", MIXED), ("ndjson", items), ("ndjson", "prose\n")):
        assert "import-format" not in drawn(kind, text)


def test_a_preview_reads_the_beginning_of_a_file_alone(admin_client: Client) -> None:
    at_limit, over = (look(admin_client, b" " * length) for length in (65_536, 65_537))

    assert "No messages found" in words(at_limit.content.decode())
    assert (over.status_code, "65,536" in over.json()["refused"]) == (413, True)


@pytest.mark.parametrize("data", [b"", b"prose only\n"])
def test_a_preview_of_nothing_says_so(admin_client: Client, data: bytes) -> None:
    assert "No messages found" in words(look(admin_client, data).content.decode())


def test_a_preview_of_one_message_that_does_not_end_shows_it(admin_client: Client) -> None:
    assert WIRE in words(look(admin_client, WIRE.encode()).content.decode())


def test_a_preview_of_a_whole_file_shows_its_last_line_without_a_line_feed(
    admin_client: Client,
) -> None:
    shown = words(look(admin_client, b"REQ/TSK|g=1,t=1\nREQ/TSK|g=2,t=2").content.decode())

    assert "REQ/TSK|g=2,t=2" in shown


def test_a_preview_reads_lines_without_a_message_once(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    split = transcript.split

    def counted(text: str, *given: Any, **options: Any) -> transcript.Transcript:
        read.append(text)
        return split(text, *given, **options)

    monkeypatch.setattr(transcript, "split", counted)
    prose = "é prose only\n" * 100

    shown = words(look(admin_client, f"{prose}{WIRE}".encode()).content.decode())

    assert WIRE in shown
    assert "line 101" in shown
    assert sum(map(len, read)) <= len(prose) + 2 * len(WIRE)


def test_nothing_in_a_preview_becomes_an_element(admin_client: Client, stated: None) -> None:
    line = f'2026-11-20T10:00:01Z <img/onerror=x> -> b {{"<img onerror>":"<img onerror>"}} {WIRE}\n'
    page = look(admin_client, line.encode()).content.decode()

    assert "<img" not in page
    assert page.count("&lt;img") == 3


def test_a_preview_is_for_those_who_may_import(client: Client) -> None:
    assert look(client, b"REQ/TSK|g=1,t=1\n").status_code == 403
    assert look(client, b"x", zone="nowhere").status_code == 403


def test_a_preview_takes_no_more_than_it_reads(admin_client: Client) -> None:
    assert look(admin_client, b"x" * (64 * 1024 + 1)).status_code == 413
    assert look(admin_client, b"x", zone="nowhere").status_code == 422
