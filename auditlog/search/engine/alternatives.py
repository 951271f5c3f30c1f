"""An expression as alternatives, each a conjunction that an index can answer by itself."""

from collections.abc import Iterable
from typing import NamedTuple

from auditlog.search.expression import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    Detected,
    Expression,
    Reviewed,
    Stretch,
    Without,
    all_of,
    any_of,
    is_text,
    none_of,
)

MOST = 16
"""More alternatives than this are not taken apart: each costs a statement in a union."""


class Alternative(NamedTuple):
    """What must hold together: leaves from ``low`` up to ``high`` (None is the end of the log),
    tokens, tables beside the index, and whatever could not be taken apart.
    """

    low: int
    high: int | None
    text: Expression
    wanted: tuple[Reviewed | Detected, ...]
    unwanted: tuple[Reviewed | Detected, ...]
    rest: tuple[Expression, ...]

    @property
    def is_named(self) -> bool:
        """Whether tables beside the index name all its packets."""
        return self.text == ALWAYS and not self.rest and bool(self.wanted)


def alternatives(expression: Expression) -> list[Alternative]:
    """Return conjunctions of which one must hold; none for what never holds."""
    plain = _push_in(expression)
    parts = _take_apart(plain)
    if parts is None:  # what is beside the many alternatives still leads
        parts = [plain.parts if isinstance(plain, AllOf) else (plain,)]
    return [_sort_out(part) for part in parts]


def _push_in(expression: Expression) -> Expression:
    """Return the same with each negation moved inward, to text or to a single table."""
    if is_text(expression):
        return expression
    match expression:
        case AllOf(parts):
            return all_of([_push_in(part) for part in parts])
        case AnyOf(parts):
            return any_of([_push_in(part) for part in parts])
        case Without(Stretch(low, high)):
            return any_of(_outside(low, high))
        case Without(AllOf(parts)):
            return any_of([_push_in(none_of(part)) for part in parts])
        case Without(AnyOf(parts)):
            return all_of([_push_in(none_of(part)) for part in parts])
    return expression


def _outside(low: int | None, high: int | None) -> Iterable[Expression]:
    if low is not None:
        yield Stretch(None, low)
    if high is not None:
        yield Stretch(high, None)


def _take_apart(expression: Expression) -> list[tuple[Expression, ...]] | None:
    """Return the conjunctions of an expression; None if there would be more than MOST."""
    if is_text(expression):
        return [] if expression == NEVER else [(expression,)]
    match expression:
        case AnyOf(parts):
            text = any_of([part for part in parts if is_text(part)])
            split = [_take_apart(text), *(_take_apart(part) for part in parts if not is_text(part))]
            found = [one for some in split for one in some or ()]
            return None if None in split or len(found) > MOST else found
        case AllOf(parts):
            product: list[tuple[Expression, ...]] = [()]
            for part in parts:
                some = _take_apart(part)
                if some is None or len(product) * len(some) > MOST:
                    return None
                product = [(*before, *one) for before in product for one in some]
            return product
    return [(expression,)]


def _sort_out(parts: tuple[Expression, ...]) -> Alternative:
    low, high = 0, None
    text: list[Expression] = []
    wanted: list[Reviewed | Detected] = []
    unwanted: list[Reviewed | Detected] = []
    rest: list[Expression] = []
    for part in parts:
        match part:
            case Stretch(first, end):
                low = max(low, first or 0)
                high = end if high is None else high if end is None else min(high, end)
            case Reviewed() | Detected():
                wanted.append(part)
            case Without(Reviewed() | Detected() as inner):
                unwanted.append(inner)
            case _ if is_text(part):
                text.append(part)
            case _:
                rest.append(part)
    together = all_of(text) if text else ALWAYS
    return Alternative(low, high, together, tuple(wanted), tuple(unwanted), tuple(rest))
