"""One request: it waits for its turn, a thread answers it, and the response is sent."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from inspect import CORO_CREATED, getcoroutinestate
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.db import close_old_connections

from auditlog.ingest.body import BadBody, CutOff
from playground.health import failures
from playground.http import wanted
from playground.server.front.callers import Caller
from playground.server.front.lanes import Lane, Turn
from playground.server.front.outbox import LARGE, Outbox
from playground.server.front.pool import Pool
from playground.server.front.refusals import Refusal, Refused

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
SLICE = 2.0
"""Seconds after which a request that reads its body lets others run first."""
TAKEN = 60.0
"""Seconds within which a client must accept a piece of a streamed response."""
RATE = 16 * 1024
"""Bytes per second of a streamed response that a client must accept after `TAKEN`."""
EVENTS = "text/event-stream"


class Ended(BadBody):
    """The rest of a body is not read. `status` is an HTTP status."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.words)
        self.status = refusal.status


class Visit:
    """A request that Django answers."""

    def __init__(
        self,
        environ: WSGIEnvironment,
        caller: Caller,
        *,
        application: WSGIApplication,
        pool: Pool,
        lane: Lane,
        patience: float,
        outbox: Outbox,
        send: Send,
        spend: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """``spend`` is called with the processor seconds that the request used."""
        self.environ = environ
        self.caller = caller
        self.lane = lane
        self.patience = patience
        """Seconds to wait for a turn."""
        self.turn = Turn(caller.name, self._begin)
        self.began = False
        self.gone = False
        """Whether the client has gone."""
        self.ended: Refusal | None = None
        """Why the rest of the body must not be read."""
        self.closing = False
        """Whether live views must end, because the server is stopping."""
        self._spend = spend
        self._loop = asyncio.get_running_loop()
        self.answered: asyncio.Future[None] = self._loop.create_future()
        self._application = application
        self._pool = pool
        self._outbox = outbox
        self._send = send
        self._head: tuple[int, list[tuple[str, str]]] = (500, [])
        self._large: tuple[dict[str, Any] | None, bytes] | None = None
        self._error: Exception | None = None
        self._resumed = self._waited = 0.0
        self._taken = 0
        self._streams = False

    # Called by the event loop.

    def start(self) -> None:
        """Wait for a turn in the lane. Raises lanes.Full."""
        self.lane.enter(self.turn)

    def refuse(self, refusal: Refusal) -> None:
        """Stop waiting for a turn."""
        if not self.began and not self.answered.done():
            self.lane.leave(self.turn)
            self.answered.set_exception(Refused(refusal))

    def leave(self) -> None:
        """Cancel the request if it waits, and notify it if it runs: the client has gone."""
        self.gone = True
        if not self.began and not self.answered.done():
            self.lane.leave(self.turn)
            self.answered.set_result(None)

    def _begin(self) -> None:
        self.began = True
        self._resumed = time.monotonic()
        self._pool.run(self._work, self._done, lambda: self.lane.queued > 0)

    def _done(self, seconds: float) -> None:
        self._pool.streams -= self._streams
        self._spend(seconds)
        self._lend()
        if self.answered.done():
            return
        if self._error is not None:
            self.answered.set_exception(self._error)
        elif self._large:
            (head, content), self._large = self._large, None
            self._outbox.begin(head, content, self._send).add_done_callback(self._sent)
        else:
            self.answered.set_result(None)

    def _sent(self, sending: asyncio.Task[None]) -> None:
        """A large response was sent, or was given up and cut off by the server."""
        error = None if sending.cancelled() else sending.exception()
        if self.answered.done():
            return
        if error is None or isinstance(error, TimeoutError):
            self.answered.set_result(None)
        else:
            self.answered.set_exception(error)

    def _lend(self) -> None:
        self.lane.leave(self.turn)

    def _begin_stream(self) -> None:
        self._streams = True
        self._pool.streams += 1
        self._lend()

    # Called by the thread.

    def step_aside(self) -> None:
        """Release the place for other requests."""
        self._pool.tell(self._lend, soon=True)

    def step_back(self) -> None:
        """Wait for a place again."""
        ready = threading.Event()

        def enter() -> None:
            self.turn.begin = ready.set
            self.lane.enter(self.turn, again=True)

        self._pool.tell(enter, soon=True)
        ready.wait()
        self._resumed = time.monotonic()

    def check_body(self) -> None:
        """Check whether to continue, before each piece of an arriving body. Raises BadBody."""
        if self.ended is not None:
            raise Ended(self.ended)
        if self.gone:
            raise CutOff("The client closed the connection.")
        if self.lane.queued and time.monotonic() - self._resumed > SLICE:
            self.step_aside()
            self.step_back()

    def _work(self) -> None:
        with wanted.asking(lambda: not self.gone):
            try:
                self._respond()
            except wanted.Unwanted:
                close_old_connections()
            except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
                self._error = error

    def _respond(self) -> None:
        body = self._application(self.environ, self._start_response)
        try:
            if getattr(body, "in_pieces", False):
                self._send_pieces(iter(body))
            elif getattr(body, "streaming", False):
                self._stream(body)
            else:
                content = b"".join(body)
                if len(content) > LARGE:
                    self._large = start(*self._head), content
                else:
                    self._send_now(start(*self._head), part(content, more=False))
        finally:
            close = getattr(body, "close", None)
            if close is not None:
                close()

    def _send_pieces(self, body: Iterator[bytes]) -> None:
        """Send a response of which the first piece must not wait for the others."""
        self._send_now(start(*self._head), part(next(body), more=True))
        try:
            content = b"".join(body)
        except Exception as error:  # noqa: BLE001 - it is logged; the status has been sent
            method, path = self.environ["REQUEST_METHOD"], self.environ["PATH_INFO"]
            failures.refuse(method, path, 500, "", error)
            content = b""
        if len(content) > LARGE:
            self._large = None, content
        else:
            self._send_now(part(content, more=False))

    def _send_now(self, *messages: dict[str, Any]) -> None:
        """Send these from this thread.

        The server's `send` can be called on any thread, and is done when it returns. The event loop
        would first have to wait for its turn.
        """
        for message in messages:
            sending = self._send(message)
            if asyncio.iscoroutine(sending):
                asyncio.run_coroutine_threadsafe(sending, self._loop).result()

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], _error: Any = None
    ) -> Callable[[bytes], object]:
        self._head = (int(status[:3]), headers)
        return _write_nothing

    def _stream(self, body: Iterable[bytes]) -> None:
        """Send a response while it is made, without a place in the lane."""
        self._pool.tell(self._begin_stream, soon=True)
        status, headers = self._head
        live = any(
            name.lower() == "content-type" and value.startswith(EVENTS) for name, value in headers
        )
        self._await(start(status, headers))
        for piece in body:
            wanted.check()
            if live and self.closing:
                break
            if piece:
                self._await(part(piece, more=True))
        self._await(part(b"", more=False))

    def _await(self, message: dict[str, Any]) -> None:
        async def send() -> None:
            async with asyncio.timeout(TAKEN):
                await self._send(message)

        began = time.monotonic()
        try:
            asyncio.run_coroutine_threadsafe(send(), self._loop).result()
        except TimeoutError:
            raise wanted.Unwanted from None
        self._waited += time.monotonic() - began
        self._taken += len(message.get("body", b""))
        if self._waited > TAKEN + self._taken / RATE:
            raise wanted.Unwanted


class Ear:
    """Detects that the client has gone: after the rest of a body, or from a call of `listen`."""

    def __init__(
        self, visit: Visit, receive: Receive, rest: Coroutine[None, None, bool] | None = None
    ) -> None:
        self._visit = visit
        self._receive = receive
        self._rest = rest
        self._task = asyncio.create_task(self._hear(rest)) if rest is not None else None

    def listen(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._hear(None))

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._rest is not None and getcoroutinestate(self._rest) == CORO_CREATED:
            self._rest.close()  # A request that is refused at once does not read the rest.

    async def _hear(self, rest: Coroutine[None, None, bool] | None) -> None:
        # The received part of a body that was cut off is still stored.
        if rest is not None and not await rest:
            return
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._visit.leave()


def start(status: int, headers: Iterable[tuple[str, str]]) -> dict[str, Any]:
    written = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return {"type": "http.response.start", "status": status, "headers": written}


def part(data: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": more}


def _write_nothing(_data: bytes) -> None:
    raise NotImplementedError("Django returns its answers and never writes them")
