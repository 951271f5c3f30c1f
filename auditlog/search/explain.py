"""Explains a query in words: ``@auth_* goal:42`` is "tag starts with auth_ and goal is 42"."""

from collections.abc import Iterator
from typing import NamedTuple

from auditlog.search import moment
from auditlog.search.keys import get_term
from auditlog.search.query import Clause, Many, Not, Range, Text, Tree, parse
from auditlog.search.terms import fold, fold_key
from cablese.message import Span


class Piece(NamedTuple):
    """Some words, and the clause they describe; None between clauses."""

    text: str
    span: Span | None = None


def explain(text: str) -> list[Piece]:
    """Return the words of a query, piece by piece. Raises QueryError as `parse` does; keys are not
    looked up.
    """
    return list(_words(parse(text), inner=False))


def _words(tree: Tree, *, inner: bool) -> Iterator[Piece]:
    match tree:
        case Clause():
            yield Piece(_clause(tree), tree.span)
        case Not(Clause() as clause):
            yield from (Piece("not ("), *_words(clause, inner=True), Piece(")"))
        case Not(part):
            yield Piece("not ")
            yield from _words(part, inner=True)
        case Many(_, ()):
            yield Piece("every packet")
        case Many(mode, parts):
            yield from [Piece("(")] * inner
            for at, part in enumerate(parts):
                yield from [Piece(f" {mode} ")] * (at > 0)
                yield from _words(part, inner=True)
            yield from [Piece(")")] * inner


_STATED = {
    "warning": "packet has a warning",
    "sensitive": "packet contains sensitive data",
    "injection": "packet may contain an injection",
    "flow": "packet does not fit its conversation",
}
"""What some values of `is` say in words."""


def _clause(clause: Clause) -> str:
    value = clause.value
    if clause.key is None:
        assert isinstance(value, Text)
        if not value.text and value.prefix:
            return "every packet"
        return f"text contains {'words starting with ' if value.prefix else ''}{_quote(value)}"
    term = get_term(fold_key(clause.key.name))
    name = term.words if term else clause.key.name
    if isinstance(value, Range):
        if term and term.kind == "sent":
            return f"{name} {_times(value)}"
        return f"{name} is {_range(value)}"
    ago = moment.ago(fold(value.text))
    if ago and term and term.kind == "since":
        return f"received in the last {ago}"
    if ago and term and term.kind == "until":
        return f"received until {ago} ago"
    if term and term.kind == "is" and value.text in _STATED:
        return _STATED[value.text]
    if term and term.kind in ("is", "has", "since", "until"):
        return f"{name} {_quote(value)}"
    if not value.text and value.prefix:
        return f"packet has the field {name}"
    return f"{name} {'starts with' if value.prefix else 'is'} {_quote(value)}"


def _quote(value: Text) -> str:
    return f"“{value.text}”" if value.quoted else value.text


def _times(value: Range) -> str:
    low, high = (limit and _time(limit) for limit in (value.low, value.high))
    if low and high:
        return f"from {low} to {high}"
    if high:
        return f"{'before' if value.open_high else 'until'} {high}"
    return f"{'after' if value.open_low else 'since'} {low}"


def _time(limit: str) -> str:
    ago = moment.ago(fold(limit))
    return f"{ago} ago" if ago else limit


def _range(value: Range) -> str:
    if value.low is not None and value.high is not None:
        if value.low == value.high:
            return value.low
        return f"from {value.low} to {value.high}"
    if value.high is not None:
        return f"less than {value.high}" if value.open_high else f"{value.high} or less"
    return f"more than {value.low}" if value.open_low else f"{value.low} or more"
