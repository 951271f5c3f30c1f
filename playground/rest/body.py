"""Request bodies: read in blocks up to a limit, decompressed, and JSON decoded strictly into
msgspec types.

Django's own `request.body` does not support chunked bodies, which have no Content-Length.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from auditlog.ingest import json_errors
from auditlog.ingest.body import BOM, BadBody, CutOff, UnknownCoding, bounded, check_length, gunzip
from auditlog.text import whole
from cablese.json import pointer
from cablese.text import quote, shorten
from playground.rest.problems import Problem

JSON = "application/json"
_DEFAULT_MEDIA = "application/x-www-form-urlencoded"
"""The default Content-Type of curl."""
GZIP, IDENTITY = "gzip", "identity"
BLOCK = 64 * 1024
JSON_BODY = 8 * 1024 * 1024

_T = TypeVar("_T")


def blocks(request: HttpRequest, limit: int) -> Iterator[bytes]:
    """Return the body in blocks, and that of a gzip body decompressed.

    Raises TooLarge as soon as there are more than ``limit`` bytes, compressed or not. Raises CutOff
    if the body ends before its Content-Length, because an incomplete last line is not a message.
    Raises UnknownCoding at once, and BadBody for what is not gzip.
    """
    coding = read_coding(request)
    if coding not in (IDENTITY, GZIP):
        raise UnknownCoding(
            f"Unsupported Content-Encoding {shorten(coding)}. Expected {GZIP} or {IDENTITY}."
        )
    sent = _sent(request, limit)
    return sent if coding == IDENTITY else bounded(_in_turns(request, gunzip(sent)), limit)


def read_coding(request: HttpRequest) -> str:
    """Return the Content-Encoding of the body."""
    coding = str(request.META.get("HTTP_CONTENT_ENCODING", IDENTITY)).strip().lower()
    return GZIP if coding == "x-gzip" else coding  # RFC 9110, 8.4.1.3


def _in_turns(request: HttpRequest, content: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a gzip body. Give other requests a turn before each."""
    body = request.META["wsgi.input"]
    for block in content:
        body.read(0)
        yield block


def _sent(request: HttpRequest, limit: int) -> Iterator[bytes]:
    """Yield the body in blocks, as it was sent. Raises TooLarge and CutOff."""
    check_length(length := announced(request), limit)
    size = 0
    try:
        for block in bounded(iter(partial(request.read, BLOCK), b""), limit):
            size += len(block)
            yield block
    except CutOff:
        if length is None:
            raise
    if length is not None and size < length:
        raise CutOff(f"The body ended after {size:,} of its {length:,} bytes.")


def drain(request: HttpRequest, limit: int) -> None:
    """Read and drop the rest of the body, at most ``limit`` bytes.

    Otherwise a client that is still sending sees a broken connection and never reads its receipts.
    """
    with suppress(BadBody):
        for _ in _sent(request, limit):
            pass


def announced(request: HttpRequest) -> int | None:
    """Return the Content-Length; None for a chunked body."""
    # `request.headers` would copy all headers of every request for these two.
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        return None
    length = request.META.get("CONTENT_LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() else None


def read_body(request: HttpRequest, limit: int) -> bytes:
    """Return the whole JSON body, without a byte order mark. Raises Problem: 415 for another media
    type or coding, 413 over ``limit`` bytes, 422 for broken gzip, 400 if empty.
    """
    media = (request.content_type or JSON).lower()
    if media != JSON and media != _DEFAULT_MEDIA and not media.endswith("+json"):
        raise Problem(415, f"Unsupported Content-Type {shorten(media)}. Expected {JSON}.")
    try:
        data = b"".join(blocks(request, limit)).removeprefix(BOM)
    except BadBody as bad:
        more: dict[str, Any] = {"limit": limit} if bad.status == 413 else {}
        raise Problem(bad.status, str(bad), **more) from None
    if not data.strip():
        raise Problem(400, "The body is empty. Expected one JSON value.")
    return data


def read_json(request: HttpRequest, kind: type[_T], limit: int = JSON_BODY) -> _T:
    """Return the body as ``kind``. Raises Problem: 400 for invalid JSON, 422 for another shape or a
    repeated key, 413 over ``limit`` bytes.
    """
    data = read_body(request, limit)
    try:
        value = msgspec.json.decode(data, type=kind)
        repeated = json_errors.find_repeated(data)
    except msgspec.ValidationError as error:
        raise _misfit(error) from None
    except (ValueError, RecursionError) as error:
        raise _not_json(data, error) from None
    if repeated:
        detail = json_errors.REPEATED.format(quote(whole(repeated[-1])))
        raise Problem(422, detail, pointer.join(*map(whole, repeated)))
    return value


def write_json(value: object, status: int = 200) -> HttpResponse:
    """Return a JSON response."""
    return respond(status, to_json(value))


def respond(status: int, content: bytes) -> HttpResponse:
    """Return a response with JSON that is written already."""
    return HttpResponse(content, status=status, content_type=JSON)


def to_json(value: object) -> bytes:
    """Write JSON. Unpaired surrogates, which JSON can escape, stay escaped."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, enc_hook=msgspec.json.decode)  # stored JSON, as Raw
        return json.dumps(plain, separators=(",", ":")).encode("ascii")


def _misfit(error: msgspec.ValidationError) -> Problem:
    wrong = json_errors.read_misfit(error)
    if wrong.unknown is not None:
        return Problem(422, f"Unknown field {quote(wrong.unknown)}.", wrong.pointer)
    if wrong.missing is not None:
        return Problem(422, f'Missing field "{wrong.missing}".', wrong.pointer)
    return Problem(422, f"{wrong.message}.", wrong.pointer)


def _not_json(data: bytes, error: Exception) -> Problem:
    try:
        data.decode()
    except UnicodeDecodeError as broken:
        return Problem(
            400, f"The body is not UTF-8: byte 0x{data[broken.start]:02x} at index {broken.start}."
        )
    if isinstance(error, RecursionError):
        return Problem(400, "The body is nested too deeply.")
    if (surrogate := json_errors.find_surrogate(data)) is not None:
        steps, key = surrogate
        place = pointer.join(*steps, whole(key)) if key else pointer.join(*steps)
        return Problem(422, "Unpaired surrogate: this is not valid Unicode text.", place)
    return Problem(400, f"The body is not JSON: {str(error).removeprefix('JSON is malformed: ')}.")
