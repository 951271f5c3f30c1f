"""Ordinary requests are answered by the shortcut: Django of this installation only answers 418."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installation import running
from tests.playground.server.front.hot.odd.steps import (
    BATCH,
    GOOD,
    NDJSON,
    PACKETS,
    Change,
    Request,
    item,
    post,
)
from tests.playground.server.front.hot.sending import Sender

STRICT = f"{PACKETS}?strict=true"
ORDINARY = {
    "one packet": (201, post()),
    "one packet with a charset": (201, post(media="application/json; charset=utf-8")),
    "one packet and cookies": (201, post(GOOD, "Cookie: sessionid=abcdefgh12345678")),
    "one broken packet": (201, post(item("REQ/"))),
    "one valid packet, strict": (201, post(path=STRICT)),
    "a packet of a limited key": (201, post(item(log="team"), key="limited")),
    "an event": (201, post(item(event_id="again"))),
    "the event again": (200, post(item(event_id="again"))),
    "the event with other bytes": (409, post(item("INF/OBS|g=1", event_id="again"))),
    "an array": (201, post(b"[" + GOOD + b"," + GOOD + b"]", path=BATCH)),
    "lines": (201, post(GOOD + b"\n" + GOOD, path=BATCH, media=NDJSON)),
    "lines, one of them broken": (207, post(GOOD + b"\n{", path=BATCH, media=NDJSON)),
    "lines, one of another log": (
        207, post(GOOD + b"\n" + item(log="nowhere"), path=BATCH, media=NDJSON),
    ),
}  # fmt: skip
LEFT_TO_DJANGO = {
    "a packet that cannot be read": post(b"{"),
    "an invalid packet, strict": post(item("REQ/"), path=STRICT),
    "a packet of another log": post(item(log="nowhere")),
    "a key without the scope": post(key="reader"),
    "a key that was revoked": post(key="revoked"),
    "an Idempotency-Key": post(GOOD, "Idempotency-Key: once"),
    "lines that are all broken": post(b"{\n{", path=BATCH, media=NDJSON),
    "more lines than a piece": post(b"\n".join([b"0"] * 501), path=BATCH, media=NDJSON),
    "a large packet": post(item(content="x" * 70_000)),
}


@pytest.fixture(scope="module")
def sender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    folder: Path = tmp_path_factory.mktemp("ordinary")
    settings = "tests.playground.server.front.hot.only_shortcut"
    with running(folder, DJANGO_SETTINGS_MODULE=settings) as installation:
        yield Sender(installation)


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_request_is_answered_without_django(sender: Sender, name: str) -> None:
    status, request = ORDINARY[name]

    assert status_of(sender, request) == status


@pytest.mark.parametrize("name", LEFT_TO_DJANGO)
def test_any_other_request_is_left_to_django_and_stores_nothing(sender: Sender, name: str) -> None:
    before = sender.stored()

    assert status_of(sender, LEFT_TO_DJANGO[name]) == 418
    assert [*map(len, sender.stored())] == [*map(len, before)]


@pytest.mark.parametrize(
    ("what", "key"), [("revoke", "leaving"), ("expire", "aging"), ("narrow", "narrowed")]
)
def test_a_key_is_checked_again_when_its_packets_are_stored(
    sender: Sender, what: str, key: str
) -> None:
    assert status_of(sender, post(key=key)) == 201

    sender.change(Change(what, key))  # type: ignore[arg-type]

    stored = sender.stored()
    assert status_of(sender, post(key=key)) == 418
    assert status_of(sender, post(GOOD + b"\n" + GOOD, path=BATCH, media=NDJSON, key=key)) == 418
    assert len(sender.stored()) == len(stored)


def status_of(sender: Sender, request: Request) -> int:
    return sender.send(request, "127.0.0.1")[-1].status
