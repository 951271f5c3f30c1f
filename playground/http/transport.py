"""Transport rules: secure cookies over TLS, no private response in a cache, no API over plain HTTP.

A request is secure if it uses our certificate (`up --certificate`) or a proxy in
CABLESE_TRUSTED_PROXY. Behind such a proxy, Django redirects pages to https. API requests are
rejected instead, because a redirect would hide that the client sends its key in plain text.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase

from playground.http import security_events
from playground.rest import problems
from playground.server.environment import is_loopback

API = "/api/"
NO_TRACE = "Method not allowed. No address accepts TRACE."
PLAIN = "The API requires HTTPS. If you sent a key over plain HTTP, replace the key."


class Transport:
    """Middleware, above everything that sets cookies or answers a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "TRACE":
            return _refuse_trace(request)
        response = (
            problems.answer(problems.Problem(403, PLAIN))
            if _is_plain(request)
            else self.get_response(request)
        )
        if response.status_code == 429:
            security_events.record_stranger(
                request, "pace.refused", route=security_events.route(request)
            )
        if request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        if _is_private(request):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _refuse_trace(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(API):
        return problems.answer(problems.Problem(405, NO_TRACE).with_headers(Allow=""))
    return HttpResponseNotAllowed(())


def _is_plain(request: HttpRequest) -> bool:
    """Return whether this is an API request without TLS where TLS is required."""
    if (
        not settings.SECURE_SSL_REDIRECT
        or request.is_secure()
        or not request.path_info.startswith(API)
    ):
        return False
    # With a proxy on this machine, every request comes from a local address. So the host name must
    # be local too.
    name, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
    return not (is_loopback(request.META.get("REMOTE_ADDR", "")) and is_loopback(name))


def _is_private(request: HttpRequest) -> bool:
    return request.path_info.startswith(API) or settings.SESSION_COOKIE_NAME in request.COOKIES
