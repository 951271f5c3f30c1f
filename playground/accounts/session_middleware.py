"""Django's middleware for sessions, which also extends a session that is in use."""

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse

from playground.accounts import sessions
from playground.http.pages import OnPages


class Sessions(OnPages, SessionMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        sessions.touch(request.session)
        return super().process_response(request, response)
