"""A running server and clients that do not read what they asked for, or send what cannot be
read.
"""

import json
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from playground.server.front.outbox import TAKEN
from tests.installation import Installation, running

TEXT = "\n".join(f"REQ/TSK|g={number},t=1" for number in range(7_000))
"""Its decoding is some megabytes."""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory.mktemp("answers"), CABLESE_THREADS="8") as one:
        yield one


def ask(installation: Installation, address: str, request: bytes) -> socket.socket:
    """Send a request over a connection that takes in little before it is read."""
    place = urlsplit(installation.base_url)
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    wire.settimeout(60)
    wire.bind((address, 0))
    wire.connect((str(place.hostname), place.port or 0))
    wire.sendall(request)
    return wire


def decoding(installation: Installation) -> bytes:
    body = json.dumps({"text": TEXT}).encode()
    head = (
        f"POST /api/v1/decode HTTP/1.1\r\nHost: {urlsplit(installation.base_url).netloc}\r\n"
        f"Connection: close\r\n"
    )
    return (
        f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )


def read(wire: socket.socket) -> tuple[int, int, int]:
    """Return the status, the announced length, and the length that came."""
    with wire:
        came = b""
        while piece := wire.recv(1 << 20):
            came += piece
    head, _, body = came.partition(b"\r\n\r\n")
    length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
    return int(head[9:12]), int(length), len(body)


def test_a_large_answer_comes_whole(installation: Installation) -> None:
    status, announced, came = read(ask(installation, "127.0.0.2", decoding(installation)))

    assert status == 200
    assert announced == came > 1_000_000


def test_a_body_whose_chunks_cannot_be_read_is_refused(installation: Installation) -> None:
    head = f"POST /api/v1/decode HTTP/1.1\r\nHost: {urlsplit(installation.base_url).netloc}\r\n"
    request = f"{head}Transfer-Encoding: chunked\r\n\r\nnone\r\n{{}}\r\n0\r\n\r\n"
    with ask(installation, "127.0.0.4", request.encode()) as wire:
        answer = wire.recv(65_536)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"content-security-policy: " in answer


def test_a_large_answer_that_is_not_read_is_cut_off(installation: Installation) -> None:
    wire = ask(installation, "127.0.0.3", decoding(installation))
    time.sleep(TAKEN + 10)

    try:
        status, announced, came = read(wire)
    except ConnectionResetError:
        return
    assert status == 200
    assert came < announced
