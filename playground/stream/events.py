"""Server-sent events: a live view gets new lines as they arrive.

Each open stream takes a thread, so their number is limited to a quarter of `CABLESE_THREADS`. Other
browsers poll for batches every other second. A stream ends after some minutes, and the browser
opens another one after the last event's ID, so that a closed browser frees its thread.
"""

import time
from collections.abc import Callable, Generator
from threading import BoundedSemaphore

import msgspec
from django.conf import settings
from django.db import connection
from django.http import StreamingHttpResponse

from playground.http.streaming import LimitedStream
from playground.stream.feeds import Batch, PadFeed
from playground.stream.tail import Tail

MEDIA = "text/event-stream; charset=utf-8"
TICK = 0.1
"""Seconds between two events: many lines share one."""
HEARTBEAT = 3.0
"""Seconds without an event after which an empty one is sent, which finds closed connections."""
MAX_AGE = 300.0
RECHECK = 3.0
"""Seconds after which the reader's permission is checked again."""
MayRead = Callable[[], bool]
Feed = PadFeed | Tail
_RETRY = b"retry: 1000\n\n"
_QUIET = b": \n\n"
_AGAIN = b"event: again\ndata: {}\n\n"
_ENDED = b"event: ended\ndata: {}\n\n"

_places = BoundedSemaphore(settings.THREADS // 4)


def respond(
    feed: Feed, after: int | None, *, may_read: MayRead = lambda: True
) -> StreamingHttpResponse:
    """Return a stream that starts after a number, or as a new view does. Raises Busy, and whatever
    the feed raises.

    It ends within seconds after `may_read` returns false. The browser then connects again, and gets
    the reason.
    """
    # A feed that cannot be read is refused at once, with a status of its own.
    stream = LimitedStream(lambda: _events(feed, feed.read(after), may_read), _places)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(stream, content_type=MEDIA, headers=headers)


def written(batch: Batch) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (batch.to, msgspec.json.encode(batch))


def _events(feed: Feed, batch: Batch, may_read: MayRead) -> Generator[bytes, None, None]:
    began = checked = time.monotonic()
    try:
        yield _RETRY
        yield written(batch)
        spoke = time.monotonic()
        while not feed.ended:
            if time.monotonic() - checked > RECHECK:
                checked = time.monotonic()
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
