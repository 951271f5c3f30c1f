"""Refusals of the front, before Django gets a request: as a problem, an NLIP message, or a page."""

from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from wsgiref.types import WSGIEnvironment

import msgspec
from django.template.loader import render_to_string

from playground.http.csp import HEADERS
from playground.http.refusals import TITLES
from playground.nlip import envelope
from playground.server import hsts

Answer = tuple[int, list[tuple[str, str]], bytes]
ALWAYS = [*HEADERS.items(), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store")]
"""Headers of every response that Django does not make."""


@dataclass(frozen=True)
class Refusal:
    """A status, a reason in one or two sentences, and the seconds after which to try again."""

    status: int
    words: str
    retry_after: int | None = None


class Refused(Exception):
    """A request that is not served."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.words)
        self.refusal = refusal


def answer(environ: WSGIEnvironment, refusal: Refusal) -> Answer:
    """Return the refusal in a form that the client understands."""
    media, body = _written(environ, refusal)
    headers = [("Content-Type", media), *ALWAYS, *hsts.headers(environ)]
    if refusal.retry_after is not None:
        headers.append(("Retry-After", str(refusal.retry_after)))
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        headers.append(("WWW-Authenticate", "Bearer"))
    return refusal.status, headers, body


def _written(environ: WSGIEnvironment, refusal: Refusal) -> tuple[str, bytes]:
    path, accept = environ["PATH_INFO"], environ.get("HTTP_ACCEPT", "")
    if envelope.is_for_agents(path, accept):
        return "application/json", envelope.refusal(refusal.words, environ["QUERY_STRING"]).encode()
    if path.startswith("/api/") or "text/html" not in accept or "HTTP_HX_REQUEST" in environ:
        return "application/problem+json", _problem(refusal)
    return "text/html; charset=utf-8", _page(refusal)


@lru_cache(maxsize=64)
def _problem(refusal: Refusal) -> bytes:
    return msgspec.json.encode(
        {
            "type": "about:blank",
            "title": HTTPStatus(refusal.status).phrase,
            "status": refusal.status,
            "detail": refusal.words,
            "pointer": "",
        }
    )


@lru_cache(maxsize=64)
def _page(refusal: Refusal) -> bytes:
    context = {"status": refusal.status, "title": TITLES[refusal.status], "words": refusal.words}
    return render_to_string("server_error.html", context).encode()
