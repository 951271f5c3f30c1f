"""An ASGI request as the WSGI environment that Django reads."""

import sys
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIEnvironment

from django.core.exceptions import RequestDataTooBig

from playground.http.fragments import pieces
from playground.rest.idempotency import REPEATED

Scope = dict[str, Any]
_SAME: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": False,
    "wsgi.run_once": False,
    pieces.ASKED: True,
}
USUAL = 64
"""The limit in bytes of a cached name. A client can send a thousand names of 64 KiB."""
_UNPREFIXED = {"CONTENT_TYPE", "CONTENT_LENGTH"}


def environ_of(scope: Scope) -> WSGIEnvironment:
    """Return the environment of a request, without its body.

    A header whose name has an underscore is omitted: it would look like the one with a hyphen, such
    as X-Forwarded-For, which a proxy overwrites only in its usual spelling.
    """
    raw = scope["raw_path"]
    found = _SAME | {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": (unquote_to_bytes(raw) if b"%" in raw else raw).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.url_scheme": scope["scheme"],
    }
    for name, value in scope["headers"]:
        key = _key(name) if len(name) <= USUAL else _key.__wrapped__(name)
        if key is None:
            continue
        text = value.decode("latin-1")
        if key in found:
            # Only cookies may contain commas.
            text = f"{found[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}"
            found[REPEATED] = {*found.get(REPEATED, ()), key}
        found[key] = text
    return found


@lru_cache(maxsize=1024)
def _key(name: bytes) -> str | None:
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in _UNPREFIXED else f"HTTP_{key}"


def length_of(environ: WSGIEnvironment) -> int | None:
    """Return the length of the body; None for a body without an announced length."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    length: str = environ.get("CONTENT_LENGTH", "")
    if length.isascii() and length.isdigit() and len(length) < 20:
        return int(length)
    if environ["SERVER_PROTOCOL"] == "HTTP/2" and environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        environ["HTTP_TRANSFER_ENCODING"] = "chunked"
        return None
    return 0


class TooLarge:
    """A body that is not received, because its announced length exceeds the limit."""

    def read(self, _size: int = -1) -> bytes:
        raise RequestDataTooBig("The body is too large.")

    readline = read
