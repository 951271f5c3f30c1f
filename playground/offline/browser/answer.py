"""Answer a request of the page with Django, in the browser."""

import io
from collections.abc import Mapping
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.http import HttpResponse
from django.urls import get_resolver

from auditlog.models import Source
from playground.models import Definition

_handler = BaseHandler()
_FIRST = import_module("playground.migrations.0001_initial")


def start() -> None:
    """Load the middleware, and make the tables that fragments read.

    They have what each installation begins with: the agents of SACP's specification.
    """
    _handler.load_middleware()
    get_resolver().url_patterns  # noqa: B018 - imports the views
    with connection.schema_editor() as editor:
        for model in (Source, Definition):
            editor.create_model(model)
        _FIRST.put_samples(apps, editor)


def answer(
    method: str, url: str, headers: Mapping[str, str], body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers, and body of the response to a request for an absolute address."""
    response = _handler.get_response(WSGIRequest(_environ(method, url, headers, body)))
    found = dict(response.items())
    assert isinstance(response, HttpResponse)
    response.close()
    return response.status_code, found, response.content


def _environ(method: str, url: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    place = urlsplit(url)
    port = place.port or (443 if place.scheme == "https" else 80)
    named = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    return named | {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": place.path,
        "QUERY_STRING": place.query,
        "SERVER_NAME": place.hostname or "localhost",
        "SERVER_PORT": str(port),
        "HTTP_HOST": place.netloc,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": place.scheme,
        "wsgi.input": io.BytesIO(body),
    }
