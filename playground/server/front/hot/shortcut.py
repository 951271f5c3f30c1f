"""Answer ordinary requests: hand them to `together`, and write what Django would have written."""

import asyncio
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple
from wsgiref.types import WSGIEnvironment

from auditlog.database.unavailable import Unavailable
from auditlog.ingest.receive import Receipt, Rejection
from auditlog.ingest.together import Answers, Results, Together
from playground.rest import problems
from playground.rest.body import JSON
from playground.rest.receipts import answer_many, answer_one
from playground.server import hsts
from playground.server.front.callers import Caller
from playground.server.front.hot import ordinary
from playground.server.front.refusals import ALWAYS, Refusal, Refused
from playground.server.front.visit import start

WAITING, MINE = 512, 64
"""Requests that wait at most, of all clients and of one. More are left to Django."""
_SCOPE = "ingest"
_HEADERS = (
    *ALWAYS,
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)


class Answer(NamedTuple):
    """A response: an ASGI message, and the body."""

    head: dict[str, Any]
    content: bytes


class Shortcut:
    """The requests that are answered without Django. Its methods run on the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._together = Together(self._deliver)
        self._waiting: dict[str, int] = {}
        self._count = 0

    def takes(self, environ: WSGIEnvironment, caller: Caller, length: int | None) -> bool:
        """Return whether to try a request here, by its head."""
        sender = caller.sender
        return (
            sender is not None
            and _SCOPE in sender.scopes
            and self._count < WAITING
            and self._waiting.get(caller.name, 0) < MINE
            and ordinary.is_ordinary(environ, length)
        )

    async def answer(
        self,
        environ: WSGIEnvironment,
        caller: Caller,
        body: bytes,
        spend: Callable[[float], None],
    ) -> Answer | None:
        """Store what a request sends. Return None if Django has to answer; nothing is stored
        then.

        Raises Refused if it may not be stored.
        """
        sender = caller.sender
        assert sender is not None, "`takes` was asked"
        done: asyncio.Future[Results] = self._loop.create_future()

        def settle(results: Results, seconds: float) -> None:
            spend(seconds)
            if not done.done():
                done.set_result(results)

        self._waiting[caller.name] = self._waiting.get(caller.name, 0) + 1
        self._count += 1
        try:
            self._together.submit(
                caller.name, len(body), partial(ordinary.read, environ, body, sender), settle
            )
            results = await done
        finally:
            self._leave(caller.name)
        if isinstance(results, Unavailable):
            raise Refused(Refusal(503, str(results), results.retry_after)) from results
        return None if results is None else _write(environ, results)

    def _leave(self, name: str) -> None:
        self._count -= 1
        self._waiting[name] -= 1
        if not self._waiting[name]:
            del self._waiting[name]

    def _deliver(self, answers: Answers) -> None:
        def call() -> None:
            for answer in answers:
                answer()

        self._loop.call_soon_threadsafe(call)


def _write(environ: WSGIEnvironment, results: list[Receipt | Rejection]) -> Answer:
    say = answer_one if environ["PATH_INFO"] == ordinary.ONE else answer_many
    try:
        status, content = say(results)
        media = JSON
    except problems.Problem as problem:
        status, content, media = problem.status, problems.write(problem), problems.MEDIA
    return Answer(_begin(status, media, *hsts.headers(environ)), content)


@lru_cache(maxsize=64)
def _begin(status: int, media: str, *more: tuple[str, str]) -> dict[str, Any]:
    return start(status, [("Content-Type", media), *_HEADERS, *more])
