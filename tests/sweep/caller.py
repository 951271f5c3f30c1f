"""A person and a program that send requests: signed in, with a key, each time from another address.

Budgets are counted by address. They are not what is measured here, so no address is used twice.
"""

import json
import math
import re
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

from tests.installation import Installation

from .routes import TEXT, Route, fill

TIME_OUT = 120
PATIENCE = 60
"""Seconds for which a request is sent again where the server is busy."""
AFTER_END = 20
"""Seconds for which an answer is still awaited when the time is over."""
BOUNDARY = "sweep-0123456789"


@dataclass(frozen=True)
class Answer:
    status: int
    seconds: float
    body: bytes


class Caller:
    def __init__(self, installation: Installation) -> None:
        self.host = urlsplit(installation.base_url).netloc
        self.cookies: dict[str, str] = {}
        self.ends = math.inf
        """When the time is over, on the monotonic clock."""
        self._addresses = (
            f"127.{one >> 16 & 127}.{one >> 8 & 255}.{one & 255}" for one in count(1 << 16)
        )
        self._sign_in(installation)
        scopes = "ingest,read,export,admin"
        self.key = installation.manage(
            "apikey", "create", "sweep", "--scopes", scopes
        ).splitlines()[-1]

    def send(self, route: Route, text: str, values: dict[str, str]) -> Answer:
        """Send ``text`` to a route whose gaps are filled with ``values``."""
        body, media = _body(route, text)
        path = route.path.format(**values)
        if route.kind == "query":
            fields = fill(route.fields, lambda value: value.replace(TEXT, text))
            path += "?" + urlencode(fields, errors="replace")
        token = {"X-CSRFToken": self.cookies.get("csrftoken", "")}
        headers = {"Content-Type": media, **token, **dict(route.headers)}
        return self.request(route.method, path, body, headers, refusal=route.refusal)

    def store(self, kind: str, text: str) -> dict[str, str]:
        """Store ``text`` as a packet of its own thread or in a live session of its own."""
        if kind == "packet":
            thread = uuid4().hex
            sent = json.dumps({"wire": text, "thread": thread, "from": "a", "to": "b"})
            receipt = self._json("/api/v1/packets", sent.encode())["results"][0]
            leaf = int(receipt["leaf"])
            found = {
                "uid": receipt["packet"],
                "thread": thread,
                "leaf": str(leaf),
                "before": str(leaf - 1),
            }
        else:
            made = self._json("/api/v1/pads", b"")
            post = urlsplit(made["post"]).path
            # What is beyond a session's rate is refused for good.
            self.request("POST", post, text.encode(), {"Content-Type": "text/plain"}, refusal=429)
            found = {"pad": made["key"], "post": post, "number": "1"}
        return found

    def forget(self, kind: str, values: dict[str, str]) -> None:
        if kind == "pad":
            self.request("DELETE", f"/api/v1/pads/{values['pad']}", b"", {})

    def request(
        self, method: str, path: str, body: bytes, headers: dict[str, str], *, refusal: int = 0
    ) -> Answer:
        """Send a request, again where the server is busy."""
        ends = min(time.monotonic() + PATIENCE, self.ends)
        while True:
            answer, wait = self._once(method, path, body, headers)
            is_busy = answer.status in (429, 503) and answer.status != refusal
            if not is_busy or time.monotonic() > ends:
                return answer
            time.sleep(min(wait, 10))

    def _once(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[Answer, float]:
        address = next(self._addresses)
        left = max(self.ends - time.monotonic(), 0) + AFTER_END
        connection = HTTPConnection(
            self.host, timeout=min(TIME_OUT, left), source_address=(address, 0)
        )
        sent = headers | {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        }
        if path.startswith("/api/"):
            sent = headers | {"Authorization": f"Bearer {self.key}"}
        begin = time.perf_counter()
        try:
            connection.request(method, path, body or None, sent)
            response = connection.getresponse()
            read = response.read()
        except TimeoutError:
            return Answer(0, time.perf_counter() - begin, b""), 0
        finally:
            connection.close()
        self._remember(response)
        wait = float(response.headers.get("Retry-After") or 0.2)
        return Answer(response.status, time.perf_counter() - begin, read), wait

    def _remember(self, response: HTTPResponse) -> None:
        for line in response.headers.get_all("Set-Cookie", []):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value

    def _sign_in(self, installation: Installation) -> None:
        self.key = ""
        link = urlsplit(installation.sign_in_link()).path
        self.request("GET", link, b"", {})
        token = urlencode({"csrfmiddlewaretoken": self.cookies["csrftoken"]}).encode()
        self.request("POST", link, token, {"Content-Type": "application/x-www-form-urlencoded"})
        assert "sessionid" in self.cookies

    def _json(self, path: str, body: bytes) -> Any:
        answer = self.request("POST", path, body, {"Content-Type": "application/json"})
        assert answer.status < 300, f"{path} answered {answer.status}: {answer.body[:200]!r}"
        return json.loads(answer.body)


def _body(route: Route, text: str) -> tuple[bytes, str]:
    if route.kind == "form":
        fields = {key: text if value == TEXT else value for key, value in route.fields.items()}
        sent = urlencode(fields, quote_via=quote, errors="replace")
        return sent.encode(), "application/x-www-form-urlencoded"
    if route.kind == "json":
        fields = fill(route.fields, lambda value: value.replace(TEXT, text))
        return json.dumps(fields, ensure_ascii=False).encode(), route.media
    if route.kind == "body":
        return text.encode(), route.media
    if route.kind == "file":
        return _multipart(route.fields, text), f"multipart/form-data; boundary={BOUNDARY}"
    return b"", "text/plain"


def _multipart(fields: dict[str, str], text: str) -> bytes:
    parts = [f'name="{name}"\r\n\r\n{value}' for name, value in fields.items()]
    parts.append(f'name="file"; filename="a.log"\r\nContent-Type: text/plain\r\n\r\n{text}')
    assert not re.search(BOUNDARY, text)
    head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; "
    return "".join(f"{head}{part}\r\n" for part in parts).encode() + f"--{BOUNDARY}--\r\n".encode()
