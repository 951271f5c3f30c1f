"""Which requests are ordinary, and what they send.

Everything unusual is left to Django: another method, host, media type, or query, a coding of the
body, an `Idempotency-Key`, a body that is large, empty, or cannot be read. Cookies are ignored, as
they are by every operation of the API.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from auditlog.ingest import array, ndjson
from auditlog.ingest.body import BadBody, Piece
from auditlog.ingest.item import Item, Refusal, Refused, parse
from auditlog.log.draft import Submission
from auditlog.sender import Sender
from playground.rest.body import JSON
from playground.server import hsts
from playground.server.front.arriving.spool import HEAD
from playground.server.front.routes import KEYED

ONE, MANY = KEYED, f"{KEYED}/batch"
_JSON = (JSON, f"{JSON}; charset=utf-8")
_LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl")
_STRICT = {"": False, "strict=false": False, "strict=true": True}
_UNUSUAL = ("HTTP_IDEMPOTENCY_KEY", "HTTP_CONTENT_ENCODING", "HTTP_TRANSFER_ENCODING")
_HOST = 255
"""Characters of a host that is remembered."""

Items = list[Item | Refusal]


def _read_one(body: bytes) -> Items | None:
    try:
        return [parse(body)]
    except Refused:
        return None


def _read_array(body: bytes) -> Items | None:
    return _whole(body, array.read)


def _read_lines(body: bytes) -> Items | None:
    return _whole(body, ndjson.read)


_READERS: dict[tuple[str, str], Callable[[bytes], Items | None]] = {
    **{(ONE, media): _read_one for media in _JSON},
    **{(MANY, media): _read_array for media in _JSON},
    **{(MANY, media): _read_lines for media in _LINES},
}


def is_ordinary(environ: WSGIEnvironment, length: int | None) -> bool:
    """Return whether a request may be answered without Django, by its head."""
    return (
        environ["REQUEST_METHOD"] == "POST"
        and length is not None
        and 0 < length <= HEAD
        and (environ["PATH_INFO"], environ.get("CONTENT_TYPE", "")) in _READERS
        and environ["QUERY_STRING"] in _STRICT
        and not any(name in environ for name in _UNUSUAL)
        and not _has_more_spaces(environ["HTTP_AUTHORIZATION"])
        and _is_ours(environ.get("HTTP_HOST", ""))
        and (not settings.SECURE_SSL_REDIRECT or hsts.is_secure(environ))
    )


def read(environ: WSGIEnvironment, body: bytes, sender: Sender) -> Submission | None:
    """Return the items of an ordinary request; None if they cannot be read, or are many."""
    items = _READERS[environ["PATH_INFO"], environ["CONTENT_TYPE"]](body)
    return None if items is None else Submission(items, sender, _STRICT[environ["QUERY_STRING"]])


def _whole(body: bytes, pieces: Callable[[list[bytes]], Iterator[Piece]]) -> Items | None:
    """Return the items of a body that is one piece, which is stored in one transaction."""
    try:
        found = list(islice(pieces([body]), 2))
    except BadBody:
        return None
    return found[0].items if len(found) == 1 else None


def _has_more_spaces(authorization: str) -> bool:
    """Return whether there are more spaces than the one after the scheme."""
    _, _, token = authorization.partition(" ")
    return token != token.strip()


def _is_ours(host: str) -> bool:
    return _check(host) if len(host) <= _HOST else False


@lru_cache(maxsize=64)
def _check(host: str) -> bool:
    """Return whether Django accepts a host."""
    request = HttpRequest()
    request.META = {"HTTP_HOST": host}
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True
