"""Read definitions as agents publish them ("10. Verb/Tool Library", "11. Appendix A"): strict JSON.

Names are single words, so that none can break out of a table, a prompt, or a plan.
"""

import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from cablese.json import pointer
from cablese.text import quote

_END = r"(?![\s\S])"
"""The end of the text, in both Python and JSON Schema."""

Name = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z][A-Za-z0-9_.\-]{{0,63}}{_END}",
        description="A letter, then letters, digits, _, ., or -.",
    ),
]
Path = Annotated[
    str,
    Meta(pattern=rf"^[A-Za-z_][A-Za-z0-9_.\-]{{0,99}}{_END}", description="A name, or ctx.name."),
]
Description = Annotated[str, Meta(min_length=1, max_length=1000)]
Address = Annotated[str, Meta(min_length=1, max_length=500)]
Kind = Literal["string", "number", "boolean", "array", "object"]

KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_T = TypeVar("_T")
_PLACE = re.compile(r" - at `\$(.*)`\Z", re.DOTALL)
_STEP = re.compile(r"\.(tool\.interface|[^.\[]+)|\[(\d+)\]")
"""A step of a place. One key has a dot."""
_FIELD = re.compile(r"unknown field `(.*)`|required field `(.*)`", re.DOTALL)


class BadDefinition(ValueError):
    """An invalid definition or query: where (a JSON pointer) and why."""

    def __init__(self, pointer: str, reason: str) -> None:
        super().__init__(reason)
        self.pointer = pointer
        self.reason = reason


def define(kind: type[_T], value: object) -> _T:
    """Return ``value``, decoded JSON, as a definition. Raises BadDefinition."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _explain(str(error)) from None


def is_kind(value: Any, kind: str) -> bool:
    """Return whether a parameter is of a registered type. ``true`` is not a number."""
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _explain(problem: str) -> BadDefinition:
    """Return a problem that msgspec reports, with its place as a JSON pointer."""
    place = _PLACE.search(problem)
    steps = [name or index for name, index in _STEP.findall(place[1])] if place else []
    reason = problem[: place.start()] if place else problem
    named = _FIELD.search(reason)
    if named is not None:
        key, word = (named[1], "Unknown") if named[1] is not None else (named[2], "Missing")
        return BadDefinition(pointer.join(*steps, key), f"{word} key {quote(key)}.")
    if "matching regex" in reason:
        reason = "Expected a name: a letter followed by letters, digits, _, ., or -, without spaces"
    return BadDefinition(pointer.join(*steps), f"{reason}.")
