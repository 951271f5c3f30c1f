"""Receive bodies on the event loop, so that a slow client holds no thread.

A small body is received completely first. A thread may read a long one while the rest arrives.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from playground.server.environment import Environment
from playground.server.front.arriving.bodies import Bodies, Body
from playground.server.front.arriving.spool import HEAD
from playground.server.front.budget import Budgets
from playground.server.front.refusals import Refusal, Refused
from playground.server.front.visit import Receive, Visit

STREAMS = 16
"""Bodies that are read while they arrive."""
_UNWRITTEN = Refusal(
    503, "The server cannot write the body to its disk, which may be full or read-only.", 30
)
"""The part that arrived before may have been stored."""


class Intake:
    """The bodies that are being received. Its methods run on the event loop."""

    def __init__(self, limits: Environment, budgets: Budgets) -> None:
        self._budgets = budgets
        self.bodies = Bodies(limits.bodies, seconds=limits.body_seconds, rate=limits.body_rate)
        self._reading: dict[Body, asyncio.Task[object]] = {}
        self._streams = 0
        # A slow disk must not block the event loop.
        self._writer = ThreadPoolExecutor(2, thread_name_prefix="bodies")

    def close(self, body: Body, *, streamed: bool) -> None:
        self._streams -= streamed
        self.bodies.remove(body)
        self.bodies.spooled -= body.filed
        body.spool.end()
        body.spool.close()

    async def receive(self, body: Body, receive: Receive, *, streamed: bool) -> bool:
        """Receive a body. Return False if its rest can arrive later."""
        given_up = self.bodies.add(body)
        if given_up is not None and given_up in self._reading:
            self._reading[given_up].cancel()
        task = self._reading[body] = _current_task()
        try:
            while not await self._take(body, receive):
                if streamed and body.spool.size >= HEAD and self._streams < STREAMS:
                    self._streams += 1
                    return False
        except asyncio.CancelledError:
            if body.late is None:
                raise
            task.uncancel()
            raise Refused(body.late) from None
        finally:
            del self._reading[body]
        self.bodies.remove(body)
        return True

    async def receive_rest(self, body: Body, visit: Visit, receive: Receive) -> bool:
        """Receive the rest of a body. Return whether the body is complete.

        Whatever stops it, the reader sees an end.
        """
        self._reading[body] = _current_task()
        try:
            while not await self._take(body, receive):
                pass
        except Refused as refused:
            visit.ended = refused.refusal
        except asyncio.CancelledError:
            if body.late is None:
                raise
            _current_task().uncancel()
            visit.ended = body.late
            with suppress(Refused):
                await self._flush(body)
        finally:
            del self._reading[body]
            body.spool.end()
            self.bodies.remove(body)
        return not body.cut and visit.ended is None

    def give_up_late(self, now: float, refusal: Refusal | None) -> None:
        """Give up bodies that arrive too slowly; with a refusal, all of them."""
        for body in [*self._reading]:
            late = refusal or self.bodies.is_late(body, now)
            if late is not None:
                self._give_up(body, late)

    def give_up_key(self, key_id: str, refusal: Refusal) -> None:
        """Give up the bodies of a key."""
        for body in self.bodies.of_key(key_id):
            if body in self._reading:
                self._give_up(body, refusal)

    def _give_up(self, body: Body, refusal: Refusal) -> None:
        body.late = refusal
        self._reading[body].cancel()

    async def _take(self, body: Body, receive: Receive) -> bool:
        """Receive the next piece of a body. Return whether it was the last. Raises Refused."""
        message = await receive()
        spool = body.spool
        if message["type"] == "http.disconnect":
            body.cut = last = True
        else:
            full = spool.feed(message.get("body", b""))
            # One byte over the limit is enough to reject it.
            last = not message.get("more_body", False) or spool.size > body.limit
            if full:
                await self._flush(body)
        if last:
            await self._flush(body)
            spool.end(cut=body.cut)
            self._budgets.receive(body.caller, spool.size)
        return last

    async def _flush(self, body: Body) -> None:
        pending = body.spool.pending
        if not pending:
            return
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, body.spool.flush)
        except OSError as error:
            raise Refused(_UNWRITTEN) from error
        body.filed += pending
        self.bodies.spooled += pending


def _current_task() -> asyncio.Task[object]:
    task = asyncio.current_task()
    assert task is not None, "a server runs each request as a task"
    return task
