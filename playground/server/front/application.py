"""The front of the server: an ASGI application that receives requests for Django.

It runs in one event loop and receives bodies, so a slow client holds no thread. Complete requests
go to threads that run Django as a WSGI application. Each kind of request has a limit of threads,
its lane.

It uses ASGI, not granian's RSGI, which buffers a streamed response without a limit: a client that
reads slowly would fill the memory.
"""

import asyncio
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import TypeVar
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.db import DatabaseError, close_old_connections

from auditlog import access
from playground.health import answers, failures, outage
from playground.http import security_events
from playground.server.environment import Environment, Network
from playground.server.front import allowance, refusals
from playground.server.front.arriving.bodies import Body
from playground.server.front.arriving.intake import Intake
from playground.server.front.arriving.spool import CUT, Spool
from playground.server.front.budget import Budgets
from playground.server.front.callers import Caller, Callers, look_up, token_of
from playground.server.front.environ import Scope, TooLarge, environ_of, length_of
from playground.server.front.hot.shortcut import Shortcut
from playground.server.front.lanes import Full, Lane, Turn
from playground.server.front.outbox import Outbox
from playground.server.front.pool import Pool
from playground.server.front.refusals import Answer, Refusal, Refused
from playground.server.front.routes import Kind, kind_of, route_of
from playground.server.front.visit import Ear, Receive, Send, Visit, part, start

logger = logging.getLogger(__name__)

TICK = 0.25
"""Seconds between two checks for slow requests."""
KEYS_CHECKED = 2.0
"""Seconds between two checks of the keys whose bodies are arriving."""
STOPPING = 20.0
"""Seconds that a batch may continue after the signal to stop."""
PATIENCE = 20.0
FEW = 4
"""Places for short requests, which must not wait for others."""
_PATIENCE: dict[Kind, float] = {"store": 30.0, "heavy": 60.0}
"""Seconds that a request waits for its turn, by kind; `PATIENCE` for the others."""
_FULL = Refusal(503, "Too many requests are waiting. Try again.", 5)
_MINE = Refusal(429, "Too many of your requests are waiting. Try again when some have finished.", 5)
_BUSY = Refusal(503, "The server was too busy to answer in time. Try again.", 5)
_FAILED = Refusal(500, "Server error. The error was logged.")
_STOPPING = Refusal(503, "The server is stopping. Try again.", 5)
_CUT = Refusal(400, CUT)
_REVOKED = Refusal(401, "This key was revoked or has expired.")

T = TypeVar("T")


