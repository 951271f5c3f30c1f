"""What a query asks of the index of one log: tokens in a row, ranges of leaves, review states,
findings, and their combinations, the same for both engines.

Made by the functions below, which keep it small: nested combinations of one kind become one, and
what is always or never true goes away. `AllOf(())` holds always, `AnyOf(())` never.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Phrase:
    """Tokens that follow each other; the last one may be only the beginning of a token."""

    tokens: tuple[str, ...]
    prefix: bool = False


@dataclass(frozen=True)
class Stretch:
    """Packets with ``low <= leaf < high``; None is no limit."""

    low: int | None
    high: int | None


@dataclass(frozen=True)
class Reviewed:
    """Packets whose newest decision is ``state``; None is any. With the state "commented", packets
    that have a comment. Only steps before the leaf ``before`` count. Asked of the review table.
    """

    state: str | None
    before: int | None = None


@dataclass(frozen=True)
class Detected:
    """Packets in which a detector found something. Asked of the table of findings."""

    detector: str


@dataclass(frozen=True)
class Without:
    """What does not hold."""

    part: "Expression"


@dataclass(frozen=True)
class AllOf:
    parts: tuple["Expression", ...]


@dataclass(frozen=True)
class AnyOf:
    parts: tuple["Expression", ...]


Expression = Phrase | Stretch | Reviewed | Detected | Without | AllOf | AnyOf
ALWAYS = AllOf(())
NEVER = AnyOf(())


def is_text(expression: Expression) -> bool:
    """Whether the token index alone answers it."""
    match expression:
        case Phrase():
            return True
        case Stretch() | Reviewed() | Detected():
            return False
        case Without(part):
            return is_text(part)
        case AllOf(parts) | AnyOf(parts):
            return all(is_text(part) for part in parts)


def is_of_findings(expression: Expression) -> bool:
    """Whether findings take part in what it holds of."""
    match expression:
        case Detected():
            return True
        case Without(part):
            return is_of_findings(part)
        case AllOf(parts) | AnyOf(parts):
            return any(is_of_findings(part) for part in parts)
    return False


def phrases(expression: Expression) -> Iterator[Phrase]:
    """Yield the phrases of an expression, again where they are repeated."""
    match expression:
        case Phrase():
            yield expression
        case Without(part):
            yield from phrases(part)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from phrases(part)


def all_of(parts: Iterable[Expression]) -> Expression:
    flat: dict[Expression, None] = {}
    for part in parts:
        if part == NEVER:
            return NEVER
        flat.update(dict.fromkeys(part.parts if isinstance(part, AllOf) else (part,)))
    return next(iter(flat)) if len(flat) == 1 else AllOf(tuple(flat))


def any_of(parts: Iterable[Expression]) -> Expression:
    flat: dict[Expression, None] = {}
    for part in parts:
        if part == ALWAYS:
            return ALWAYS
        flat.update(dict.fromkeys(part.parts if isinstance(part, AnyOf) else (part,)))
    return next(iter(flat)) if len(flat) == 1 else AnyOf(tuple(flat))


def none_of(part: Expression) -> Expression:
    if part == ALWAYS:
        return NEVER
    if part == NEVER:
        return ALWAYS
    return part.part if isinstance(part, Without) else Without(part)
