"""Failed requests: one line of the server log each, with the reason and without what was sent.

A line names the route, not the address, which may be a secret or contain a query. Its ID is that of
the response's `X-Request-ID`. A server error has a traceback. An unusable database, or a limit that
is reached, affects every request, and strangers can cause some of that. So such a line is written
once a minute for each route and reason, with the number of omitted lines.
"""

import logging
import secrets
import sys
import time
from threading import Lock
from typing import Any

from django.core.signals import got_request_exception
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.deprecation import MiddlewareMixin

from auditlog.database import faults
from auditlog.database.unavailable import Unavailable
from playground.health.outage import RETRY

logger = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two lines about the same failure."""
HEADER = "X-Request-ID"
_SERVER_ERROR, _LATER = 500, 503
_ID = 6
"""Bytes of an ID."""
_REASONS = 1_000


class LogFailures(MiddlewareMixin):
    """The outermost middleware: logs each response of 500 and above, and adds its ID and
    Retry-After.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.status_code >= 500 and "failure_left_out" not in vars(request):
            response.headers[HEADER] = identify(request)
            if response.status_code == _LATER:
                response.headers.setdefault(
                    "Retry-After", str(getattr(of(request), "retry_after", RETRY))
                )
            _log(request, response.status_code)
        return response


def note(request: HttpRequest, error: BaseException) -> None:
    """Remember why a request failed, if the view handles the error."""
    vars(request)["failure"] = error


def of(request: HttpRequest) -> BaseException | None:
    """Return why a request failed; None if unknown."""
    error: BaseException | None = vars(request).get("failure")
    return error


def leave_out(request: HttpRequest) -> None:
    """Do not log a request: its response reports a problem and is not a failure."""
    vars(request)["failure_left_out"] = True


def refuse(method: str, path: str, status: int, reason: str, error: BaseException | None) -> str:
    """Log a failure that Django has not seen, and return its ID."""
    number = secrets.token_hex(_ID)
    try:
        route = resolve(path).route
    except Resolver404:
        route = "no route"
    _tell(status, method, route, number, reason if error is None else _reason(error), error)
    return number


def identify(request: HttpRequest) -> str:
    """Return the ID of a failed request, which stays the same."""
    known: str = vars(request).setdefault("failure_id", secrets.token_hex(_ID))
    return known


class Repeats:
    """Counts lines about the same failure, and how many of them were omitted."""

    def __init__(self, every: float = EVERY, most: int = _REASONS) -> None:
        self._every, self._most = every, most
        self._lock = Lock()
        self._logged: dict[object, tuple[float, int]] = {}

    def count(self, about: object, now: float | None = None) -> int | None:
        """Return how many lines were omitted since the last one; None to omit this one too."""
        now = time.monotonic() if now is None else now
        with self._lock:
            last, left_out = self._logged.pop(about, (now - self._every, 0))
            if now - last < self._every:
                self._logged[about] = last, left_out + 1
                return None
            while len(self._logged) >= self._most:
                del self._logged[next(iter(self._logged))]
            self._logged[about] = now, 0
            return left_out


_repeats = Repeats()


@receiver(got_request_exception, dispatch_uid=__name__)
def _note(request: HttpRequest | None = None, **_: Any) -> None:
    """Receive Django's signal, which is sent while the exception is handled."""
    error = sys.exc_info()[1]
    if request is not None and error is not None:
        note(request, error)


def _log(request: HttpRequest, status: int) -> None:
    error = of(request)
    route = request.resolver_match.route if request.resolver_match else "no route"
    _tell(status, request.method, route, identify(request), _reason(error), error)


def _tell(
    status: int,
    method: str | None,
    route: str,
    number: str,
    reason: str,
    error: BaseException | None,
) -> None:
    facts = (status, method, route, number, reason)
    if status == _SERVER_ERROR and error is not None:
        logger.error("%d %s %s, request %s: %s", *facts, exc_info=error)
        return
    left_out = _repeats.count((status, method, route, reason))
    if left_out is not None:
        more = f" ({left_out:,} more like it since the last line)" if left_out else ""
        logger.error("%d %s %s, request %s: %s%s", *facts, more)


def _reason(error: BaseException | None) -> str:
    """Return the class of the error, and the reason that the database gave."""
    if error is None:
        return "no reason was given"
    fault = getattr(error, "fault", None)
    if isinstance(fault, faults.Fault):
        return f"{type(error).__name__} ({fault.reason})"
    cause = error.__cause__
    return (
        f"{type(error).__name__} ({_reason(cause)})"
        if isinstance(cause, Unavailable)
        else faults.describe(error)
    )
