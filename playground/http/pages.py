"""Django's middleware for pages, skipped for the REST API, which has no sessions, forms, or frames.

It took a fifth of the time of storing a single packet.
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
    """Compress only whole pages and fragments, because compressing a stream would delay it.

    Page sizes reveal no secret: Django masks its tokens again in each page and adds up to 100
    random bytes.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not response.get(
            "Content-Type", ""
        ).startswith("text/html"):
            return response
        return super().process_response(request, response)
