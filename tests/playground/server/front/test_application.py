"""The front without a server: requests that it gives up while they arrive, or does not receive."""

import asyncio
import threading
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError

from auditlog import access
from playground.http import wanted
from playground.server.environment import read
from playground.server.front import application
from playground.server.front.application import Front
from playground.server.front.callers import Caller
from playground.server.front.pool import Pool
from playground.server.front.refusals import Refusal
from playground.server.front.routes import LIMIT
from tests.playground.server.front.loops import run_in_loop


class Request:
    """A request with a key that sends one piece of its body; then nothing if there is `more`."""

    def __init__(self, path: str, length: int, *, more: bool) -> None:
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "http_version": "1.1",
            "scheme": "http",
            "server": ("127.0.0.1", 8000),
            "client": ("192.0.2.7", 50_000),
            "headers": [
                (b"authorization", f"Bearer {access.PREFIX}_a".encode()),
                (b"content-length", str(length).encode()),
            ],
        }
        self.more = more
        self.waiting = asyncio.Event()
        self.status = 0
        self.body = b""
        self._came = False

    async def receive(self) -> dict[str, Any]:
        if self._came:
            self.waiting.set()
            await asyncio.Event().wait()
        self._came = True
        return {"type": "http.request", "body": b"{", "more_body": self.more}

    async def send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")


def take(environ: Any, start_response: Any) -> Iterable[bytes]:
    """Read a body, as Django does."""
    try:
        body = environ["wsgi.input"].read()
    except RequestDataTooBig:
        start_response("413 Content Too Large", [])
        return [b""]
    start_response("200 OK", [])
    return [body]


@pytest.fixture
def front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Front:
    """A front that looks at slow requests all the time, and knows every key."""
    monkeypatch.setattr(application, "TICK", 0.01)
    monkeypatch.setattr(application, "look_up", lambda _: Caller("key:1", "1", member=True))
    monkeypatch.setattr(access, "holder", lambda _: object())
    return Front(take, folder=tmp_path, limits=read({}))


async def arrive(front: Front, then: Any) -> tuple[int, bytes]:
    """Return the answer to a request whose body stops to arrive before something happens."""
    request = Request("/api/v1/packets", 100, more=True)
    answering = asyncio.create_task(front(request.scope, request.receive, request.send))
    await asyncio.wait_for(request.waiting.wait(), 5)
    then()
    await asyncio.wait_for(answering, 2)
    return request.status, request.body


def test_what_has_not_arrived_some_time_after_the_stop_is_given_up(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "STOPPING", 0.05)

    status, body = run_in_loop(arrive(front, front.stop))

    assert status == 503
    assert b"The server is stopping." in body


def test_a_key_that_is_revoked_while_a_body_arrives_ends_it(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "KEYS_CHECKED", 0.02)

    def revoke() -> None:
        monkeypatch.setattr(access, "holder", lambda _: None)

    status, body = run_in_loop(arrive(front, revoke))

    assert status == 401
    assert b"This key was revoked or has expired." in body


@pytest.mark.parametrize(("length", "status"), [(LIMIT, 200), (LIMIT + 1, 413)])
def test_a_body_that_is_announced_too_long_is_not_received(
    front: Front, length: int, status: int
) -> None:
    async def run() -> int:
        request = Request("/submit", length, more=False)
        await asyncio.wait_for(front(request.scope, request.receive, request.send), 5)
        return request.status

    assert run_in_loop(run()) == status


def test_a_key_that_cannot_be_checked_is_asked_to_come_back() -> None:
    refusal = application._no_database(OperationalError("disk I/O error"))

    assert refusal.status == 503
    assert refusal.retry_after
    assert "Try again" in refusal.words


def test_a_request_that_waits_longer_than_its_kind_is_refused(front: Front) -> None:
    said: list[Refusal] = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "SERVER_PROTOCOL": "HTTP/1.1"}
    visit: Any = SimpleNamespace(
        began=False, patience=5, environ=environ, caller=Caller("address:a"), refuse=said.append
    )
    ear: Any = SimpleNamespace(listen=lambda: None)

    front._look_at(visit, ear, 4.9)
    assert said == []
    front._look_at(visit, ear, 5.1)
    assert [refusal.status for refusal in said] == [503]


def test_a_question_to_the_database_gives_its_place_back(front: Front) -> None:
    async def run() -> list[int]:
        pool = Pool()
        return [await front._ask(partial(int, n), "client", pool) for n in range(100)]

    assert run_in_loop(asyncio.wait_for(run(), 5)) == [*range(100)]


def test_work_for_a_client_that_goes_after_its_body_ends(front: Front) -> None:
    ended = threading.Event()

    def works(environ: Any, start_response: Any) -> Iterable[bytes]:
        environ["wsgi.input"].read()
        try:
            for _ in range(300):
                wanted.check()
                time.sleep(0.01)
        except wanted.Unwanted:
            ended.set()
            raise
        start_response("200 OK", [])
        return [b""]

    async def run() -> None:
        request = Request("/api/v1/packets", 2, more=True)
        pieces: Iterator[dict[str, Any]] = iter(
            [
                {"type": "http.request", "body": b"{", "more_body": True},
                {"type": "http.request", "body": b"}", "more_body": False},
                {"type": "http.disconnect"},
            ]
        )

        async def receive() -> dict[str, Any]:
            return next(pieces)

        await asyncio.wait_for(front(request.scope, receive, request.send), 5)

    front._application = works
    run_in_loop(run())

    assert ended.wait(1)
