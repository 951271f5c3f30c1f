"""Free facts of a packet, such as a trace ID, a model, or a latency: what ``attributes`` of an item
can hold.

    {"trace_id": "4bf92f35", "model": {"name": "gpt-4o", "latency": 0.8}}

A packet's leaf commits to them as canonical JSON (RFC 8785), which spells numbers as doubles. A
number that a double cannot hold exactly would change without a word, so an item with one is
refused. A log line cannot be refused for what it says beside its message: ``fit`` stores such a
number as text, and names what exceeds a limit.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from auditlog.log import leaf
from auditlog.text import whole
from cablese.json import pointer

LIMIT = 64
"""Attributes of a packet."""
SIZE = 16 * 1024
"""Bytes of all attributes as canonical JSON."""
DEPTH = 8
"""Objects and lists inside each other, the outermost object included."""
KEY_LIMIT = 200
"""Characters of a key."""
EXACT = 2**53 - 1
LEFT_OUT = "cablese.left_out"
"""The attribute that names what a line says beyond these limits."""
NAMED = 10
"""Names in it."""


class Problem(NamedTuple):
    """What is wrong with some attributes: a sentence, and a JSON pointer into them."""

    detail: str
    pointer: str


def find_problem(attributes: Mapping[str, Any]) -> Problem | None:
    """The first rule that ``attributes`` break; None when they can be stored."""
    if len(attributes) > LIMIT:
        return Problem(f"There are {len(attributes)} attributes. The limit is {LIMIT}.", "")
    for steps, value in pointer.walk(attributes):
        wrong = _wrong(value, len(steps))
        if wrong:
            return Problem(wrong, pointer.join(*steps))
    try:
        size = len(leaf.canonical_json(attributes))
    except UnicodeEncodeError:
        return Problem("Unpaired surrogate: this is not valid Unicode text.", "")
    if size > SIZE:
        return Problem(
            f"The attributes have {size:,} bytes as canonical JSON. The limit is {SIZE:,}.", ""
        )
    return None


def fit(found: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a log line that can be stored, and under ``LEFT_OUT`` the names of the
    others.
    """
    if find_problem(found) is None:
        return dict(found)
    exact = {whole(name): _exact(value) for name, value in found.items()}
    accepted: dict[str, Any] = {}
    left = []
    for name, value in exact.items():
        if find_problem(accepted | {name: value}) is None:
            accepted[name] = value
        else:
            left.append(name[:KEY_LIMIT])
    while left and find_problem(named := accepted | {LEFT_OUT: left[:NAMED]}):
        if not accepted:
            return {}
        left.insert(0, accepted.popitem()[0])
    return named if left else accepted


def _wrong(value: Any, depth: int) -> str | None:
    if isinstance(value, str | bool) or value is None:
        return None
    if isinstance(value, int | float):
        if abs(value) <= EXACT:  # false for NaN
            return None
        return f"Numbers must be between -{EXACT:,} and {EXACT:,}. Send a larger number as text."
    if not isinstance(value, Mapping | list | tuple):
        return "Expected a JSON value."
    if depth >= DEPTH:
        return f"Attributes are nested more than {DEPTH} deep."
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or not 0 < len(key) <= KEY_LIMIT:
                return f"Expected a key of 1 to {KEY_LIMIT} characters."
    return None


def _exact(value: Any, depth: int = 0) -> Any:
    """``value`` with text in place of numbers that are not exact and of what is not JSON."""
    if depth > DEPTH:  # left out as a whole
        return value
    if isinstance(value, str):
        return whole(value)
    if value is None or (isinstance(value, int | float) and abs(value) <= EXACT):
        return value
    if isinstance(value, Mapping):
        return {whole(key): _exact(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(inner, depth + 1) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")
    try:
        return whole(str(value))
    except ValueError:
        return hex(value)  # Python writes no decimal number of more than 4,300 digits
