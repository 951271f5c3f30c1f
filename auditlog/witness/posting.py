"""Post to a witness, which has some seconds in all: it must not hold up who signs."""

import socket
import threading
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

SECONDS = 5.0
"""How long an answer may take, from the request to its last byte."""
LIMIT = 16 * 1024
"""Bytes of an answer."""


def post(url: str, body: str) -> tuple[int, str, str]:
    """Return the status, media type, and body of an answer. Raises OSError, HTTPException, and
    ValueError. Redirects are answers, and proxies are not used.
    """
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        connection.connect()
        return _send(connection, f"{parts.path}/add-checkpoint", body)
    finally:
        connection.close()


def _send(connection: HTTPConnection, path: str, body: str) -> tuple[int, str, str]:
    late = time.monotonic() + SECONDS
    watch = threading.Timer(SECONDS, _cut, [connection.sock])
    watch.daemon = True
    watch.start()
    try:
        connection.request("POST", path, body.encode(), {"Content-Type": "text/plain"})
        found = _read(connection.getresponse())
        if time.monotonic() >= late:  # an answer that was cut can look like a short one
            raise TimeoutError(f"it took longer than {SECONDS:.0f} s")
        return found
    finally:
        watch.cancel()


def _read(answer: HTTPResponse) -> tuple[int, str, str]:
    with answer:
        return answer.status, answer.headers.get_content_type(), answer.read(LIMIT).decode()


def _cut(sock: socket.socket) -> None:
    """End a connection that another thread waits for, which then raises there."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
