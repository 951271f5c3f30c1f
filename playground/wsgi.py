"""The WSGI application that granian serves: static files first, then Django.

Never iterate a request or call `readline` on it: under granian only the first line arrives. `request.read(size)` is right.
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
from django.core.wsgi import get_wsgi_application
from servestatic import ServeStatic

from playground.csp import HEADERS


def with_length(django: WSGIApplication) -> WSGIApplication:
    """Lets Django read chunked bodies.

    A chunked request has no length, and Django then reads nothing at all. The server ends the stream where the body ends, so any
    length that no body reaches will do.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            environ["CONTENT_LENGTH"] = str(sys.maxsize)
        return django(environ, start_response)

    return respond


def with_static(django: WSGIApplication) -> WSGIApplication:
    """Serves what `up` collected; with CABLESE_DEBUG the source files themselves, so that an edit shows at once."""
    if settings.DEBUG:
        return StaticFilesHandler(django)
    with warnings.catch_warnings():
        # Nothing is collected yet when only the module is imported.
        warnings.simplefilter("ignore")
        return ServeStatic(
            django,
            root=settings.STATIC_ROOT,
            prefix=settings.STATIC_URL,
            allow_all_origins=False,
            add_headers_function=_harden,
        )


def _harden(headers: Headers, _path: str, _url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    for name, value in HEADERS.items():
        headers[name] = value


application = with_static(with_length(get_wsgi_application()))
