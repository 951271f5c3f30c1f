"""Django's middleware for pages, left out for the REST API, which has no session, no form and no
frame.

A fifth of the time of a single packet went there.
"""

from collections.abc import Awaitable

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from playground.accounts import sessions

API = "/api/v1/"


class _OnPages(MiddlewareMixin):
    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        return (
            self.get_response(request)
            if request.path_info.startswith(API)
            else super().__call__(request)
        )


class Sessions(_OnPages, SessionMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        sessions.touch(request.session)
        return super().process_response(request, response)


class Persons(_OnPages, AuthenticationMiddleware): ...


class Messages(_OnPages, MessageMiddleware): ...


class Frames(_OnPages, XFrameOptionsMiddleware): ...


class Compressed(_OnPages, GZipMiddleware):
    """Whole pages and their fragments only: a stream that is compressed waits until there is
    something to compress.

    Nobody learns a secret from the size of a page: Django draws its tokens anew in each, and adds
    up to 100 random bytes.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not response.get(
            "Content-Type", ""
        ).startswith("text/html"):
            return response
        return super().process_response(request, response)
