"""Request bodies: read in blocks up to a limit, and JSON decoded strictly into msgspec types.

Django's own `request.body` does not support chunked bodies, which have no Content-Length.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from auditlog.ingest.body import BadBody, CutOff, TooLarge
from auditlog.text import whole
from cablese.codec import SURROGATE
from playground.rest.problems import Problem, escaped

JSON = "application/json"
_UNSAID = "application/x-www-form-urlencoded"
"""The default Content-Type of curl."""
BLOCK = 64 * 1024
JSON_BODY = 8 * 1024 * 1024

_T = TypeVar("_T")
_PLACE = re.compile(r" - at `\$(.*)`\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_NAMED = re.compile(r"(?:unknown|required) field `(.*)`", re.DOTALL)


def blocks(request: HttpRequest, limit: int) -> Iterator[bytes]:
    """Yield the body in blocks.

    Raises TooLarge as soon as there are more than ``limit`` bytes. Raises CutOff if the body ends
    before its Content-Length, because an incomplete last line is not a message.
    """
    size = 0
    while block := request.read(BLOCK):
        size += len(block)
        if size > limit:
            raise TooLarge(f"The body is larger than the limit of {limit:,} bytes.")
        yield block
    if size < (length := announced(request) or 0):
        raise CutOff(f"The body ended after {size:,} of its {length:,} bytes.")


def drain(request: HttpRequest, limit: int) -> None:
    """Read and drop the rest of the body, at most ``limit`` bytes.

    Otherwise a client that is still sending sees a broken connection and never reads its receipts.
    """
    with suppress(BadBody):
        for _ in blocks(request, limit):
            pass


def announced(request: HttpRequest) -> int | None:
    """Return the Content-Length; None for a chunked body."""
    # `request.headers` would copy all headers of every request for these two.
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        return None
    length = request.META.get("CONTENT_LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() else None


def read_body(request: HttpRequest, limit: int) -> bytes:
    """Return the whole JSON body. Raises Problem: 415 for another media type, 413 over ``limit``
    bytes, 400 if empty.
    """
    media = (request.content_type or JSON).lower()
    if media != JSON and media != _UNSAID and not media.endswith("+json"):
        raise Problem(415, f"Unsupported Content-Type {media}. Expected {JSON}.")
    try:
        data = b"".join(blocks(request, limit))
    except TooLarge as error:
        raise Problem(413, str(error), limit=limit) from None
    if not data.strip():
        raise Problem(400, "The body is empty. Expected one JSON value.")
    return data


def read_json(request: HttpRequest, kind: type[_T], limit: int = JSON_BODY) -> _T:
    """Return the body as ``kind``. Raises Problem: 400 for invalid JSON, 422 for another shape, 413
    over ``limit`` bytes.
    """
    data = read_body(request, limit)
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise _misfit(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_json(data, error) from None


def write_json(value: object, status: int = 200) -> HttpResponse:
    """Return a JSON response. Unpaired surrogates, which JSON can escape, stay escaped."""
    try:
        content = msgspec.json.encode(value)
    except UnicodeEncodeError:
        content = json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode("ascii")
    return HttpResponse(content, status=status, content_type="application/json")


def _misfit(words: str) -> Problem:
    place = _PLACE.search(words)
    path = "".join(f"/{name or index}" for name, index in _STEP.findall(place[1])) if place else ""
    words = words[: place.start()] if place else words
    named = _NAMED.search(words)
    if named is None:
        return Problem(422, f"{words}.", path)
    name = named[1]
    unknown = "unknown" in words
    detail = f'Unknown field "{name}".' if unknown else f'Missing field "{name}".'
    return Problem(422, detail, f"{path}/{escaped(name)}")


def _not_json(data: bytes, error: Exception) -> Problem:
    try:
        data.decode()
    except UnicodeDecodeError as broken:
        return Problem(
            400, f"The body is not UTF-8: byte 0x{data[broken.start]:02x} at index {broken.start}."
        )
    if isinstance(error, RecursionError):
        return Problem(400, "The body is nested too deeply.")
    lone = _lone_surrogate(data)
    if lone is not None:
        return Problem(422, "Unpaired surrogate: this is not valid Unicode text.", lone)
    return Problem(400, f"The body is not JSON: {str(error).removeprefix('JSON is malformed: ')}.")


def _lone_surrogate(data: bytes) -> str | None:
    """Return the pointer to the first string or key that contains an unpaired surrogate."""
    try:
        waiting: list[tuple[str, object]] = [("", json.loads(data))]
    except (ValueError, RecursionError):
        return None
    while waiting:
        pointer, value = waiting.pop()
        if isinstance(value, dict):
            for name in value:
                if SURROGATE.search(name):
                    return f"{pointer}/{escaped(whole(name))}"
            waiting += [
                (f"{pointer}/{escaped(name)}", inner) for name, inner in reversed(value.items())
            ]
        elif isinstance(value, list):
            waiting += [
                (f"{pointer}/{at}", inner) for at, inner in reversed(list(enumerate(value)))
            ]
        elif isinstance(value, str) and SURROGATE.search(value):
            return pointer
    return None
