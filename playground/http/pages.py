"""Django's middleware for pages, skipped for the REST API, which has no sessions, forms, or frames.

It took a fifth of the time of storing a single packet.
"""

from collections.abc import Awaitable
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.shortcuts import resolve_url
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme

from playground.http import errors
from playground.http.fragments.pieces import InPieces

API = "/api/v1/"
FIRST_FLIGHT = 12 * 1024
"""Bytes that a new connection sends before the client has acknowledged any (RFC 6928), with room
for the headers.
"""


class OnPages(MiddlewareMixin):
    """Skip a middleware for the REST API."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        return (
            self.get_response(request)
            if request.path_info.startswith(API)
            else super().__call__(request)
        )


class Forms(OnPages, CsrfViewMiddleware):
    """Middleware: a form comes from a page of ours.

    The API needs keys, not cookies, and answers no cookie with another one.
    """


class Persons(OnPages, AuthenticationMiddleware):
    """Middleware: the person who is signed in.

    Whoever has to sign in to send a form gets a page that keeps the form. A script is sent to the
    sign-in, which leads back to the page of the form: its own address takes forms only.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        place, _, asked = response.headers.get("Location", "").partition("?")
        if request.method != "POST" or not asked or place != resolve_url(settings.LOGIN_URL):
            return response
        if _is_navigation(request):
            return errors.signed_out(request)
        return redirect_to_login(_sender(request))


def _is_navigation(request: HttpRequest) -> bool:
    """Return whether a browser asks for a page, and no script for an answer."""
    return "text/html" in request.headers.get("Accept", "")


def _sender(request: HttpRequest) -> str:
    """Return the address of the page that a form is on, or of the workbench."""
    sender = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(sender, allowed_hosts={request.get_host()}):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    return urlsplit(sender)._replace(scheme="", netloc="", fragment="").geturl()


class Readers(OnPages, MiddlewareMixin):
    """Middleware: an address that takes forms only is a page to those who open it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        opened = request.method == "GET" and _is_navigation(request)
        if not opened or not isinstance(response, HttpResponseNotAllowed):
            return response
        return errors.not_sent(request, response.headers["Allow"])


class Messages(OnPages, MessageMiddleware):
    """Middleware: messages that the next page shows."""


class Frames(OnPages, XFrameOptionsMiddleware):
    """Middleware: no other site can show a page in a frame."""


class Compressed(OnPages, GZipMiddleware):
    """Compress only whole pages and large fragments: compressing a stream would delay it, and a
    small fragment arrives with the first packets anyway.

    Page sizes reveal no secret: Django masks its tokens again in each page and adds up to 100
    random bytes.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if isinstance(response, InPieces):
            patch_vary_headers(response, ("Accept-Encoding",))
            if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
                response.compress()
            return response
        if not isinstance(response, HttpResponse) or not response.get(
            "Content-Type", ""
        ).startswith("text/html"):
            return response
        if len(response.content) < FIRST_FLIGHT:
            return response
        return super().process_response(request, response)


class _Cookie(CookieStorage):
    # The prefix binds the cookie to this host over TLS.
    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Notices(FallbackStorage):
    """Messages for the next page."""

    storage_classes = (_Cookie, SessionStorage)
