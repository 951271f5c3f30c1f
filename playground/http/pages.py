"""Django's middleware for pages, skipped for the REST API, which has no sessions, forms, or frames.

It took a fifth of the time of storing a single packet.
"""

from collections.abc import Awaitable

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

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
    """Middleware: the person who is signed in."""


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
