"""A proxy that holds back the second piece of each answer to a key."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from playground.http.fragments.pieces import REST

_HOP = {"connection", "content-length", "transfer-encoding", "keep-alive"}


class Holding:
    """``base_url`` is the address of the proxy."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.go_on = threading.Event()
        self.cut = False
        """Whether the second piece is left out."""
        self.held = 0
        """How many answers had a second piece."""


@contextmanager
def holding(server: str) -> Iterator[Holding]:
    """Answer with what the server at this address answers."""
    place = urlsplit(server).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, content = _ask(place, self)
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            first, mark, rest = content.partition(REST.encode())
            self.wfile.write(first + mark)
            if mark:
                held.held += 1
                held.go_on.wait(30)
            if not held.cut:
                self.wfile.write(rest)

        do_POST = do_GET  # noqa: N815 - its name is the protocol's

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        held = Holding(f"http://127.0.0.1:{proxy.server_port}")
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield held
        finally:
            held.go_on.set()
            proxy.shutdown()


def _ask(place: str, request: BaseHTTPRequestHandler) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return the status, the headers, and the content of the server's answer."""
    del request.headers["Accept-Encoding"]
    body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
    connection = HTTPConnection(place, timeout=30)
    connection.request(request.command, request.path, body, dict(request.headers.items()))
    answer = connection.getresponse()
    headers = [(name, value) for name, value in answer.getheaders() if name.lower() not in _HOP]
    content = answer.read()
    connection.close()
    return answer.status, headers, content
