"""Calls to NLIP servers: what is sent, and what becomes of servers that are slow, broken or
hostile.
"""

import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from playground.nlip import peers
from playground.nlip.peers import (
    Busy,
    NoReply,
    Unknown,
    count_hops,
    dialect_of,
    find,
    identity,
    send,
)
from playground.server.environment import Peer
from tests.installation import free_port
from tests.playground.certificates import certificate
from tests.playground.nlip.upstream import Serve, answering, upstream

HELLO = '{"format":"text","subformat":"English","content":"Hello"}'
METADATA = "http://169.254.169.254/latest/meta-data/"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "CONNECT", 0.5)
    monkeypatch.setattr(peers, "SECONDS", 1.0)


@pytest.fixture(autouse=True)
def every_place_comes_back() -> Iterator[None]:
    yield
    deadline = time.monotonic() + 5
    while peers._open._value < peers.AT_ONCE and time.monotonic() < deadline:
        time.sleep(0.02)
    assert peers._open._value == peers.AT_ONCE


def call(serve: Serve, **more: str) -> peers.Reply:
    with upstream(serve) as server:
        return send(Peer("x", server.url), HELLO, **more)


def failed(serve: Serve) -> NoReply:
    with upstream(serve) as server, pytest.raises(NoReply) as caught:
        send(Peer("x", server.url), HELLO)
    return caught.value


def test_a_message_is_posted_as_it_is_with_no_more_than_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with upstream(answering(HELLO, Set_Cookie="a=b")) as server:
        replies = [
            send(Peer("x", f"{server.url}?dialect=a%20b"), HELLO, via="1.1 alice") for _ in range(2)
        ]

    assert replies == [peers.Reply(200, HELLO)] * 2
    assert server.bodies == [HELLO, HELLO]
    host = server.url.removeprefix("http://").removesuffix("/nlip")
    assert server.heads[1].split("\r\n") == [
        "POST /nlip?dialect=a%20b HTTP/1.1",
        f"Host: {host}",
        f"Content-Length: {len(HELLO)}",
        "Content-Type: application/json",
        "Accept: application/json",
        "Accept-Encoding: identity",
        "User-Agent: Cablese",
        f"Via: 1.1 alice, 1.1 {identity()}",
        "Connection: close",
    ]


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 P"]
)
def test_a_redirection_is_an_answer_and_is_not_followed(status: str) -> None:
    with upstream(answering("", "200 OK")) as elsewhere:
        reply = call(answering("", status, Location=elsewhere.url))

    assert (reply.status, reply.wire, reply.moved) == (int(status[:3]), "", elsewhere.url)
    assert elsewhere.heads == []
    assert call(answering("", status, Location=METADATA)).moved == METADATA


@pytest.mark.parametrize(
    ("status", "moved"), [("299 X", ""), ("300 X", "/" * 200), ("399 X", "/" * 200), ("400 X", "")]
)
def test_the_first_200_characters_of_where_a_redirection_points_are_taken(
    status: str, moved: str
) -> None:
    assert call(answering("", status, Location="/" * 201)).moved == moved


@pytest.mark.parametrize(
    ("serve", "status", "wire"),
    [
        (answering("", "204 No Content", Content_Length=""), 204, ""),
        (answering(b"\x89PNG\x00\xff", Content_Type="image/png"), 200, "\udc89PNG\x00\udcff"),
        (answering("<h1>Oops</h1>", "500 Internal Server Error"), 500, "<h1>Oops</h1>"),
        (answering(HELLO, Content_Length=""), 200, HELLO),
        (
            answering(
                f"5\r\n{HELLO[:5]}\r\n0\r\n\r\n", Content_Length="", Transfer_Encoding="chunked"
            ),
            200,
            HELLO[:5],
        ),
        (answering("x" * 1024 * 1024), 200, "x" * 1024 * 1024),
    ],
)
def test_whatever_comes_is_the_answer(serve: Serve, status: int, wire: str) -> None:
    reply = call(serve)

    assert reply.status == status
    assert reply.wire == wire


@pytest.mark.parametrize(
    "serve",
    [
        answering("x" * 10 * 1024 * 1024),
        answering("x" * 10 * 1024 * 1024, Content_Length=""),
        answering("a00000\r\n" + "x" * 0xA00000, Content_Length="", Transfer_Encoding="chunked"),
        answering("x" * (1024 * 1024 + 1)),
    ],
)
def test_an_answer_that_is_too_large_is_not_read_to_its_end(serve: Serve) -> None:
    error = failed(serve)

    assert error.status == 502
    assert str(error) == "The answer is larger than the limit of 1,048,576 bytes."


@pytest.mark.parametrize(
    "serve",
    [
        lambda _: None,
        answering(HELLO[:20], Content_Length="57"),
        answering("ff\r\nabc", Content_Length="", Transfer_Encoding="chunked"),
    ],
)
def test_a_connection_that_is_closed_early_is_no_answer(serve: Serve) -> None:
    error = failed(serve)

    assert error.status == 502
    assert "closed the connection early" in str(error) or "did not answer in HTTP" in str(error)


