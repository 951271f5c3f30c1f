"""An endpoint on loopback that speaks the OpenAI protocol, with answers that a test gives it one by
one.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PACKET = "FETCH|SALES|return:SALES-Agent|p:2|aacp:1.1|res:sales_figures|period:2024-08|fmt:xlsx"

GZIP = b"\x1f\x8b"


def said(text: str | None, **more: Any) -> dict[str, Any]:
    """A chat completion as the protocol describes it; ``more`` replaces what it says beside the
    text.
    """
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "small",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": text,
                    "refusal": more.pop("refusal", None),
                },
            }
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940},
    }
    return answer | more


class Chat:
    """``answers`` are taken in order: a completion, raw bytes, a status, or seconds to say nothing
    for.
    """

    def __init__(self) -> None:
        self.answers: list[dict[str, Any] | bytes | int | float] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = ""


class _Handler(BaseHTTPRequestHandler):
    chat: Chat

    def do_POST(self) -> None:
        assert self.path == "/v1/chat/completions"
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.chat.asked.append(json.loads(body))
        self.chat.keys.append(self.headers["Authorization"])
        answer = self.chat.answers.pop(0)
        if isinstance(answer, float):
            self._dribble(answer)
        elif isinstance(answer, int):
            self._send(answer, b'{"error": {"message": "the key sk-secret is wrong"}}')
        else:
            self._send(200, answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", self.path)
        self.send_header("Content-Type", "application/json")
        if body.startswith(GZIP):
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _dribble(self, seconds: float) -> None:
        """One blank after another, so that no single wait is long."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.wfile.write(b" ")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.05)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@contextmanager
def chatting() -> Iterator[Chat]:
    """A server that listens on a free port of this machine for as long as the block lasts."""
    chat = Chat()
    handler = type("Handler", (_Handler,), {"chat": chat})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    chat.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield chat
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
