"""Refusals of NLIP that no view makes: what is turned away before its body is read is told in a
message all the same.

Agents and people share the addresses below /nlip. Whoever accepts text/html is shown a page.
"""

from collections.abc import Callable, Iterable
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from cablese.protocols.nlip.exchange import agent
from cablese.protocols.nlip.formats import DEFAULT, DIALECTS
from playground.health import failures, outage
from playground.http.csp import HEADERS

PLACE = "/nlip"
PAGES = ("nlip-talk", "nlip-exchange")
"""Routes below it that are for people alone."""
_WORDS = {
    400: "The request cannot be read.",
    403: "This request is not allowed.",
    404: "There is nothing at this address. NLIP is spoken at /nlip.",
    405: "This address does not take such a request.",
    413: "The request is too large.",
    421: "This installation does not answer to the host name that you called.",
    500: "This end-point failed. The failure is in the log of its installation.",
}


class MessagesOnly:
    """Middleware: what Django itself refuses below /nlip is a message too, except for browsers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code < 400 or not is_for_agents(
            request.path_info, request.headers.get("Accept", "")
        ):
            return response
        if response.headers.get("Content-Type", "").startswith("application/json") or _is_page(
            request
        ):
            return response
        status = response.status_code if _is_ours(request) else 421
        found = outage.find(failures.of(request), request.method)
        words = str(found) if found else _WORDS.get(status, _WORDS[400])
        content = refusal(words, request.META.get("QUERY_STRING", ""))
        headers = {
            name: response.headers[name]
            for name in ("Allow", "Retry-After")
            if name in response.headers
        }
        return HttpResponse(
            content, status=status, content_type="application/json", headers=headers
        )


def _is_page(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in PAGES


def _is_ours(request: HttpRequest) -> bool:
    """False for a request that was meant for another host: nothing of it was read."""
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True


def is_for_agents(path: str, accept: str) -> bool:
    """True for an address of NLIP that is not called by a browser."""
    return (path == PLACE or path.startswith(f"{PLACE}/")) and "text/html" not in accept


def refusal(words: str, query: str) -> str:
    """An error message in the dialect that the address names."""
    spoken = parse_qs(query).get("dialect", [DEFAULT])[0]
    return agent.refuse(words, dialect=spoken if spoken in DIALECTS else DEFAULT)


def turn_away(
    environ: WSGIEnvironment,
    start_response: StartResponse,
    status: str,
    words: str,
    *,
    problem: bytes,
    **headers: str,
) -> Iterable[bytes]:
    """Answer before Django is asked: with a message where an agent called, with ``problem``
    everywhere else.
    """
    for_agents = is_for_agents(environ.get("PATH_INFO", ""), environ.get("HTTP_ACCEPT", ""))
    media = "application/json" if for_agents else "application/problem+json"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    start_response(status, [("Content-Type", media), *({**named, **HEADERS}).items()])
    return [refusal(words, environ.get("QUERY_STRING", "")).encode() if for_agents else problem]