@pytest.mark.parametrize(
    "said",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\xff\x00",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200,
        b"HTTP/1.1 200 OK\r\n" + b"a" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_what_is_not_http_is_no_answer(said: bytes) -> None:
    error = failed(lambda connection: connection.sendall(said))

    assert error.status == 502
    assert "SSH" not in str(error)


def silent(connection: socket.socket) -> None:
    with_timeout(connection)


def with_timeout(connection: socket.socket) -> None:
    """Waits until the other side has gone."""
    connection.settimeout(5)
    while connection.recv(1024):
        pass


def dribbling(beginning: bytes) -> Serve:
    def serve(connection: socket.socket) -> None:
        connection.sendall(beginning)
        while True:
            connection.sendall(b"a")
            time.sleep(0.05)

    return serve


@pytest.mark.parametrize(
    "serve",
    [
        silent,
        dribbling(b""),
        dribbling(b"HTTP/1.1 200 OK\r\nA: "),
        dribbling(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
        dribbling(b"HTTP/1.1 200 OK\r\n\r\n"),
    ],
)
def test_a_server_that_does_not_go_on_is_left(impatient: None, serve: Serve) -> None:
    start = time.monotonic()

    error = failed(serve)

    assert error.status == 504
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("connect", "seconds", "said"),
    [(0.05, 1.0, "sent no data for 0.05 s"), (1.0, 0.05, "did not answer within 0.05 s")],
)
def test_a_server_that_accepts_and_says_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, connect: float, seconds: float, said: str, scheme: str
) -> None:
    monkeypatch.setattr(peers, "CONNECT", connect)
    monkeypatch.setattr(peers, "SECONDS", seconds)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/nlip"

        with pytest.raises(NoReply, match=f"^The server {said}.$") as caught:
            send(Peer("x", address), HELLO)

    assert caught.value.status == 504


def test_a_server_that_is_not_there_is_no_answer() -> None:
    with pytest.raises(NoReply, match="Cannot reach"):
        send(Peer("x", f"http://127.0.0.1:{free_port()}/nlip"), HELLO)


def test_a_name_that_is_not_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(NoReply, match="Cannot reach"):
        send(Peer("x", "https://agent.example.invalid/nlip"), HELLO)


def test_a_name_that_is_looked_up_for_ever_is_left(
    impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()

    def slow(*_: object, **__: object) -> None:
        ended.wait(5)
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    with pytest.raises(NoReply, match="did not answer within 1 s") as caught:
        send(Peer("x", "https://agent.example.invalid/nlip"), HELLO)
    ended.set()

    assert caught.value.status == 504


def test_a_certificate_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain, key = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)

    with upstream(answering(HELLO), context=context) as server:
        with pytest.raises(NoReply, match="server's certificate is not trusted") as caught:
            send(Peer("x", server.url), HELLO)
        monkeypatch.setenv("SSL_CERT_FILE", os.fspath(chain))
        assert send(Peer("x", server.url), HELLO).wire == HELLO
        with pytest.raises(NoReply, match="server's certificate is not trusted"):
            send(Peer("x", server.url.replace("127.0.0.1", "localhost")), HELLO)

    assert caught.value.status == 502
    assert len(server.bodies) == 1


def test_a_server_without_tls_is_not_spoken_to_in_clear() -> None:
    with upstream(answering(HELLO)) as server:
        with pytest.raises(NoReply):
            send(Peer("x", server.url.replace("http:", "https:")), HELLO)
        assert server.bodies == []


def test_only_so_many_calls_are_open_at_once() -> None:
    held = threading.Event()
    here = threading.Semaphore(0)

    def slow(connection: socket.socket) -> None:
        here.release()
        held.wait(5)
        answering(HELLO)(connection)

    with upstream(slow) as server:
        threads = [
            threading.Thread(target=send, args=(Peer("x", server.url), HELLO))
            for _ in range(peers.AT_ONCE)
        ]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert here.acquire(timeout=5)
        with pytest.raises(Busy) as caught:
            send(Peer("x", server.url), HELLO)
        held.set()
        for thread in threads:
            thread.join(5)

    assert caught.value.status == 503
    assert len(server.bodies) == peers.AT_ONCE


def test_a_server_is_found_by_its_name_or_its_whole_address_and_by_nothing_else(
    settings: Settings,
) -> None:
    rooms = Peer("rooms", "https://rooms.example.org/nlip?dialect=nlip/ecma-430")
    settings.NLIP_SERVERS = (rooms,)

    assert find("rooms") == find(rooms.url) == rooms
    for other in (
        "",
        "Rooms",
        "https://rooms.example.org/nlip",
        f"{rooms.url}&a",
        METADATA,
        f" {rooms.url}",
    ):
        with pytest.raises(Unknown):
            find(other)


def test_a_server_speaks_what_its_address_says() -> None:
    def spoken(query: str) -> str:
        return dialect_of(f"https://rooms.example.org/nlip{query}")

    assert spoken("") == spoken("?dialect=other") == spoken("?a=nlip/ecma-430") == "nlip/draft"
    assert (
        spoken("?dialect=nlip/ecma-430")
        == spoken("?a=1&dialect=nlip%2Fecma-430")
        == "nlip/ecma-430"
    )


def test_via_names_those_it_came_through() -> None:
    assert count_hops("") == (0, False)
    assert count_hops("1.1 alice, 1.0 bob (Apache),2 carol") == (3, False)
    assert count_hops(f"1.1 alice, 1.1 {identity()}") == (2, True)
    assert count_hops(f"1.1 alice, 1.1 {identity()}x") == (2, False)
