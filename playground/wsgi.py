"""The WSGI application that granian serves: static files first, then Django.

Never iterate a request or call `readline` on it: under granian only the first line arrives. `request.read(size)` is
right.
"""

import os
import sys
import warnings
from collections.abc import Iterable
from wsgiref.headers import Headers
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from servestatic import ServeStatic

from playground.csp import HEADERS


def with_static(django: WSGIHandler) -> WSGIApplication:
    """Serves what `up` collected; with CABLESE_DEBUG the source files themselves, so that an edit shows at once."""
    if settings.DEBUG:
        return StaticFilesHandler(django)
    with warnings.catch_warnings():
        # Nothing is collected yet when a test or a tool only imports this module.
        warnings.simplefilter("ignore")
        served: WSGIApplication = ServeStatic(
            django,
            root=settings.STATIC_ROOT,
            prefix=settings.STATIC_URL,
            allow_all_origins=False,
            add_headers_function=_harden,
        )
    return served


def with_length(application: WSGIApplication) -> WSGIApplication:
    """Lets Django read chunked bodies.

    A chunked request has no length, and Django then reads nothing at all. The server ends the stream where the body
    ends, so any length that no body reaches will do.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            environ["CONTENT_LENGTH"] = str(sys.maxsize)
        return application(environ, start_response)

    return respond


def _harden(headers: Headers, _path: str, _url: str) -> None:
    for name, value in {"X-Content-Type-Options": "nosniff", **HEADERS}.items():
        headers[name] = value


application = with_length(with_static(get_wsgi_application()))
