"""What a served installation must do while something is wrong with its database, and after that.

A `Trouble` is one way to break it: how, what is said, and what still works. `stand` plays it
through: packets are stored, the database is broken, everything that writes and reads is tried, the
database is fixed, and all that was acknowledged must be there once, and nothing of which the
answer said that it was not stored.
"""

import http.cookiejar
import itertools
import json
import re
import time
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

from tests.installation import Installation

NOT_STORED = "None of this was stored"
QUICK = 15.0
"""Seconds within which every answer must come, with room for a busy machine. A lock is waited for 3
to 5 s.
"""
_SECRET = "zqx"
"""Stands in everything that is sent, and must not stand in the log."""


@dataclass(frozen=True)
class Trouble:
    """A way to break the database of an installation."""

    breaks: Callable[[Installation], AbstractContextManager[object]]
    sentence: str
    """What /readyz and every answer of 503 say."""
    line: str
    """A line of the log, as a regular expression."""
    reads: bool = True
    """Whether packets and pages can still be read."""
    refuses_all: bool = True
    """Whether every write must fail while it lasts. What does not fail must be there afterwards."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Any
    body: str
    seconds: float


@dataclass
class Site:
    """An installation as a program with a key and a signed-in person meet it."""

    installation: Installation
    key: str = ""
    reader: str = ""
    acknowledged: list[str] = field(default_factory=list)
    """Tags of what was stored, as the answers said."""
    denied: list[str] = field(default_factory=list)
    """Tags of what was not stored, as the answers said."""
    ids: list[str] = field(default_factory=list)
    """Request IDs of all that failed."""
    pad: str = ""

    def __post_init__(self) -> None:
        self.jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar), _Stay()
        )
        self._numbers = itertools.count()
        self.key = self.installation.manage(
            "apikey", "create", "agent", "--scopes", "ingest,read,admin"
        )
        self.reader = self.installation.manage("apikey", "create", "reader", "--scopes", "read")
        self.sign_in(self.installation.sign_in_link())
        opened = self.ask("/api/v1/pads", b"", headers=self.keyed())
        self.pad = json.loads(opened.body)["post"].removeprefix(self.installation.base_url)

    def tag(self) -> str:
        return f"{_SECRET}_{next(self._numbers)}"

    def keyed(self, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"} | more

    def form(self, **values: str) -> dict[str, Any]:
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        return {
            "data": urlencode(values).encode(),
            "headers": {"X-CSRFToken": token, "Accept": "text/html"},
        }

    def sign_in(self, link: str) -> Answer:
        path = link.removeprefix(self.installation.base_url)
        self.ask(path)
        return self.ask(path, **self.form())

    def ask(
        self, path: str, data: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        began = time.monotonic()
        url = f"{self.installation.base_url}{path}"
        headers = headers or {"Accept": "text/html"}
        request = urllib.request.Request(url, data, headers)  # noqa: S310 - this server's
        try:
            with self._opener.open(request, timeout=60) as response:
                status, sent, body = response.status, response.headers, response.read().decode()
        except HTTPError as error:
            status, sent, body = error.code, error.headers, error.read().decode()
        return Answer(status, sent, body, time.monotonic() - began)

    def found(self) -> list[str]:
        """The tags of all packets that a search finds, each as often as it is there."""
        tags: list[str] = []
        cursor = ""
        while True:
            query = urlencode({"limit": 200} | ({"cursor": cursor} if cursor else {}))
            page = self.ask(
                f"/api/v1/search?{query}", headers={"Authorization": f"Bearer {self.reader}"}
            )
            assert page.status == 200, page
            said = json.loads(page.body)
            tags += [
                tag
                for result in said["results"]
                for tag in re.findall(rf"{_SECRET}_\d+", result["wire"])
            ]
            cursor = said["next"]
            if not cursor:
                return tags

    def ready(self) -> tuple[int, dict[str, Any]]:
        answer = self.ask("/readyz")
        return answer.status, json.loads(answer.body)


class _Stay(urllib.request.HTTPRedirectHandler):
    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        return fp


def _wire(tag: str) -> str:
    return f"REQ/TSK|g=1,t=1,p=2,@={tag}"


def _one(site: Site, tag: str) -> Answer:
    return site.ask("/api/v1/packets", json.dumps({"wire": _wire(tag)}).encode(), site.keyed())


def _batch(site: Site, tag: str) -> Answer:
    body = json.dumps({"wire": _wire(tag)}).encode() + b"\n"
    headers = site.keyed(**{"Content-Type": "application/x-ndjson", "Idempotency-Key": tag})
    return site.ask("/api/v1/packets/batch", body, headers)


def _post_to_pad(site: Site, tag: str) -> Answer:
    return site.ask(site.pad, _wire(tag).encode(), {"Content-Type": "text/plain"})


def _nlip(site: Site, tag: str) -> Answer:
    body = {"format": "text", "subformat": "English", "content": _wire(tag)}
    return site.ask("/nlip", json.dumps(body).encode(), site.keyed())


def _save(site: Site, tag: str) -> Answer:
    return site.ask("/save/confirm", **site.form(text=_wire(tag)))


def _import(site: Site, tag: str) -> Answer:
    place = urlencode(
        {"file": tag, "at": 0, "line": 1, "log": "default", "final": 1, "zone": "UTC"}
    )
    sent = site.form()
    return site.ask(
        f"/import/piece?{place}",
        f"{_wire(tag)}\n".encode(),
        sent["headers"] | {"Content-Type": "text/plain"},
    )


def _verb(site: Site, tag: str) -> Answer:
    body = {"name": tag, "description": "Test.", "inputs": ["text"], "outputs": "string"}
    return site.ask("/api/v1/sacp/verbs", json.dumps(body).encode(), site.keyed())


PACKETS: dict[str, Callable[[Site, str], Answer]] = {
    "one packet": _one,
    "a batch": _batch,
    "a live session with a key": _post_to_pad,
    "an NLIP exchange": _nlip,
    "messages saved by a person": _save,
    "a piece of a file": _import,
}
"""All ways to store a packet."""
OTHERS: dict[str, Callable[[Site, str], Answer]] = {"a SACP verb": _verb}
"""Other ways to write."""
READS = (
    "/api/v1/search",
    "/audit/",
    "/stream/",
    "/stream/log/default/lines",
    "/aacp/candidates",
    "/protocols/",
)


def stand(site: Site, trouble: Trouble) -> None:
    """Break the database, try everything, fix it, and try everything again."""
    link = site.installation.sign_in_link("grace")
    path = link.removeprefix(site.installation.base_url)
    site.ask(path)
    _until(lambda: site.ready()[0] == 200, "it was never ready")
    _write_all(site, works=True)
    began = len(site.installation.said)

    with trouble.breaks(site.installation):
        _until(lambda: site.ready()[0] == 503, "it never noticed")
        _, said = site.ready()
        assert trouble.sentence in [problem["message"] for problem in said["problems"]]
        assert site.ask("/healthz").status == 200
        _write_all(site, works=False, trouble=trouble)
        _require_refusal(site, site.ask(path, **site.form()), trouble)
        for place in READS:
            answer = site.ask(
                place, headers={"Authorization": f"Bearer {site.reader}", "Accept": "text/html"}
            )
            assert answer.seconds < QUICK, (place, answer)
            if trouble.reads:
                assert answer.status == 200, (place, answer)
            elif answer.status != 200:
                _require_refusal(site, answer, trouble)

    _until(lambda: site.ready()[0] == 200, "it was never ready again")
    _write_all(site, works=True)
    signed_in = site.ask(path, **site.form())
    assert signed_in.status == 302, signed_in
    found = site.found()
    assert [tag for tag in site.acknowledged if tag not in found] == [], "lost"
    assert [tag for tag in site.denied if tag in found] == [], (
        "stored, and the answer said that it was not"
    )
    _check_log(site, site.installation.said[began:], trouble)


def _write_all(site: Site, *, works: bool, trouble: Trouble | None = None) -> None:
    for name, write in (PACKETS | OTHERS).items():
        tag = site.tag()
        answer = write(site, tag)
        assert answer.seconds < QUICK, (name, answer)
        if answer.status < 400:
            assert works or (trouble and not trouble.refuses_all), (name, answer)
            if name in PACKETS:
                site.acknowledged.append(tag)
            continue
        assert trouble is not None, (name, answer)
        _require_refusal(site, answer, trouble)
        if name in PACKETS and NOT_STORED in answer.body:
            site.denied.append(tag)


def _require_refusal(site: Site, answer: Answer, trouble: Trouble) -> None:
    if not trouble.refuses_all and answer.status < 400:
        return
    assert answer.status == 503, answer
    assert int(answer.headers["Retry-After"]) > 0
    assert trouble.sentence in answer.body, answer
    site.ids.append(answer.headers["X-Request-ID"])


def _check_log(site: Site, lines: list[str], trouble: Trouble) -> None:
    text = "".join(lines)
    assert re.search(trouble.line, text), text
    assert _SECRET not in text
    assert site.key not in text
    assert "Traceback" not in text, text
    assert "  File " not in text, text
    # A line for each route and reason, with the ID of its first answer.
    logged = re.findall(
        r" ERROR playground\.health\.failures: 503 \w+ (\S+), request ([0-9a-f]{12}): (\w.+)", text
    )
    assert {number for _, number, _ in logged} <= set(site.ids), text
    assert len({(route, reason) for route, _, reason in logged}) == len(logged), text
    assert len({route for route, _, _ in logged}) >= (4 if trouble.refuses_all else 1), text


def _until(fits: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + 40
    while not fits():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.2)
