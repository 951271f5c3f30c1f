"""Servers for tests that call servers: each connection is given to a function, which may do
whatever it likes.
"""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Serve = Callable[[socket.socket], None]


@dataclass
class Upstream:
    """Its address, and the requests that came: the head of each and its body."""

    url: str
    heads: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)


@contextmanager
def upstream(serve: Serve, *, context: ssl.SSLContext | None = None) -> Iterator[Upstream]:
    """A server on this machine that reads one request a connection and leaves the rest to
    `serve`.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.05)
    scheme = "https" if context else "http"
    made = Upstream(f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/nlip")
    ended = threading.Event()
    threads: list[threading.Thread] = []

    def handle(raw: socket.socket) -> None:
        with suppress(OSError), raw:
            raw.settimeout(10)
            with context.wrap_socket(raw, server_side=True) if context else raw as connection:
                head, body = _request(connection)
                made.heads.append(head)
                made.bodies.append(body)
                serve(connection)
                connection.shutdown(socket.SHUT_RDWR)

    def listen() -> None:
        while not ended.is_set():
            with suppress(TimeoutError):
                raw, _ = listening.accept()
                threads.append(threading.Thread(target=handle, args=(raw,)))
                threads[-1].start()

    acceptor = threading.Thread(target=listen)
    acceptor.start()
    try:
        yield made
    finally:
        ended.set()
        acceptor.join()
        listening.close()
        for thread in threads:
            thread.join(timeout=10)


def _request(connection: socket.socket) -> tuple[str, str]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    named = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
    while len(body) < int(named.get("content-length", 0)):
        body += _some(connection)
    return head.decode(), body.decode(errors="replace")


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError
    return data


def answering(body: str | bytes, status: str = "200 OK", **headers: str) -> Serve:
    """Answers every request alike."""
    data = body.encode() if isinstance(body, str) else body
    lines = {"Content-Type": "application/json", "Content-Length": str(len(data))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = f"HTTP/1.1 {status}\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in lines.items() if value
    )

    def serve(connection: socket.socket) -> None:
        connection.sendall(head.encode() + b"\r\n" + data)

    return serve
