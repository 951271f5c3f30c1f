"""What is wrong with JSON that msgspec rejects, and where."""

import json
import re
from typing import Any, NamedTuple

import msgspec

from auditlog.text import whole
from cablese.json import pointer
from cablese.text import shorten

_PLACE = re.compile(r" - at `\$(.*)`\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_ENUM = re.compile(r"(?<=\AInvalid enum value ').*(?='\Z)", re.DOTALL)
_NAMED = re.compile(r"(?:unknown|required) field `(.*)`", re.DOTALL)
_TYPES = {
    "str": "text", "int": "a whole number", "float": "a number with a fraction",
    "bool": "true or false",
    "null": "null", "array": "a list", "object": "an object",
}  # fmt: skip

REPEATED = "{} is given more than once."


class Misfit(NamedTuple):
    """A value of another shape: msgspec's message with the types in words, a JSON pointer, and the
    field that is unknown or missing, if that is the reason.
    """

    message: str
    pointer: str
    unknown: str | None = None
    missing: str | None = None


def read_misfit(error: msgspec.ValidationError) -> Misfit:
    """Take apart ``Expected `str`, got `int` - at `$.tags[0]` ``."""
    message = str(error)
    place = _PLACE.search(message)
    if place:
        message = message[: place.start()]
    found = _STEP.findall(place[1].replace("[...]", "")) if place else ()
    steps = [name or index for name, index in found]
    named = _NAMED.search(message)
    if named is None:
        message = _ENUM.sub(lambda value: shorten(value[0]), message)
        return Misfit(re.sub(r"`([a-z |]+)`", _in_words, message), pointer.join(*steps))
    at, name = pointer.join(*steps, named[1]), named[1]
    return Misfit(message, at, name) if "unknown" in message else Misfit(message, at, None, name)


def _in_words(types: re.Match[str]) -> str:
    return " or ".join(_TYPES.get(name, name) for name in types[1].split(" | "))


def find_repeated(data: bytes) -> tuple[str, ...]:
    """Return the path of the first key that is given twice in its object, anywhere; () if none is.

    Readers of JSON differ in which of two values counts. Raises ValueError and RecursionError.
    """
    # Numbers stay text: Python refuses to read one of more than 4,300 digits. `json` itself would
    # take surrogates in UTF-8, and msgspec takes them in a value that it keeps as written.
    pairs = json.loads(data.decode(), object_pairs_hook=tuple, parse_int=str, parse_float=str)
    waiting: list[tuple[tuple[str, ...], Any]] = [((), pairs)]
    while waiting:
        steps, value = waiting.pop()
        if isinstance(value, tuple):
            seen = set()
            for key, _ in value:
                if key in seen:
                    return (*steps, key)
                seen.add(key)
        if isinstance(value, tuple | list):
            members = value if isinstance(value, tuple) else enumerate(value)
            waiting += [((*steps, str(key)), inner) for key, inner in members]
    return ()


def find_surrogate(data: bytes) -> tuple[pointer.Steps, str] | None:
    """Return the steps to the first text with an unpaired surrogate; for a key, those to its
    object, and the key.
    """
    try:
        values = pointer.walk(json.loads(data))
    except (ValueError, RecursionError):
        return None
    for steps, value in values:
        if isinstance(value, str) and whole(value) != value:
            return steps, ""
        if isinstance(value, dict) and (keys := [key for key in value if whole(key) != key]):
            return steps, keys[0]
    return None
