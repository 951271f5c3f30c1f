"""What completion answers, and where a query has room for it."""

from dataclasses import dataclass

from auditlog.search.query import Clause, QueryError, Text, parse
from cablese.message import Span


@dataclass(frozen=True)
class Suggestion:
    """One line of the list. ``insert`` replaces the span of the answer; ``count`` is the number of
    packets, None if it is unknown.
    """

    insert: str
    label: str
    detail: str = ""
    count: int | None = None


@dataclass(frozen=True)
class Problem:
    """What the search would say of the query as it is."""

    message: str
    suggestion: str | None
    span: Span


@dataclass(frozen=True)
class Suggestions:
    """What fits at the caret. ``span`` is what a suggestion replaces, in code points, and ``typed``
    is the text that they begin with. Counts are estimates unless they are ``exact``.
    """

    span: Span
    typed: str = ""
    items: tuple[Suggestion, ...] = ()
    exact: bool = True
    problem: Problem | None = None


def is_typable(key: str) -> bool:
    """Return whether a query can ask for a key by its name."""
    try:
        tree = parse(f"{key}:x")
    except QueryError:
        return False
    return (
        isinstance(tree, Clause)
        and tree.key is not None
        and tree.key.name == key
        and isinstance(tree.value, Text)
    )


def can_grow(query: str, span: Span) -> bool:
    """Return whether a query with another word in a place is read as far as without it."""
    before = _reach(query)
    longer = f"{query[: span.start]}x {query[span.end :]}"
    after = _reach(longer)
    return after == len(longer) if before == len(query) else after >= min(before, span.start)


def _reach(query: str) -> int:
    """Return how far a query can be read."""
    try:
        parse(query)
    except QueryError as error:
        return error.span.start
    return len(query)