class Front:
    """An ASGI application in front of a WSGI application. Its methods run on the event loop."""

    def __init__(
        self,
        application: WSGIApplication,
        *,
        folder: Path,
        limits: Environment,
        trusted: tuple[Network, ...] = (),
        shortcut: bool = True,
    ) -> None:
        """Without a `shortcut`, Django answers everything."""
        self._application = application
        self._callers = Callers(trusted)
        pages = max(4, limits.threads // 2)
        self._lanes: dict[Kind, Lane] = {
            "ask": Lane(FEW),
            "file": Lane(FEW),
            "sign in": Lane(FEW),
            "page": Lane(pages, each=max(1, pages * 3 // 4)),
            "store": Lane(limits.threads),
            "heavy": Lane(limits.heavy, waiting=256, mine=32),
        }
        self._budgets = Budgets(seconds=limits.anonymous_seconds, size=limits.anonymous_mib << 20)
        self._allowance = allowance.Allowance(
            member=limits.key_requests, anonymous=limits.anonymous_requests
        )
        self._folder = folder
        self._intake = Intake(limits, self._budgets)
        self._visits: dict[Visit, Ear] = {}
        self._checking: asyncio.Task[None] | None = None
        self._outbox = Outbox()
        self._stopped = 0.0
        self._keys_checked = 0.0
        self._pool: Pool | None = None
        self._has_shortcut = shortcut
        self._shortcut: Shortcut | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        pool = self._pool or self._begin()
        answer = answers.answer(scope["method"], scope["path"])
        if answer is not None:
            await _send(answer, send)
            return
        environ = environ_of(scope)
        send = allowance.telling(environ, send)
        try:
            await self._answer(environ, receive, send, pool)
            return
        except Refused as refused:
            if refused.refusal.status == HTTPStatus.TOO_MANY_REQUESTS:
                security_events.refuse_pace(environ)
            answer = refusals.answer(environ, refused.refusal)
            if refused.refusal.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                answer[1].append((failures.HEADER, _log(environ, refused)))
        except Exception:
            logger.exception("A request failed outside of Django")
            answer = refusals.answer(environ, _FAILED)
        await _send(answer, send)

    def stop(self) -> None:
        """Reject new requests, and let the others finish."""
        self._stopped = self._stopped or time.monotonic()
        for visit in self._visits:
            visit.closing = True

    def _begin(self) -> Pool:
        self._pool = Pool()
        loop = asyncio.get_running_loop()
        self._shortcut = Shortcut(loop) if self._has_shortcut else None
        loop.call_later(TICK, self._tick, loop)
        if threading.current_thread() is threading.main_thread():
            # The server's own handler belongs to the loop and keeps working.
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: self.stop())
                signal.siginterrupt(number, False)  # noqa: FBT003 - it takes no keyword
        return self._pool

    async def _answer(
        self, environ: WSGIEnvironment, receive: Receive, send: Send, pool: Pool
    ) -> None:
        if self._stopped:
            raise Refused(_STOPPING)
        caller = await self._caller(environ, pool)
        refusal = self._over_budget(environ, caller) or self._allowance.take(environ, caller)
        environ[allowance.FIELDS] = self._allowance.fields(environ, caller)
        if refusal is not None:
            raise Refused(refusal)
        route, announced = route_of(environ["PATH_INFO"]), length_of(environ)
        if announced == 0 or (route.keyed and caller.key_id is None):
            # A client without a key is rejected before its body is read.
            environ["wsgi.input"] = BytesIO()
        elif announced is not None and announced > route.limit:
            environ["wsgi.input"] = TooLarge()
        else:
            body = Body(caller, Spool(self._folder), route.limit)
            await self._answer_with(body, environ, receive, send, pool)
            return
        visit = self._visit(environ, caller, send, pool)
        await self._run(visit, Ear(visit, receive, None))

    async def _answer_with(
        self, body: Body, environ: WSGIEnvironment, receive: Receive, send: Send, pool: Pool
    ) -> None:
        """Answer a request after its body, or its beginning, is received."""
        may_stream, announced = route_of(environ["PATH_INFO"]).streamed, length_of(environ)
        streamed = False
        try:
            streamed = not await self._intake.receive(body, receive, streamed=may_stream)
            if body.cut and not may_stream:
                # The client may still be connected: an unreadable chunk looks like this too.
                raise Refused(_CUT)
            if (
                not streamed
                and not body.cut
                and await self._shorten(body, environ, announced, send)
            ):
                return
            environ["wsgi.input"] = body.spool
            if announced is None:
                # Django reads nothing without a length. No body is as long as the maximum.
                is_open = streamed or body.cut
                environ["CONTENT_LENGTH"] = str(sys.maxsize if is_open else body.spool.size)
            size = max(announced or 0, body.spool.size) if streamed else body.spool.size
            visit = self._visit(environ, body.caller, send, pool, size)
            if may_stream:
                body.spool.check = visit.check_body
                body.spool.aside, body.spool.back = visit.step_aside, visit.step_back
            rest = self._intake.receive_rest(body, visit, receive) if streamed else None
            await self._run(visit, Ear(visit, receive, rest))
        finally:
            self._intake.close(body, streamed=streamed)

    async def _shorten(
        self, body: Body, environ: WSGIEnvironment, length: int | None, send: Send
    ) -> bool:
        """Answer an ordinary request without Django. Return whether it was one. Raises Refused."""
        shortcut, caller = self._shortcut, body.caller
        if shortcut is None or not shortcut.takes(environ, caller, length):
            return False
        spend = partial(self._budgets.work, caller)
        answer = await shortcut.answer(environ, caller, body.spool.head, spend)
        if answer is not None:
            await send(answer.head)
            await send(part(answer.content, more=False))
        return answer is not None

    async def _caller(self, environ: WSGIEnvironment, pool: Pool) -> Caller:
        """Return the sender of a request. Raises Refused if the database cannot be asked."""
        address = self._callers.address(environ)
        token = token_of(environ)
        if token is None:
            return address
        caller, known = self._callers.recall(token)
        if not known:
            try:
                caller = await self._ask(partial(look_up, token), address.name, pool)
            except Full:
                raise Refused(_FULL) from None
            except DatabaseError as error:
                if token.is_key:
                    raise Refused(_no_database(error)) from error
                return address
            self._callers.remember(token, caller)
        return caller or address

    async def _ask(self, question: Callable[[], T], client: str, pool: Pool) -> T:
        """Ask the database on a thread for short requests. Raises lanes.Full."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        found: list[Callable[[], None]] = []
        lane = self._lanes["ask"]

        def work() -> None:
            try:
                found.append(partial(answer.set_result, question()))
            except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
                found.append(partial(answer.set_exception, error))
            finally:
                close_old_connections()

        def done(_seconds: float) -> None:
            lane.leave(turn)
            if not answer.done():
                found[0]()

        turn = Turn(client, lambda: pool.run(work, done, lambda: True))
        lane.enter(turn)
        return await answer

    def _over_budget(self, environ: WSGIEnvironment, caller: Caller) -> Refusal | None:
        is_page = length_of(environ) == 0 and not environ["PATH_INFO"].startswith("/api/")
        return self._budgets.refuse(caller, is_page=is_page)

    def _visit(
        self,
        environ: WSGIEnvironment,
        caller: Caller,
        send: Send,
        pool: Pool,
        size: int = 0,
    ) -> Visit:
        packed = "HTTP_CONTENT_ENCODING" in environ
        kind = kind_of(environ["REQUEST_METHOD"], environ["PATH_INFO"], size, packed=packed)
        return Visit(
            environ,
            caller,
            application=self._application,
            pool=pool,
            lane=self._lanes[kind],
            patience=_PATIENCE.get(kind, PATIENCE),
            outbox=self._outbox,
            send=send,
            spend=partial(self._budgets.work, caller),
        )

    async def _run(self, visit: Visit, ear: Ear) -> None:
        self._visits[visit] = ear
        try:
            visit.start()
            await visit.answered
        except Full as full:
            raise Refused(_MINE if full.mine else _FULL) from None
        finally:
            del self._visits[visit]
            ear.close()

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check everything that may be slow."""
        loop.call_later(TICK, self._tick, loop)
        now = time.monotonic()
        stopping = bool(self._stopped) and now - self._stopped > STOPPING
        self._intake.give_up_late(now, _STOPPING if stopping else None)
        for visit, ear in [*self._visits.items()]:
            if stopping:
                visit.ended = _STOPPING
            self._look_at(visit, ear, now - visit.turn.since)
        if now - self._keys_checked > KEYS_CHECKED and (keys := self._intake.bodies.keys()):
            self._keys_checked = now
            self._checking = loop.create_task(self._check_keys(keys))

    def _look_at(self, visit: Visit, ear: Ear, waited: float) -> None:
        if waited < TICK:
            return
        ear.listen()
        if visit.began:
            return
        late = waited > visit.patience
        refusal = _BUSY if late else self._over_budget(visit.environ, visit.caller)
        if refusal is not None:
            visit.refuse(refusal)

    async def _check_keys(self, keys: list[str]) -> None:
        """Give up bodies whose keys were revoked while they arrive."""
        assert self._pool is not None, "there is a pool since the first request"
        try:
            gone = await self._ask(
                lambda: [key for key in keys if not access.holder(key)], "", self._pool
            )
        except (Full, DatabaseError):
            return
        for key in gone:
            self._callers.forget()
            for visit in self._visits:
                if visit.caller.key_id == key:
                    visit.ended = _REVOKED
            self._intake.give_up_key(key, _REVOKED)


def _no_database(error: DatabaseError) -> Refusal:
    """Return why a key cannot be checked."""
    found = outage.find(error, "GET")
    words = (
        str(found)
        if found
        else "The database reports an error, so the key cannot be checked. Try again later."
    )
    return Refusal(503, words, outage.RETRY)


def _log(environ: WSGIEnvironment, refused: Refused) -> str:
    refusal = refused.refusal
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    return failures.refuse(method, path, refusal.status, refusal.words, refused.__cause__)


async def _send(answer: Answer, send: Send) -> None:
    status, headers, content = answer
    await send(start(status, headers))
    await send(part(content, more=False))
