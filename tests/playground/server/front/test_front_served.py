"""The front of a running server: slow bodies, their places, and who is answered all the while."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.installation import Installation, running
from tests.siege import Idlers, User

OTHER = "127.0.0.9"
"""An address of the loopback network that no test sends slow bodies from."""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One with few threads and few places."""
    limits = {"CABLESE_THREADS": "4", "CABLESE_BODIES": "64", "CABLESE_BODY_SECONDS": "12"}
    with running(tmp_path_factory.mktemp("front"), **limits) as one:
        yield one


def call(
    installation: Installation,
    method: str,
    path: str,
    body: Any = None,
    address: str = OTHER,
    **headers: str,
) -> tuple[int, dict[str, str], bytes]:
    place = urlsplit(installation.base_url).netloc
    connection = HTTPConnection(place, timeout=60, source_address=(address, 0))
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body, named)
        response = connection.getresponse()
        return (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )
    finally:
        connection.close()


@contextmanager
def unfinished(
    installation: Installation, path: str, *lines: str, body: bytes = b"{"
) -> Iterator[socket.socket]:
    """A request whose body announces a thousand bytes more than come."""
    place = urlsplit(installation.base_url)
    head = [
        f"POST {path} HTTP/1.1",
        f"Host: {place.netloc}",
        f"Content-Length: {len(body) + 1_000}",
        *lines,
    ]
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=60) as wire:
        wire.sendall("\r\n".join((*head, "", "")).encode() + body)
        yield wire


def test_people_and_keys_are_served_while_bodies_are_held(installation: Installation) -> None:
    key = installation.manage("apikey", "create", "slow", "--scopes", "ingest")
    other = installation.manage("apikey", "create", "quick", "--scopes", "ingest")
    with (
        Idlers(installation.base_url, key, 50) as keyed,
        Idlers(installation.base_url, None, 50) as strangers,
    ):
        time.sleep(1)
        user = User(installation.base_url)
        stored = [
            call(
                installation,
                "POST",
                "/api/v1/packets",
                b'{"wire":"REQ/TSK|g=1,t=1"}',
                Authorization=f"Bearer {other}",
            )
            for _ in range(20)
        ]
        read = call(installation, "POST", "/api/v1/decode", b'{"text":"REQ/TSK|g=1,t=1"}')
        waits = user.finish()

    assert {status for status, _, _ in stored} == {201}
    assert read[0] == 200
    assert len(waits.page) == len(waits.health) > 0
    assert waits.failed == []
    assert keyed.answers[429] > 0
    assert strangers.answers[429] > 0


ANSWERS = {
    "/api/v1/decode": ("*/*", "application/problem+json"),
    "/reading": ("text/html", "text/html; charset=utf-8"),
    "/nlip": ("*/*", "application/json"),
}
"""What a path is asked for, and the media type in which it refuses."""
BATCH = "/api/v1/packets/batch"
BEGUN = (b"", b"GET / HTTP/1.1\r\nHost: x")
"""Requests that do not say what they want."""


@pytest.fixture(scope="module")
def late(installation: Installation) -> Iterator[dict[str | bytes, socket.socket]]:
    """Requests that are never completed. They wait at the same time."""
    key = installation.manage("apikey", "create", "endless", "--scopes", "ingest")
    sent = b'{"wire":"REQ/TSK|g=1,t=1"}\n' * 4_000
    headers = (f"Authorization: Bearer {key}", "Content-Type: application/x-ndjson")
    place = urlsplit(installation.base_url)
    with ExitStack() as stack:
        wires: dict[str | bytes, socket.socket] = {}
        for path, (accept, _) in ANSWERS.items():
            opened = unfinished(installation, path, f"Accept: {accept}")
            wires[path] = stack.enter_context(opened)
        wires[BATCH] = stack.enter_context(unfinished(installation, BATCH, *headers, body=sent))
        for begun in BEGUN:
            wire = socket.create_connection((str(place.hostname), place.port or 0), timeout=60)
            wires[begun] = stack.enter_context(wire)
            wire.sendall(begun)
        yield wires


@pytest.mark.parametrize("path", ANSWERS)
def test_a_body_that_comes_too_slowly_is_given_up(
    late: dict[str | bytes, socket.socket], path: str
) -> None:
    answer = late[path].recv(65_536)

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert f"content-type: {ANSWERS[path][1]}\r\n".encode() in answer


def test_a_batch_that_takes_too_long_ends_with_its_receipts(
    late: dict[str | bytes, socket.socket],
) -> None:
    answer = b""
    while not answer.endswith(b"]}"):
        piece = late[BATCH].recv(1 << 20)
        assert piece, answer[-1_000:]
        answer += piece

    assert answer.startswith(b"HTTP/1.1 207 ")
    assert answer.count(b'"status":201') == 4_000
    assert answer.count(b'"status":408') == 1


@pytest.mark.parametrize("begun", BEGUN)
def test_a_connection_that_does_not_say_what_it_wants_is_given_up(
    late: dict[str | bytes, socket.socket], begun: bytes
) -> None:
    assert not late[begun].recv(100).startswith(b"HTTP/1.1 200")


def test_a_revoked_key_loses_its_places(installation: Installation) -> None:
    key = installation.manage("apikey", "create", "leaked", "--scopes", "ingest")
    with unfinished(installation, "/api/v1/packets", f"Authorization: Bearer {key}") as wire:
        installation.manage("apikey", "revoke", key.split("_")[2])
        answer = wire.recv(65_536)

    assert answer.startswith(b"HTTP/1.1 401 ")


def test_whoever_has_no_key_is_told_before_the_body_is_read(installation: Installation) -> None:
    with unfinished(installation, "/api/v1/packets", "Authorization: Bearer cbl_live_x") as wire:
        answer = wire.recv(65_536)

    assert answer.startswith(b"HTTP/1.1 401 ")


def test_a_form_that_announces_too_much_is_refused_before_it_is_sent(
    installation: Installation,
) -> None:
    place = urlsplit(installation.base_url)
    head = f"POST /reading HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 99999999\r\n\r\n"
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=60) as wire:
        wire.sendall(head.encode())
        answer = wire.recv(65_536)

    assert answer[9:12] in (b"413", b"403"), answer[:200]


def test_one_address_is_refused_when_its_time_is_used_up(installation: Installation) -> None:
    with running(installation.data.parent / "frugal", CABLESE_ANONYMOUS_SECONDS="1") as frugal:
        answers = [
            call(frugal, "POST", "/api/v1/decode", b'{"text":"%s"}' % (b"REQ/TSK|g=1,t=1 " * 9_000))
            for _ in range(9)
        ]
        status, headers, _ = answers[-1]
        other = call(
            frugal, "POST", "/api/v1/decode", b'{"text":"REQ/TSK|g=1,t=1"}', address="127.0.0.8"
        )
        page = call(frugal, "GET", "/")

    assert answers[0][0] == 200
    assert status == 429
    assert 0 < int(headers["retry-after"]) < 600
    assert (other[0], page[0]) == (200, 200)
