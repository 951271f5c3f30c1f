"""A log that is read by HTTP. Nothing that a server sends is believed, or read without a limit.

Each answer has a limit of bytes, after decompression too, and of time. Redirects are not followed:
a key for the log would travel with them. Each thread has a connection of its own.
"""

import http.client
import os
import re
import socket
import ssl
import threading
import time
import zlib
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from cablese.verify.mirror.limits import TooLarge
from cablese.verify.report import Unusable

TIMEOUT = 15.0
"""Seconds without an answer, or without more of it."""
DEADLINE = 120.0
"""Seconds of a whole answer."""
ATTEMPTS = 5
WAIT = 30.0
"""Seconds that a server may ask us to wait (`Retry-After`)."""
KEY = "CABLESE_KEY"
"""The environment variable with an API key for logs that are not public."""
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})
_EXPECTED = "Expected the URL of a log: https://<host>/log/<slug>."
_BLOCK = 1 << 16
_PREFIX = re.compile(r"[!-~]*")
_AGAIN = frozenset({429, 500, 502, 503, 504})


class _Again(Exception):
    """An answer that may be another one later. `wait` is in seconds, if the server said so."""

    def __init__(self, words: str, wait: float | None = None) -> None:
        super().__init__(words)
        self.wait = wait


class Remote:
    """The files of a log below a URL."""

    def __init__(self, url: str) -> None:
        """Raises Unusable for a URL that no log has."""
        if not url.startswith(("http://", "https://")):
            raise Unusable(_EXPECTED)
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise Unusable("The URL is malformed.") from None
        if not parts.hostname or parts.query or parts.fragment or parts.username is not None:
            raise Unusable(_EXPECTED)
        if not _PREFIX.fullmatch(parts.path):
            raise Unusable("The path of the URL is malformed.")
        self._host, self._port, self._prefix = parts.hostname, port, parts.path.rstrip("/")
        self._is_secure = parts.scheme == "https"
        self._headers = self._make_headers()
        self._own = threading.local()
        self._opened: list[HTTPConnection] = []

    def get(self, path: str, limit: int) -> bytes | None:
        """Return a file of at most so many bytes; None if there is none. Raises TooLarge, and
        Unusable if the server does not give it.
        """
        words = ""
        for attempt in range(ATTEMPTS):
            try:
                return self._try(path, limit)
            except _Again as error:
                words, wait = str(error), error.wait
            except (OSError, HTTPException) as error:
                words, wait = str(error) or type(error).__name__, None
                self._close()
            if attempt + 1 < ATTEMPTS:
                time.sleep(min(WAIT, 0.1 * 4**attempt if wait is None else wait))
        raise Unusable(f"{self._host} did not answer with {path}: {words}.")

    def close(self) -> None:
        """End the connections, when no thread uses them any more."""
        for connection in self._opened:
            connection.close()

    def _make_headers(self) -> dict[str, str]:
        headers = {"Accept-Encoding": "gzip, identity", "User-Agent": "cablese-mirror"}
        if key := os.environ.get(KEY):
            if not self._is_secure and self._host not in _LOCAL:
                raise Unusable(f"The key in {KEY} is sent over HTTPS only.")
            headers["Authorization"] = f"Bearer {key}"
        return headers

    def _try(self, path: str, limit: int) -> bytes | None:
        connection = self._connect()
        late = time.monotonic() + DEADLINE
        watch = threading.Timer(DEADLINE, _cut, [connection.sock])
        watch.daemon = True
        watch.start()
        try:
            connection.request("GET", f"{self._prefix}/{path}", headers=self._headers)
            response = connection.getresponse()
            is_good = response.status == http.client.OK
            data = _read(response, limit) if is_good else response.read(_BLOCK)
            if time.monotonic() >= late:  # an answer that was cut can look like a short one
                raise TimeoutError(f"it took longer than {DEADLINE:.0f} s")
        except TooLarge:
            self._close()
            raise
        finally:
            watch.cancel()
        if is_good:
            return data
        if len(data) == _BLOCK:  # the rest of it is not worth reading
            self._close()
        _judge(response, path)
        return None

    def _connect(self) -> HTTPConnection:
        connection: HTTPConnection | None = getattr(self._own, "connection", None)
        if connection is None:
            if self._is_secure:
                context = ssl.create_default_context()
                connection = HTTPSConnection(
                    self._host, self._port, timeout=TIMEOUT, context=context
                )
            else:
                connection = HTTPConnection(self._host, self._port, timeout=TIMEOUT)
            self._own.connection = connection
            self._opened.append(connection)
        if connection.sock is None:
            connection.connect()
        return connection

    def _close(self) -> None:
        if (connection := getattr(self._own, "connection", None)) is not None:
            connection.close()


def _cut(sock: socket.socket) -> None:
    """End a connection that another thread waits for, which then raises there."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _read(response: HTTPResponse, limit: int) -> bytes:
    """Return the body, decompressed. Raises TooLarge before more is in memory."""
    coding = response.getheader("Content-Encoding", "identity").strip().lower()
    unpack = zlib.decompressobj(31) if coding in ("gzip", "x-gzip") else None
    if unpack is None and coding not in ("identity", ""):
        raise HTTPException("it is compressed in an unknown way")
    blocks, size, taken = [], 0, 0
    while block := response.read(_BLOCK):
        taken += len(block)
        found = block if unpack is None else _unpack(unpack, block, limit + 1 - size)
        blocks.append(found)
        size += len(found)
        if max(size, taken - _BLOCK) > limit:
            raise TooLarge
    if response.length:
        raise HTTPException(f"it ends {response.length:,} bytes too early")
    if unpack is not None and taken and not unpack.eof:
        raise HTTPException("its compressed data ends too early")
    return b"".join(blocks)


def _unpack(unpack: "zlib._Decompress", block: bytes, most: int) -> bytes:
    try:
        return unpack.decompress(unpack.unconsumed_tail + block, max(most, 1))
    except zlib.error:
        raise HTTPException("its compressed data is malformed") from None


def _judge(response: HTTPResponse, path: str) -> None:
    """Return if the file is missing. Raises _Again and Unusable otherwise."""
    status = response.status
    if status in (404, 410):
        return
    if status in _AGAIN:
        raise _Again(f"status {status}", _seconds(response.getheader("Retry-After")))
    if status in (401, 403):
        raise Unusable(f"The log is not public. Set {KEY} to an API key that may read it.")
    if 300 <= status < 400:
        elsewhere = (response.getheader("Location") or "an unknown address")[:200]
        raise Unusable(f"The server redirects {path} to {elsewhere}. Use the URL of the log there.")
    raise Unusable(f"The server answered {path} with status {status}.")


def _seconds(text: str | None) -> float | None:
    is_number = text is not None and text.isascii() and text.isdecimal() and len(text) < 9
    return float(text) if text is not None and is_number else None
