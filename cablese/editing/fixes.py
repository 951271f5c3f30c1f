"""Applies all safe fixes of a message.

A fix can reveal another one, so the message is decoded again until none is left; overlapping fixes
take turns. Each reading is compared with the one before: fixes that together cause an error, or
change a field that none of them touches, are left out.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from cablese import registry
from cablese.json import jsontext, pointer
from cablese.message import Diagnostic, Field, Fix, Message

TURNS = 20
BUDGET = 6 * 1024 * 1024


class Fixed(NamedTuple):
    """A message after its safe fixes, and how often each code was fixed."""

    message: Message
    codes: Counter[str]


class Fixer:
    """Fixes messages within a budget: the characters that may be decoded again.

    Without one, a hostile text could take minutes.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget

    def fix(self, message: Message, *, dialect: str | None = None) -> Fixed:
        """Apply every safe fix that goes with the others. ``dialect`` is the one that the message
        was read in.
        """
        codes, seen = Counter[str](), {message.wire}
        for _ in range(TURNS):
            kept, after = self._choose(message, dialect, [], _apart(message.diagnostics))
            if after is None or after.wire in seen:
                break
            seen.add(after.wire)
            codes.update(diagnostic.code for diagnostic in kept)
            message = after
        return Fixed(message, codes)

    def _choose(
        self, message: Message, dialect: str | None, kept: list[Diagnostic], more: list[Diagnostic]
    ) -> tuple[list[Diagnostic], Message | None]:
        """Return the fixes of ``more`` that work with ``kept``, found by halves, and the result."""
        if not more or self.budget < len(message.wire):
            return kept, None
        self.budget -= len(message.wire)
        both = sorted((*kept, *more), key=_place)
        fixes = [diagnostic.fix for diagnostic in both if diagnostic.fix is not None]
        after = registry.get(message.protocol).decode(apply(message.wire, fixes), dialect=dialect)
        if _agree(message, after, fixes):
            return both, after
        if len(more) == 1:
            return kept, None
        half = len(more) // 2
        kept, first = self._choose(message, dialect, kept, more[:half])
        kept, second = self._choose(message, dialect, kept, more[half:])
        return kept, second or first


def apply(wire: str, fixes: Sequence[Fix]) -> str:
    """Return ``wire`` with ``fixes``, which are in order and do not overlap."""
    pieces, at = list[str](), 0
    for fix in fixes:
        pieces += wire[at : fix.span.start], fix.text
        at = fix.span.end
    return "".join((*pieces, wire[at:]))


def _apart(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics with safe fixes that do not overlap an earlier one, without duplicates."""
    apart: list[Diagnostic] = []
    at = 0
    for diagnostic in sorted(
        (diagnostic for diagnostic in diagnostics if diagnostic.fix and diagnostic.fix.safe),
        key=_place,
    ):
        assert diagnostic.fix is not None
        if diagnostic.fix.span.start >= at and not (apart and apart[-1].fix == diagnostic.fix):
            apart.append(diagnostic)
            at = diagnostic.fix.span.end
    return apart


def _place(diagnostic: Diagnostic) -> tuple[tuple[int, int], str]:
    assert diagnostic.fix is not None
    return diagnostic.fix.span, diagnostic.fix.text


def _agree(before: Message, after: Message, fixes: Sequence[Fix]) -> bool:
    """Return whether there is no new error and all other fields are unchanged."""
    if _errors(after) - _errors(before):
        return False
    touched: set[str] = set()
    moved = {(field.name, field.value, field.span.start) for field in after.fields}
    shift = _Shift(fixes)
    for field in before.fields:
        if _touches(field, fixes, shift):
            touched |= {field.value, field.name}
        elif field.name and (field.name, field.value, shift.move(field.span.start)) not in moved:
            return False
    leaves = _leaves(after.values)
    return all(
        (path in leaves and _is_same(leaves[path], value)) or _written(value) in touched
        for path, value in _leaves(before.values).items()
    )


def _errors(message: Message) -> Counter[str]:
    return Counter(
        diagnostic.code for diagnostic in message.diagnostics if diagnostic.severity == "error"
    )


class _Shift:
    """Maps places of a wire to places after its fixes."""

    def __init__(self, fixes: Sequence[Fix]) -> None:
        self.starts = [fix.span.start for fix in fixes]
        self.ends = [fix.span.end for fix in fixes]
        widths = (len(fix.text) - (fix.span.end - fix.span.start) for fix in fixes)
        self.sums = [0, *accumulate(widths)]

    def move(self, at: int) -> int:
        return at + self.sums[bisect_right(self.ends, at)]


def _touches(field: Field, fixes: Sequence[Fix], shift: _Shift) -> bool:
    """Return whether a fix changes a field, its name, or the text between or next to them."""
    start = min(field.span.start, (field.name_span or field.span).start)
    end = max(field.span.end, (field.name_span or field.span).end)
    near = fixes[bisect_left(shift.ends, start) : bisect_right(shift.starts, end)]
    return any(
        fix.span.start == fix.span.end or (fix.span.start < end and fix.span.end > start)
        for fix in near
    )


PLAIN = frozenset((str, int, bool, type(None)))
"""Types whose values are written alike when they are equal; a float may be -0.0."""


def _leaves(values: Any) -> dict[pointer.Steps, Any]:
    """Return every text, number, and word in ``values`` under the steps to it."""
    return {
        steps: value for steps, value in pointer.walk(values) if not isinstance(value, dict | list)
    }


def _is_same(value: Any, other: Any) -> bool:
    """Return whether both are spelled alike."""
    is_plain = type(value) is type(other) and type(value) in PLAIN
    return bool(value == other) if is_plain else _written(value) == _written(other)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else jsontext.dump(value)
