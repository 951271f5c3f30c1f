"""How many API requests a client may make per minute, and the header fields that say what is left.

Each client, a key, a person, or an address, has a bucket that refills at a constant rate. Storing
packets, or posting to a live session, costs nothing here: `budget` limits its work and its bytes.
The fields are those of draft-ietf-httpapi-ratelimit-headers:
`RateLimit-Policy: "requests";q=60000;w=60` and `RateLimit: "requests";r=59999;t=1`, where `t` is
the seconds until the bucket is full again.

Buckets exist in this process only. Over the limit, the least recently used are dropped. Only the
event loop uses them.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any
from wsgiref.types import WSGIEnvironment

from playground.server.front.callers import Caller
from playground.server.front.refusals import Refusal
from playground.server.front.routes import route_of
from playground.server.front.visit import Send

API = "/api/v1/"
WINDOW = 60
"""Seconds in which an empty bucket refills."""
CLIENTS = 10_000
NAME = '"requests"'
FIELDS = "cablese.ratelimit"
"""Where `environ` has the fields."""

Fields = tuple[tuple[bytes, bytes], tuple[bytes, bytes]]


class Allowance:
    def __init__(
        self, *, member: int, anonymous: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`member` is for a key or a person, `anonymous` for an address, in requests per minute."""
        self._quotas = {True: member, False: anonymous}
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, environ: WSGIEnvironment, caller: Caller) -> Refusal | None:
        """Take a request from the bucket of its client. Return the refusal if it is empty."""
        path = environ["PATH_INFO"]
        if not path.startswith(API) or _is_storing(environ):
            return None
        quota, now = self._quotas[caller.member], self._clock()
        used = self._now(caller, now)
        if used + 1 > quota:
            wait = max(1, math.ceil((used + 1 - quota) * WINDOW / quota))
            words = f"The limit is {quota:,} requests per minute. Try again in {wait} s."
            return Refusal(429, words, wait)
        self._used[caller.name] = (used + 1, now)
        self._used.move_to_end(caller.name)
        while len(self._used) > CLIENTS:
            self._used.popitem(last=False)
        return None

    def fields(self, environ: WSGIEnvironment, caller: Caller) -> Fields | tuple[()]:
        """Return the header fields of a response; none outside of the API."""
        if not environ["PATH_INFO"].startswith(API):
            return ()
        quota, used = self._quotas[caller.member], self._now(caller, self._clock())
        left, seconds = int(quota - used), math.ceil(used * WINDOW / quota)
        return (
            (b"ratelimit-policy", f"{NAME};q={quota};w={WINDOW}".encode()),
            (b"ratelimit", f"{NAME};r={left};t={seconds}".encode()),
        )

    def _now(self, caller: Caller, now: float) -> float:
        used, since = self._used.get(caller.name, (0.0, now))
        return max(0.0, used - (now - since) * self._quotas[caller.member] / WINDOW)


def _is_storing(environ: WSGIEnvironment) -> bool:
    return environ["REQUEST_METHOD"] == "POST" and route_of(environ["PATH_INFO"]).streamed


def telling(environ: WSGIEnvironment, send: Send) -> Send:
    """Return what sends a response with the fields that `environ` has by then."""

    def tell(message: dict[str, Any]) -> Awaitable[None]:
        fields = environ.get(FIELDS)
        if fields and message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *fields]}
        return send(message)

    return tell
