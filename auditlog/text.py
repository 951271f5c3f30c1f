"""Text that agents send, and bytes that are no text.

Bytes that are not UTF-8 are carried as surrogate escapes (PEP 383), which give the same bytes back.
A lone surrogate can also come from an escape inside a wire, such as \\ud800 in JSON. Neither can be
shown or stored as text: U+FFFD stands for each then, so that spans still point at the same places.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_bytes(wire: str) -> bytes:
    return wire.encode(errors="surrogateescape")


def from_bytes(wire: bytes) -> str:
    return wire.decode(errors="surrogateescape")


def is_utf8(data: bytes | memoryview) -> bool:
    try:
        bytes(data).decode()
    except UnicodeDecodeError:
        return False
    return True


def whole(value: Any) -> Any:
    """A JSON value, or text, that UTF-8 can hold."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {whole(name): whole(inner) for name, inner in value.items()}
    return [whole(inner) for inner in value] if isinstance(value, list | tuple) else value


def to_json(value: object, encode: Callable[[object], bytes] = msgspec.json.encode) -> str:
    """JSON without spaces, nothing escaped without need, keys in the order given; whole text.

    Another way to `encode` may sort the keys.
    """
    try:
        return encode(value).decode()
    except UnicodeEncodeError:
        return encode(whole(msgspec.to_builtins(value))).decode()


def from_json(stored: str | bytes) -> Any:
    """Return the value of stored JSON."""
    try:
        return msgspec.json.decode(stored)
    except msgspec.DecodeError:
        return json.loads(stored)  # has unpaired surrogates or numbers that msgspec refuses
