"""Answer requests below /nlip that no view handles with an NLIP message.

Agents and people share the addresses below /nlip. Clients that accept text/html get a page.
"""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from cablese.protocols.nlip.exchange import agent
from playground.health import failures, outage
from playground.http.csp import HEADERS
from playground.nlip.peers import dialect_of

PLACE = "/nlip"
PAGES = ("nlip-talk", "nlip-exchange")
"""Routes below it that only people use."""
_MESSAGES = {
    400: "The request cannot be parsed.",
    403: "This request is not allowed.",
    404: "Not found. Send NLIP messages to /nlip.",
    405: "This address does not accept this method.",
    413: "The request is too large.",
    421: "This server does not accept the host name in the request.",
    500: "Server error. The error was logged.",
}


class MessagesOnly(MiddlewareMixin):
    """Middleware: turn Django's own errors below /nlip into NLIP messages, except for browsers."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if (
            response.status_code < 400
            or not is_for_agents(request.path_info, request.headers.get("Accept", ""))
            or response.headers.get("Content-Type", "").startswith("application/json")
            or _is_page(request)
        ):
            return response
        status = response.status_code if _is_host_allowed(request) else 421
        problem = outage.find(failures.of(request), request.method)
        message = str(problem) if problem else _MESSAGES.get(status, _MESSAGES[400])
        content = refusal(message, request.META.get("QUERY_STRING", ""))
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


def _is_host_allowed(request: HttpRequest) -> bool:
    """Return whether the request may be read: False for another host."""
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True


def is_for_agents(path: str, accept: str) -> bool:
    """Return whether this is an NLIP address and the client is not a browser."""
    return (path == PLACE or path.startswith(f"{PLACE}/")) and "text/html" not in accept


def refusal(message: str, query: str) -> str:
    """Return an error message in the dialect that the address names."""
    return agent.refuse(message, dialect=dialect_of(f"?{query}"))


def turn_away(
    environ: WSGIEnvironment,
    start_response: StartResponse,
    status: str,
    message: str,
    *,
    problem: bytes,
    **headers: str,
) -> Iterable[bytes]:
    """Answer before Django handles the request: with a message for agents, with ``problem`` for
    others.
    """
    for_agents = is_for_agents(environ.get("PATH_INFO", ""), environ.get("HTTP_ACCEPT", ""))
    media = "application/json" if for_agents else "application/problem+json"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    start_response(status, [("Content-Type", media), *({**named, **HEADERS}).items()])
    return [refusal(message, environ.get("QUERY_STRING", "")).encode() if for_agents else problem]
