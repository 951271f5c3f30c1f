"""Bodies: read block by block within a limit, and JSON read strictly into msgspec types.

Django's own `request.body` refuses chunked bodies, whose length nobody announces.
"""

import json
import re
from collections.abc import Iterator
from typing import TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from playground.api.problem import Problem

BLOCK = 64 * 1024
JSON_BODY = 8 * 1024 * 1024

_T = TypeVar("_T")
_PLACE = re.compile(r" - at `\$(.*)`\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")


def blocks(request: HttpRequest, limit: int) -> Iterator[bytes]:
    """The body in blocks. Raises Problem 413 as soon as more than ``limit`` bytes have come."""
    size = 0
    while block := request.read(BLOCK):
        size += len(block)
        if size > limit:
            raise too_large(limit)
        yield block


def too_large(limit: int) -> Problem:
    return Problem(413, f"The body is larger than {limit:,} bytes.", limit=limit)


def read_body(request: HttpRequest, limit: int) -> bytes:
    """The whole body. Raises Problem 413 over ``limit`` bytes, 400 when there is none."""
    data = b"".join(blocks(request, limit))
    if not data.strip():
        raise Problem(400, "The body is empty; it must be one JSON value.")
    return data


def read_json(request: HttpRequest, kind: type[_T], limit: int = JSON_BODY) -> _T:
    """The body as ``kind``. Raises Problem: 400 for what is not JSON, 422 for what does not fit, 413 for too much."""
    data = read_body(request, limit)
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        words = str(error)
        place = _PLACE.search(words)
        path = "".join(f"/{name or index}" for name, index in _STEP.findall(place[1])) if place else ""
        raise Problem(422, f"{words[: place.start()] if place else words}.", path) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_json(data, error) from None


def write_json(value: object, status: int = 200) -> HttpResponse:
    """JSON. Half a surrogate pair, which a wire may have escaped, is written as the escape it was."""
    try:
        content = msgspec.json.encode(value)
    except UnicodeEncodeError:
        content = json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode("ascii")
    return HttpResponse(content, status=status, content_type="application/json")


def _not_json(data: bytes, error: Exception) -> Problem:
    try:
        data.decode()
    except UnicodeDecodeError as broken:
        return Problem(400, f"The body is not UTF-8: byte 0x{data[broken.start]:02x} at place {broken.start}.")
    if isinstance(error, RecursionError):
        return Problem(400, "The body is nested too deeply.")
    words = str(error).removeprefix("JSON is malformed: ")
    if "surrogate" in words:
        return Problem(422, "Half of a surrogate pair stands alone in the body, which is no text.")
    return Problem(400, f"The body is not JSON: {words}.")
