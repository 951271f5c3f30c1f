"""JSON as agents send it: read strictly and quickly, or tolerantly with a place for everything.

``load`` answers only for text that is beyond doubt. ``read`` goes on past every fault and keeps one
promise that the pages rest on: what it makes of a faulty text is what the text says once the
fault's fix is applied. For ``{"g": 'A', "n": 01,}``:

    root      object, value {"g": "A", "n": 1}
    members   key g [2:3], string A [7:8]; key n [12:13], number 1 [16:18]
    faults    syntax [6:9] fix "A"; syntax [16:18] fix 1; syntax [18:19] fix remove the comma

Grammar: RFC 8259. Limits beyond it, docs/design/protocols.md: integers up to 2^53-1, nesting
up to 64, no repeated keys, no NaN, no half of a surrogate pair.
"""

import json
import re
from itertools import chain
from math import inf, isfinite
from typing import Any

import msgspec

from cablese.codec import INTEGER_LIMIT, JSON_LIMIT, SURROGATE, Unencodable
from cablese.message import Span

from . import pointer
from .cursor import FAULT_LIMIT
from .reader import DEPTH_LIMIT, NODE_LIMIT, Reader
from .scalars import DIGITS_LIMIT
from .tree import NAME_LIMIT, SEPARATORS, Document, Fault, FaultKind, Kind, Member, Node, leaves

__all__ = [
    "DEPTH_LIMIT", "FAULT_LIMIT", "NAME_LIMIT", "NODE_LIMIT", "SEPARATORS", "Document", "Fault",
    "FaultKind", "Kind",
    "Member", "Node", "NotClean", "dump", "find_flaw", "leaves", "load", "load_or_none", "read",
    "respell", "write",
]  # fmt: skip


class NotClean(ValueError):
    """The text is not JSON beyond doubt: ``read`` says where and why."""


def load(wire: str) -> Any:
    """Return the value of ``wire`` if ``read`` finds no fault in it. Raises NotClean otherwise."""
    try:
        raw = wire.encode()
        if (
            raw.count(b"[") + raw.count(b"{") > NODE_LIMIT
            and len(BRACKETS.findall(STRINGS.sub("", wire))) > NODE_LIMIT
        ):
            raise NotClean("The text is too long.")  # before a million lists are made
        doubtful = SIXTEEN_DIGITS in raw.translate(DIGITS) or (
            b"\\u" in raw and ESCAPE.search(wire)
        )
        value = _load_carefully(wire) if doubtful else _load_quickly(raw)
    except (ValueError, RecursionError) as error:
        raise NotClean(str(error)) from None
    if raw.count(b"[") + raw.count(b"{") > DEPTH_LIMIT or len(raw) > NODE_LIMIT:
        _check_size(value)
    return value


def load_or_none(wire: str) -> Any:
    """Return the value of ``wire``; None for null, and for text that `load` refuses."""
    try:
        return load(wire)
    except NotClean:
        return None


def read(wire: str) -> Document:
    """Read ``wire`` past every fault. Never raises, in time linear in its length.

    Stops after 20,000 values, 1,000 faults, or at the 65th level; the rest is a stray.
    """
    return Reader(wire).read()


def dump(value: object) -> str:
    """Return minified JSON, escaped as little as possible. Raises ValueError."""
    return WRITER.encode(value)


def write(value: object) -> str:
    """Return the canonical text of a valid message. Raises Unencodable if it is too large."""
    wire = dump(value)
    if len(wire.encode()) > JSON_LIMIT:
        raise Unencodable("", "The message would be larger than the limit of 1 MiB.")
    return wire


