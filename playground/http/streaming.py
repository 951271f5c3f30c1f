"""Responses that are generated while they are sent.

Each takes a thread until the client has read it, and a client may never read. The server gives the
place of such a thread to another request (`server.front.visit`), so this module limits them: an
eighth of `CABLESE_THREADS` at a time.
"""

import weakref
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from functools import wraps
from itertools import islice
from threading import BoundedSemaphore
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

NDJSON = "application/x-ndjson"
RETRY = 5
"""Seconds after which a rejected client can try again."""
BUSY = "The server is at its limit of downloads. Try again in a few seconds."
_LINES = 200

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
_PLACES = max(2, settings.THREADS // 8)
_places = BoundedSemaphore(_PLACES)
_anonymous = BoundedSemaphore(_PLACES // 2)
"""The part of the limit that clients without a session or a key can use."""


class Busy(Exception):
    """The limit of streamed responses is reached."""


class LimitedStream:
    """The blocks of a response that takes a place in each of some limits. `close` releases them,
    even if nothing was sent.

    ``make`` is called once the places are taken. Raises Busy, and whatever ``make`` raises.
    """

    def __init__(
        self, make: Callable[[], Iterable[bytes | str]], *limits: BoundedSemaphore
    ) -> None:
        with ExitStack() as acquired:
            for limit in limits:
                if not limit.acquire(blocking=False):
                    raise Busy
                acquired.callback(limit.release)
            self._blocks = iter(make())
            self._release = weakref.finalize(self, acquired.pop_all().close)

    def __iter__(self) -> Iterator[bytes | str]:
        return self

    def __next__(self) -> bytes | str:
        return next(self._blocks)

    def close(self) -> None:
        if isinstance(self._blocks, Generator):
            self._blocks.close()
        self._release()


def respond(
    request: HttpRequest, blocks: Iterable[bytes | str], media: str, *, name: str = ""
) -> StreamingHttpResponse:
    """Return a response of these blocks, as a file if it has a name. Raises Busy."""
    # The API has keys and no sessions.
    person = getattr(request, "user", None)
    is_known = vars(request).get("auth") is not None or (
        person is not None and person.is_authenticated
    )
    stream = LimitedStream(lambda: blocks, *(() if is_known else (_anonymous,)), _places)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
    return StreamingHttpResponse(stream, content_type=media, headers=headers)


def sends_file(view: View[P]) -> View[P]:
    """Answer 503 with a message when the limit is reached."""

    @wraps(view)
    def send(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Busy:
            headers = {"Retry-After": str(RETRY)}
            return HttpResponse(
                BUSY, status=503, content_type="text/plain; charset=utf-8", headers=headers
            )

    return send


def in_blocks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines in blocks of 200: sending a block costs about as much as making a line."""
    rest = iter(lines)
    while block := b"".join(islice(rest, _LINES)):
        yield block
