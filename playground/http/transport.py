"""How answers travel: cookies over TLS only where TLS is spoken, nothing private in a cache, no key
in plain text.

Certificates of our own (`up --certificate`) and proxies that are named in CABLESE_TRUSTED_PROXY
both make a request secure. Where people come through such a proxy, pages are redirected to https by
Django; programs are refused instead, because a redirect would hide that they send their key in
plain text.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase

from playground.http import security_events
from playground.rest import problems
from playground.rest.problems import Problem
from playground.server.environment import is_loopback

API = "/api/"
PLAIN = "This installation answers programs over https only. If you sent a key over plain HTTP, replace it."


class Transport:
    """Middleware; what sets cookies or answers a page is below it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(())
        response = (
            problems.answer(Problem(403, PLAIN))
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


def _is_plain(request: HttpRequest) -> bool:
    """A program from elsewhere without TLS, where pages are redirected to it."""
    if (
        not settings.SECURE_SSL_REDIRECT
        or request.is_secure()
        or not request.path_info.startswith(API)
    ):
        return False
    # Behind a proxy on this machine every caller has an address of this machine, so the name must
    # be one too.
    name, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
    return not (is_loopback(request.META.get("REMOTE_ADDR", "")) and is_loopback(name))


def _is_private(request: HttpRequest) -> bool:
    return request.path_info.startswith(API) or settings.SESSION_COOKIE_NAME in request.COOKIES
