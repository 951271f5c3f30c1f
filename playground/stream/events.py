"""Server-sent events: a live view hears of new lines as they come.

Each open stream holds a thread, beside those that answer requests, and there may be as many as a
quarter of `CABLESE_THREADS`; whoever finds no place asks for batches every other second instead. A
stream ends after some minutes and the browser opens another, going on behind the last event's id,
so that no place is held by a browser that went away without a word.
"""

import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from threading import BoundedSemaphore

import msgspec
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.http import HttpRequest, StreamingHttpResponse

from playground.stream.feeds import Batch, Feed

MEDIA = "text/event-stream; charset=utf-8"
TICK = 0.1
"""Seconds between two events: many lines share one."""
HEARTBEAT = 3.0
"""Seconds of quiet after which a sign of life is sent; it finds out whether the other side is still
there.
"""
MAX_AGE = 300.0
RECHECK = 3.0
"""Seconds after which it is asked again whether the reader still may read."""
MayRead = Callable[[], bool]
_RETRY = b"retry: 1000\n\n"
_QUIET = b": \n\n"
_AGAIN = b"event: again\ndata: {}\n\n"
_ENDED = b"event: ended\ndata: {}\n\n"

_places = BoundedSemaphore(settings.THREADS // 4)


def _always() -> bool:
    return True


class Busy(Exception):
    """All places for streams are taken."""


class Events:
    """The events of a feed, as long as its place is held. `close` gives the place back, also when
    nothing was sent.
    """

    def __init__(self, feed: Feed, after: int | None, may_read: MayRead = _always) -> None:
        if not _places.acquire(blocking=False):
            raise Busy
        self._held = True
        try:
            # What cannot be read is refused now, with a status of its own.
            first = feed.read(after)
        except BaseException:
            _places.release()
            raise
        self._events: Generator[bytes, None, None] = _events(feed, first, may_read)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._events)

    async def each(self) -> AsyncIterator[bytes]:
        """The same for an ASGI server, which would otherwise wait for the end before it sends
        anything.
        """
        try:
            while event := await sync_to_async(self._step, thread_sensitive=False)():
                yield event
        finally:
            self.close()

    def _step(self) -> bytes:
        return next(self._events, b"")

    def close(self) -> None:
        if self._held:
            self._held = False
            self._events.close()
            _places.release()


def respond(
    request: HttpRequest, feed: Feed, after: int | None, *, may_read: MayRead = _always
) -> StreamingHttpResponse:
    """A stream that begins behind `after`, or with what a view begins with. Raises Busy, and what
    the feed raises.

    It ends within seconds after `may_read` has become false; the browser then asks again, and is
    told why.
    """
    events = Events(feed, after, may_read)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    content = events.each() if isinstance(request, ASGIRequest) else events
    return StreamingHttpResponse(content, content_type=MEDIA, headers=headers)


def written(batch: Batch) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (batch.to, msgspec.json.encode(batch))


def _events(feed: Feed, batch: Batch, may_read: MayRead) -> Generator[bytes, None, None]:
    began = asked = time.monotonic()
    try:
        yield _RETRY
        yield written(batch)
        spoke = time.monotonic()
        while not feed.ended:
            if time.monotonic() - asked > RECHECK:
                asked = time.monotonic()
                if not may_read():
                    yield _AGAIN
                    return
            if time.monotonic() - began > MAX_AGE:
                yield _AGAIN
                return
            if feed.wait(batch.to, HEARTBEAT):
                time.sleep(max(0.0, spoke + TICK - time.monotonic()))
                batch = feed.read(batch.to)
                yield written(batch)
                spoke = time.monotonic()
            elif time.monotonic() - spoke > HEARTBEAT:
                yield _QUIET
                spoke = time.monotonic()
        yield _ENDED
    finally:
        connection.close()
