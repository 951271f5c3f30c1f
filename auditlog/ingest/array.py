"""Bodies that are one JSON array of items (application/json), read whole."""

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from auditlog.ingest import json_errors
from auditlog.ingest.body import (
    ARRAY_LIMIT,
    BOM,
    ITEM_LIMIT,
    PIECE,
    BadBody,
    Piece,
    TooLarge,
    bounded,
)
from auditlog.ingest.unread import Unread

# Members stay raw until each is read alone, so that a wrong one does not spoil its neighbors.
_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_DEEPEST = 10_000
_CLOSING = {b"[": b"]", b"{": b"}"}
# A string goes on to the end of the body when nothing closes it, so that no quote is looked at
# twice.
_MARK = re.compile(rb'(?s)"(?:[^"\\]|\\.?)*+"?|[\[\]{},]')


def read(blocks: Iterable[bytes]) -> Iterator[Piece]:
    """As `cut`, and read."""
    return (unread.read() for unread in cut(blocks))


def cut(blocks: Iterable[bytes]) -> Iterator[Unread]:
    """Pieces of at most `PIECE` items. Raises BadBody before the first unless the whole is an array
    or too large.
    """
    body = b"".join(bounded(blocks, ARRAY_LIMIT)).removeprefix(BOM)
    if not body.strip():
        raise BadBody("The body is empty. Expected a JSON array.")
    found = members(body)
    if len(found) > ITEM_LIMIT:
        raise TooLarge(f"The array has {len(found):,} items. The limit is {ITEM_LIMIT:,}.")
    for at in range(0, len(found), PIECE):
        yield Unread([bytes(member) for member in found[at : at + PIECE]])


def members(body: bytes) -> Sequence[bytes | msgspec.Raw]:
    """The members of an array, each as it is written. Raises BadBody."""
    try:
        return _decoder.decode(body)
    except (ValueError, RecursionError) as error:
        found = _split(body)
        if found is not None:
            return found
        raise BadBody(_explain(error)) from None


def _explain(error: ValueError | RecursionError) -> str:
    if isinstance(error, msgspec.ValidationError):
        return f"The body is not a JSON array. {json_errors.read_misfit(error).message}."
    if isinstance(error, RecursionError):
        return "The body is nested too deeply."
    return f"The body is not a JSON array: {str(error).removeprefix('JSON is malformed: ')}."


def _split(body: bytes) -> list[bytes] | None:
    """The members of an array of which one cannot be read, told apart by commas; None when that
    cannot be done.
    """
    found: list[bytes] = []
    opened = bytearray()
    start = 0
    for mark in _MARK.finditer(body):
        sign = mark[0]
        if not opened and (sign != b"[" or body[: mark.start()].strip()):
            return None
        if sign in (b"[", b"{"):
            start = start if opened else mark.end()
            opened += _CLOSING[sign]
            if len(opened) > _DEEPEST:
                return None
        elif len(opened) == 1 and sign in (b",", b"]"):
            found.append(body[start : mark.start()].strip())
            start = mark.end()
        if sign == opened[-1:]:
            opened.pop()
            if not opened:
                return found if all(found) and not body[mark.end() :].strip() else None
    return None
