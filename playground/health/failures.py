"""Requests that failed: one line of the log each, with the reason, and with nothing that was sent.

A line names the route and not the address, which may be a secret or hold a query. The ID in it is
that of the answer's `X-Request-ID`. A failure of ours comes with a traceback of places. A database
that cannot be used, or a place that is taken, meets every request alike, and strangers can cause
some of that. Such a line is written once a minute for each route and reason, with the number of
those that were left out.
"""

import logging
import secrets
import sys
import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from django.core.signals import got_request_exception
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from auditlog.database import faults
from auditlog.database.faults import Fault
from auditlog.database.unavailable import Unavailable
from playground.health.outage import RETRY

logger = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two lines about the same."""
HEADER = "X-Request-ID"
_OURS, _LATER = 500, 503
_ID = 6
"""Bytes of an ID."""
_REASONS = 1_000


class LogFailures:
    """Middleware, the outermost: logs each answer of 500 and above, gives it an ID, and says when
    to come back.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        got_request_exception.connect(_note, dispatch_uid=__name__)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code >= 500 and "failure_left_out" not in vars(request):
            response.headers[HEADER] = identify(request)
            if response.status_code == _LATER:
                response.headers.setdefault(
                    "Retry-After", str(getattr(of(request), "retry_after", RETRY))
                )
            _log(request, response.status_code)
        return response


def note(request: HttpRequest, error: BaseException) -> None:
    """Remember why a request fails, where the error itself does not leave the view."""
    vars(request)["failure"] = error


def of(request: HttpRequest) -> BaseException | None:
    """Why a request failed, as far as it is known."""
    error: BaseException | None = vars(request).get("failure")
    return error


def leave_out(request: HttpRequest) -> None:
    """Log nothing about a request whose answer is a report, and no failure of its own."""
    vars(request)["failure_left_out"] = True


def refuse(method: str, path: str, status: int, words: str, error: BaseException | None) -> str:
    """Log a refusal that Django is not asked for, and return its ID."""
    number = secrets.token_hex(_ID)
    try:
        route = resolve(path).route
    except Resolver404:
        route = "no route"
    _tell(status, method, route, number, words if error is None else faults.describe(error))
    return number


def identify(request: HttpRequest) -> str:
    """The ID of a request that failed, the same each time it is asked."""
    known: str = vars(request).setdefault("failure_id", secrets.token_hex(_ID))
    return known


class Repeats:
    """Says whether a line about something is due, and how many were left out before it."""

    def __init__(self, every: float = EVERY, most: int = _REASONS) -> None:
        self._every, self._most = every, most
        self._lock = Lock()
        self._told: dict[object, tuple[float, int]] = {}

    def count(self, about: object, now: float | None = None) -> int | None:
        """How many lines about it were left out since the last one; None when this one is left out
        too.
        """
        now = time.monotonic() if now is None else now
        with self._lock:
            last, left_out = self._told.pop(about, (now - self._every, 0))
            if now - last < self._every:
                self._told[about] = last, left_out + 1
                return None
            while len(self._told) >= self._most:
                del self._told[next(iter(self._told))]
            self._told[about] = now, 0
            return left_out


_repeats = Repeats()


def _note(request: HttpRequest | None = None, **_: Any) -> None:
    """A signal of Django, sent while the exception is handled."""
    error = sys.exc_info()[1]
    if request is not None and error is not None:
        note(request, error)


def _log(request: HttpRequest, status: int) -> None:
    error = of(request)
    route = request.resolver_match.route if request.resolver_match else "no route"
    reason = _reason(error)
    facts = (status, request.method, route, identify(request), reason)
    if status == _OURS and error is not None:
        logger.error("%d %s %s, request %s: %s", *facts, exc_info=error)
        return
    _tell(*facts)


def _tell(status: int, method: str | None, route: str, number: str, reason: str) -> None:
    left_out = _repeats.count((status, method, route, reason))
    if left_out is not None:
        more = f" ({left_out:,} more like it since the last line)" if left_out else ""
        logger.error("%d %s %s, request %s: %s%s", status, method, route, number, reason, more)


def _reason(error: BaseException | None) -> str:
    """The class of the error, and what the database said where it is the cause."""
    if error is None:
        return "no reason was given"
    fault = getattr(error, "fault", None)
    if isinstance(fault, Fault):
        return f"{type(error).__name__} ({fault.reason})"
    cause = error.__cause__
    return (
        f"{type(error).__name__} ({_reason(cause)})"
        if isinstance(cause, Unavailable)
        else faults.describe(error)
    )