def respell(wire: str, span: Span, value: str) -> str:
    """``value`` as it is written in place of the text or number at ``span``, which has no quotes
    around it in ``span``.

    Text stays text; a number, true, false or null stays bare when the value is one of these, and
    else becomes text. Raises Unencodable for what is neither.
    """
    start, end = span
    flaw = find_flaw(value)
    if flaw:
        raise Unencodable(*flaw)
    if wire[start - 1 : start] == '"' and wire[end : end + 1] == '"':
        return dump(value)[1:-1]
    if not SCALAR.fullmatch(wire, start, end):
        raise Unencodable(
            "", "Only strings, numbers, true, false, and null can be edited in place."
        )
    bare = SCALAR.fullmatch(value) and (value == "null" or load_or_none(value) is not None)
    return value if bare else dump(value)


def find_flaw(value: object) -> tuple[str, str] | None:
    """Return the pointer and the reason why ``value`` cannot be written; None if it can."""
    for steps, below in pointer.walk(value):
        reason = _reason_against(below, len(steps) + 1)
        if reason:
            return pointer.join(*steps), reason
    return None


def _reason_against(value: object, depth: int) -> str | None:
    match value:
        case bool() | None:
            return None
        case str():
            return "Unpaired surrogates cannot be stored." if SURROGATE.search(value) else None
        case int():
            return (
                None
                if abs(value) <= INTEGER_LIMIT
                else f"The limit for integers is {INTEGER_LIMIT:,}."
            )
        case float():
            return None if isfinite(value) else "Numbers must be finite."
        case dict() | list() | tuple() if depth > DEPTH_LIMIT:
            return f"The limit is {DEPTH_LIMIT} nested levels."
        case dict() if any(not isinstance(key, str) or SURROGATE.search(key) for key in value):
            return "A key is not valid Unicode text."
        case dict() | list() | tuple():
            return None
        case _:
            return f"{type(value).__name__} is not a JSON type."


SCALAR = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

# msgspec is quick but keeps the last of repeated keys, and takes integers of any length. Written
# back, its reading has as many colons as the wire exactly when no key was dropped; escapes that
# could hide a colon go the careful way, as do long numbers and halves of surrogate pairs.
ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F]|003[aA])")
DIGITS = bytes(ord("0") if byte in b"0123456789" else 0 for byte in range(256))
SIXTEEN_DIGITS = b"0" * 16
STRINGS = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
BRACKETS = re.compile(r"[\[{]")
QUICK_READER = msgspec.json.Decoder()
QUICK_WRITER = msgspec.json.Encoder()


def _load_quickly(raw: bytes) -> Any:
    value = QUICK_READER.decode(raw)
    if raw.count(b":") != QUICK_WRITER.encode(value).count(b":"):
        raise NotClean("Duplicate key.")
    return value


def _load_carefully(wire: str) -> Any:
    value = STRICT.decode(wire)
    dump(value).encode()  # half of a surrogate pair cannot be written
    return value


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    object_ = dict(pairs)
    if len(object_) != len(pairs):
        raise NotClean("Duplicate key.")
    return object_


def _small_integer(digits: str) -> int:
    if len(digits) > 17 or abs(number := int(digits)) > INTEGER_LIMIT:
        raise NotClean("An integer is out of range.")
    return number


def _finite(digits: str) -> float:
    number = float(digits) if len(digits) <= DIGITS_LIMIT else inf
    if not isfinite(number):
        raise NotClean("A number is out of range.")
    return number


def _no_constant(word: str) -> Any:
    raise NotClean(f"{word} is not a valid JSON number.")


STRICT = json.JSONDecoder(
    object_pairs_hook=_unrepeated,
    parse_int=_small_integer,
    parse_float=_finite,
    parse_constant=_no_constant,
)


def _check_size(value: object) -> None:
    level, depth, count = [value], 0, 1
    while level:
        depth += any(isinstance(value, dict | list) for value in level)
        if depth > DEPTH_LIMIT or count > NODE_LIMIT:
            raise NotClean("The JSON is nested too deeply or is too long.")
        level = list(
            chain(
                chain.from_iterable(value.values() for value in level if isinstance(value, dict)),
                chain.from_iterable(value for value in level if isinstance(value, list)),
            )
        )
        count += len(level)
