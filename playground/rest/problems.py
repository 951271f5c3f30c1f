"""Errors as `application/problem+json` (RFC 9457), each with a JSON pointer to its place.

Exceptions of the lower layers become responses only here.
"""

from contextlib import suppress
from http import HTTPStatus
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.deprecation import MiddlewareMixin
from msgspec import Struct
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError

from auditlog.database.unavailable import Unavailable
from auditlog.ingest.body import BadBody
from auditlog.ingest.receive import Interrupted
from auditlog.ingest.repeats.idempotency import Reused, Running
from auditlog.search.find import CursorError, UnknownLog
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from cablese.codec import Unencodable
from cablese.protocols.sacp.agents.definition import BadDefinition
from cablese.registry import UnknownDialect, UnknownProtocol
from cablese.tokens import UnknownTokenizer
from playground.health import failures
from playground.health.outage import RETRY
from playground.health.outage import find as find_outage
from playground.http import streaming
from playground.http.refusals import TOO_MANY_PARAMETERS

MEDIA = "application/problem+json"


class Problem(Exception):
    """An error response. ``pointer`` is the place of the error in the body or query."""

    def __init__(self, status: int, detail: str, pointer: str = "", **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.pointer = pointer
        self.more = more
        self.headers: dict[str, str] = {}

    def with_headers(self, **headers: str) -> "Problem":
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self


class NotYet(Problem):
    """503 for what is not there yet, such as a proof of a new packet, or is switched off.

    Clients poll it, so it is not logged as a failure. ``wait`` is in seconds.
    """

    def __init__(self, detail: str, pointer: str = "", *, wait: int = RETRY) -> None:
        super().__init__(503, detail, pointer)
        self.headers = {"Retry-After": str(wait)}


class ProblemBody(Struct, frozen=True):
    """An error. ``title`` is the name of the status, ``pointer`` the place in the request."""

    type: str
    title: str
    status: int
    detail: str
    pointer: str


class ProblemsOnly(MiddlewareMixin):
    """Middleware: turn error pages of Django under /api/ into problems."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code < 400 or not page or not request.path_info.startswith("/api/"):
            return response
        detail = _explain(request, response)
        if outage := find_outage(failures.of(request), request.method):
            detail = str(outage)
        passed = {
            name: response.headers[name]
            for name in ("Allow", "Retry-After")
            if name in response.headers
        }
        return answer(Problem(response.status_code, detail).with_headers(**passed))


def _explain(request: HttpRequest, response: HttpResponseBase) -> str:
    """Return what Django refused, as far as its page tells."""
    if allowed := response.headers.get("Allow"):
        return f"Method not allowed. Expected {allowed}."
    if response.status_code == 404 and request.path_info.endswith("/"):
        with suppress(Resolver404):
            resolve(request.path_info.rstrip("/"))
            return f"{_REFUSED[404]} Remove the / at its end."
    if response.status_code == 400:
        try:
            request.get_host()
            request.GET  # noqa: B018 - reading it parses the address
        except DisallowedHost:
            return _HOST
        except TooManyFieldsSent:
            return TOO_MANY_PARAMETERS
    return _REFUSED.get(response.status_code, _REFUSED[400])


_LARGE = f"The body is larger than the limit of {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes."
_HOST = "Unknown host. Expected a Host header that CABLESE_HOSTS has."
_REFUSED = {
    400: "Invalid request.",
    404: "There is nothing at this address.",
    413: _LARGE,
    500: "Server error. The error was logged.",
}


def answer(problem: Problem) -> HttpResponse:
    return HttpResponse(
        write(problem), status=problem.status, content_type=MEDIA, headers=problem.headers
    )


def write(problem: Problem) -> bytes:
    body = ProblemBody(
        "about:blank",
        HTTPStatus(problem.status).phrase,
        problem.status,
        problem.detail,
        problem.pointer,
    )
    return msgspec.json.encode(msgspec.to_builtins(body) | problem.more)


def of_outage(error: Unavailable) -> Problem:
    """Return what a request is told that could not be stored."""
    return Problem(503, str(error)).with_headers(Retry_After=str(error.retry_after))


def install(api: NinjaAPI) -> None:
    """Register a handler on `api` for every exception that a request can cause."""
    for kind, problem in _ANSWERS.items():
        api.add_exception_handler(kind, _handler(problem))
    api.add_exception_handler(Error, _of_database)


def _handler(make: Any) -> Any:
    def handle(request: HttpRequest, error: Exception) -> HttpResponse:
        problem = make(error)
        if isinstance(problem, NotYet):
            failures.leave_out(request)
        elif problem.status >= 500:
            failures.note(request, error)
        return answer(problem)

    return handle


def _of_database(request: HttpRequest, error: Any) -> HttpResponse:
    """Answer 503 for an outage; raise any other error of the database again."""
    outage = find_outage(error, request.method)
    if outage is None:
        raise error
    failures.note(request, error)
    return answer(of_outage(outage))


def of_query(error: QueryError, **more: object) -> Problem:
    """Return an invalid query as a problem; ``more`` are further members."""
    more |= {"span": [error.span.start, error.span.end]} | (
        {"suggestion": error.suggestion} if error.suggestion else {}
    )
    return Problem(422, error.message, "/q", **more)


_ANSWERS: dict[type[Exception], Any] = {
    Problem: lambda error: error,
    BadBody: lambda error: Problem(error.status, str(error)),
    UnknownProtocol: lambda error: Problem(422, str(error), "/protocol"),
    UnknownDialect: lambda error: Problem(422, str(error), "/dialect"),
    UnknownTokenizer: lambda error: Problem(422, str(error), "/tokenizers"),
    Unencodable: lambda error: Problem(422, error.reason, f"/values{error.pointer}"),
    BadDefinition: lambda error: Problem(422, error.reason, error.pointer),
    QueryError: of_query,
    CursorError: lambda error: Problem(
        422, f"{error} Expected the value of next in a response to the same query.", "/cursor"
    ),
    BadPin: lambda error: Problem(422, str(error), "/at"),
    UnknownLog: lambda error: Problem(404, str(error), "/log"),
    RequestDataTooBig: lambda _error: Problem(413, _LARGE),
    AuthenticationError: lambda _error: Problem(
        401, "Missing or invalid key. Expected Authorization: Bearer cbl_live_…"
    ).with_headers(WWW_Authenticate="Bearer"),
    Reused: lambda error: Problem(422, str(error)),
    Running: lambda error: Problem(
        409, "A request with this Idempotency-Key is still running. Try again later."
    ).with_headers(Retry_After=str(error.retry_after)),
    Interrupted: lambda error: Problem(503, str(error), results=error.results).with_headers(
        Retry_After=str(error.retry_after)
    ),
    Unavailable: of_outage,
    streaming.Busy: lambda _error: Problem(503, streaming.BUSY).with_headers(
        Retry_After=str(streaming.RETRY)
    ),
    HttpError: lambda error: Problem(error.status_code, str(error)),
    Http404: lambda error: Problem(404, str(error) or "Not found."),
}
