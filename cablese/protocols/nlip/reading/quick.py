"""Decode quickly: the values of a message that is certainly valid, or None.

msgspec reads the text. It silently keeps the last of repeated keys, so quotes are counted: every
key and every text has two, and another pair on the wire means that something was dropped. A message
whose contents have fractions, large numbers, deep nesting, or many values goes through
``load_or_none``, which looks closer. Escapes are let through unless they could write something
invisible or disturb the counting.
"""

import re
from typing import Any

import msgspec

from cablese.codec import FIELD_LIMIT, INTEGER_LIMIT, INVISIBLE, SURROGATE
from cablese.json.jsontext import NODE_LIMIT, load_or_none
from cablese.protocols.nlip.formats import content_fits, is_base64, is_uri, settle

DOUBTFUL_ESCAPE = re.compile(r"\\[\\ubf]")
SUBMESSAGE_LIMIT = FIELD_LIMIT // 5 - 2
"""The number of submessages, with four keys each, that the limit of fields allows."""
CACHED = 100
"""Longer formats and subformats are not cached by ``settle``."""

NESTING = 16
"""The depth to which the texts of a content are counted here."""
DOUBT = -(10**9)
"""A number of texts that no wire has."""

_decode = msgspec.json.Decoder().decode


def glance(wire: str, dialect: str) -> dict[str, Any] | None:
    """Return the values of ``wire`` when it certainly has no diagnostic; otherwise None."""
    quotes = _count_quotes(wire)
    # Each value but the first follows one of these signs, which texts may contain too.
    is_long = len(wire) > NODE_LIMIT and sum(map(wire.count, "[{,")) >= NODE_LIMIT
    if quotes is None or (is_long and load_or_none(wire) is None):
        return None
    try:
        message = _decode(wire)
    except (msgspec.DecodeError, RecursionError):
        return None
    if type(message) is not dict:
        return None
    if "format" not in message:
        message = _folded(message)
    values: dict[str, Any] = {}
    kind = message.get("messagetype")
    if kind is None:
        known = 3
        values["is_control"] = False
    else:
        known = 4
        if type(kind) is not str:
            return None
        values["messagetype"] = kind
        values["is_control"] = kind.lower() == "control"
    if not _fill(values, message, dialect):
        return None
    content = values["content"]
    texts = 2 * len(message)
    if type(content) is not str:
        texts += _count_texts(content, NESTING) - 1
    parts = message.get("submessages")
    if parts is not None:
        known += 1
        if type(parts) is not list or not 0 < len(parts) <= SUBMESSAGE_LIMIT:
            return None
        values["submessages"] = read = []
        texts -= 1
        for part in parts:
            if type(part) is not dict:
                return None
            if "format" not in part:
                part = _folded(part)
            submessage: dict[str, Any] = {}
            if not _fill(submessage, part, dialect):
                return None
            if len(part) > 3:
                label = part.get("label")
                if len(part) > 4 or type(label) is not str:
                    return None
                submessage["label"] = label
            read.append(submessage)
            content = submessage["content"]
            texts += 2 * len(submessage)
            if type(content) is not str:
                texts += _count_texts(content, NESTING) - 1
    if known != len(message) or (
        quotes != 2 * texts and (texts >= 0 or load_or_none(wire) is None)
    ):
        return None
    return values


def _count_texts(value: Any, nesting: int) -> int:
    """Return the number of keys and texts in a content; a negative number when it needs a closer
    look.
    """
    kind = type(value)
    if kind is str:
        return 1
    if kind is int:
        return 0 if -INTEGER_LIMIT <= value <= INTEGER_LIMIT else DOUBT
    if value is None or kind is bool:
        return 0
    if not nesting or kind is float:
        return DOUBT
    if kind is dict:
        return len(value) + sum([_count_texts(item, nesting - 1) for item in value.values()])
    return sum([_count_texts(item, nesting - 1) for item in value])


def _count_quotes(wire: str) -> int | None:
    """Return the number of quotes around keys and texts; None when there is something invisible, or
    an escape that could write it.
    """
    if wire.isascii():
        if "\x7f" in wire:  # msgspec refuses the other control characters
            return None
    elif not wire.isprintable() and (INVISIBLE.search(wire) or SURROGATE.search(wire)):
        return None
    quotes = wire.count('"')
    if "\\" in wire:
        if DOUBTFUL_ESCAPE.search(wire):
            return None
        quotes -= wire.count('\\"')
    return quotes


def _folded(part: dict[str, Any]) -> dict[str, Any]:
    """Return the keys in lower case; nothing when two of them become the same, which is a doubt."""
    lower = {key.lower(): value for key, value in part.items()}
    return lower if len(lower) == len(part) else {}


def _fill(values: dict[str, Any], part: dict[str, Any], dialect: str) -> bool:
    """Put format, subformat and content into ``values``; False when there is a doubt about them."""
    try:
        name, subformat, content = part["format"], part["subformat"], part["content"]
    except KeyError:
        return False
    if type(name) is not str or type(subformat) is not str or len(name) + len(subformat) > CACHED:
        return False
    settled = settle(dialect, name, subformat)
    if settled is None:
        return False
    values["format"], values["subformat"], kind = settled
    values["content"] = content
    if kind == "text":
        return type(content) is str
    if kind == "base64":
        return type(content) is str and is_base64(content)
    if kind == "uri":
        return type(content) is str and is_uri(content)
    return content_fits(kind, content)
