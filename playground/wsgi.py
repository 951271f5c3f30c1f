"""The WSGI application behind the front of the server (`asgi`): static files, then Django."""

import os
import warnings
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any
from wsgiref.headers import Headers
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

import msgspec
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.exceptions import TooManyFieldsSent
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils.http import parse_header_parameters
from servestatic import ServeStatic

from playground.http.csp import HEADERS
from playground.http.proxy import scheme_of
from playground.http.refusals import TOO_MANY_PARAMETERS
from playground.nlip.envelope import turn_away
from playground.server import gc_policy, hsts
from playground.server.environment import Network

_HEADERS = {"X-Content-Type-Options": "nosniff", **HEADERS}
_UTF8 = ("utf-8", "utf8")
_NOT_UTF8 = "Unsupported charset in Content-Type. Expected utf-8."


def with_static(django: WSGIHandler) -> WSGIApplication:
    """Serve the files that `up` collected; with CABLESE_DEBUG the source files themselves, so that
    an edit is visible at once.
    """
    if settings.DEBUG:
        return StaticFilesHandler(django)
    with warnings.catch_warnings():
        # Nothing is collected yet if a test or a tool only imports this module.
        warnings.simplefilter("ignore")
        served: WSGIApplication = ServeStatic(
            django,
            root=settings.STATIC_ROOT,
            prefix=settings.STATIC_URL,
            allow_all_origins=False,
            add_headers_function=_harden,
        )

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Only GET and HEAD get files; other methods get Django's response with all headers of a
        # page.
        application = served if environ["REQUEST_METHOD"] in ("GET", "HEAD") else django
        return application(environ, start_response)

    return respond


def with_utf8(application: WSGIApplication) -> WSGIApplication:
    """Reject requests whose Content-Type names a charset other than UTF-8, or is invalid.

    Django decodes forms, and even the query string, with any codec that is named there: `rot13`
    raises before any handler can answer, and `raw_unicode_escape` makes unpaired surrogates, which
    no page can show, out of plain ASCII. A query string that is too long for it raises then, too.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if _charset(environ.get("CONTENT_TYPE", "")) not in _UTF8:
            return _refuse(environ, start_response, 415, _NOT_UTF8)
        try:
            return application(environ, start_response)
        except TooManyFieldsSent:
            return _refuse(environ, start_response, 400, TOO_MANY_PARAMETERS)

    return respond


def _refuse(
    environ: WSGIEnvironment, start_response: StartResponse, status: int, detail: str
) -> Iterable[bytes]:
    title = HTTPStatus(status).phrase
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return turn_away(
        environ,
        start_response,
        f"{status} {title}",
        detail,
        problem=msgspec.json.encode(problem | {"pointer": ""}),
        X_Content_Type_Options="nosniff",
    )


def _charset(content_type: str) -> str | None:
    """Return the charset in the header, UTF-8 by default; None if the header is invalid."""
    try:
        return parse_header_parameters(content_type)[1].get("charset", "utf-8").lower()
    except (ValueError, LookupError):
        return None


def with_scheme(application: WSGIApplication, *, trusted: Sequence[Network]) -> WSGIApplication:
    """Trust our proxies about TLS, so that the URLs that Django makes start with https."""

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.url_scheme"] = scheme_of(environ, trusted)
        return application(environ, start_response)

    return respond


def with_hsts(application: WSGIApplication) -> WSGIApplication:
    """Add the policy of CABLESE_HSTS to responses that Django does not make: static files."""
    policy = hsts.policy()
    if policy is None:
        return application

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            Headers(headers).setdefault(hsts.NAME, policy)
            return start_response(status, headers, *error)

        return application(
            environ, start if environ["wsgi.url_scheme"] == "https" else start_response
        )

    return respond


def _harden(headers: Headers, _path: str, _url: str) -> None:
    for name, value in _HEADERS.items():
        headers[name] = value


application = gc_policy.with_collection(
    with_scheme(
        with_hsts(with_utf8(with_static(get_wsgi_application()))), trusted=settings.TRUSTED_PROXY
    )
)


def _begin() -> None:
    from playground.server import serving  # It needs the models, which are loaded only now.

    serving.begin()
    get_resolver().url_patterns  # noqa: B018 - reading them loads every view
    gc_policy.settle()


_begin()
