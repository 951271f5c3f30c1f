"""An expression as SQL: one full-text match wherever tokens alone decide, and ranges of `rowid`
beside it.

Tokens go into the engines' query languages as quoted strings made here; none of their syntax can
come from a user.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from auditlog.search.expression import (
    ALWAYS,
    AllOf,
    AnyOf,
    Expression,
    Phrase,
    Stretch,
    Without,
    is_text,
)


class Condition(NamedTuple):
    """A piece of a WHERE clause, with ``%s`` for each of its parameters."""

    sql: str
    parameters: tuple[str | int, ...]


def where(expression: Expression, universe: Expression, vendor: str) -> Condition:
    """The WHERE clause over auditlog_search for everything in ``universe`` (tokens) that
    ``expression`` holds of.
    """
    parts = expression.parts if isinstance(expression, AllOf) else (expression,)
    text = AllOf((universe, *(part for part in parts if is_text(part) and part != ALWAYS)))
    rest = [part for part in parts if not is_text(part)]
    engine = _SQLite(universe) if vendor == "sqlite" else _PostgreSQL()
    return _join(" AND ", [engine.match(text), *(_mixed(part, engine) for part in rest)])


def _mixed(expression: Expression, engine: "_SQLite | _PostgreSQL") -> Condition:
    if is_text(expression):
        return engine.contains(expression)
    match expression:
        case Stretch(low, high):
            limits = [("rowid >= %s", low), ("rowid < %s", high)]
            return _join(
                " AND ",
                [Condition(sql, (at,)) for sql, at in limits if at is not None]
                or [Condition("1 = 1", ())],
            )
        case Without(part):
            inner = _mixed(part, engine)
            return Condition(f"NOT ({inner.sql})", inner.parameters)
        case AllOf(parts) | AnyOf(parts):
            joint = " AND " if isinstance(expression, AllOf) else " OR "
            inner = _join(joint, [_mixed(part, engine) for part in parts])
            return Condition(f"({inner.sql})", inner.parameters)
    raise AssertionError(expression)


def _join(joint: str, conditions: Iterable[Condition]) -> Condition:
    several = list(conditions)
    return Condition(
        joint.join([each.sql for each in several]),
        tuple([given for each in several for given in each.parameters]),
    )


class _SQLite:
    """FTS5. Its NOT stands between two expressions, so what is only negative is taken from the
    universe.
    """

    def __init__(self, universe: Expression) -> None:
        self.universe = universe

    def match(self, expression: Expression) -> Condition:
        return Condition("auditlog_search MATCH %s", (self.render(expression),))

    def contains(self, expression: Expression) -> Condition:
        # The plus keeps SQLite from asking the index again for every single row.
        inner = "SELECT rowid FROM auditlog_search WHERE auditlog_search MATCH %s"
        return Condition(f"+rowid IN ({inner})", (self.render(expression),))

    def render(self, expression: Expression) -> str:
        match expression:
            case Phrase(tokens, prefix):
                quoted = " + ".join(['"' + token.replace('"', '""') + '"' for token in tokens])
                return f"{quoted} *" if prefix else quoted
            case AllOf(parts):
                wanted: list[Expression] = [part for part in parts if not isinstance(part, Without)]
                unwanted = [part.part for part in parts if isinstance(part, Without)]
                match = _infix(" AND ", wanted or [self.universe], self.render)
                return (
                    f"({match} NOT {_infix(' OR ', unwanted, self.render)})" if unwanted else match
                )
            case AnyOf(parts):
                return _infix(" OR ", parts, self.render)
            case Without():
                return self.render(AllOf((expression,)))
        raise AssertionError(expression)


class _PostgreSQL:
    """A tsvector of our tokens, asked with a tsquery of quoted lexemes: no parser and no dictionary
    takes part.
    """

    def match(self, expression: Expression) -> Condition:
        return Condition("terms @@ %s::tsquery", (self.render(expression),))

    contains = match

    def render(self, expression: Expression) -> str:
        match expression:
            case Phrase(tokens, prefix):
                row = " <-> ".join([quote_lexeme(token) for token in tokens])
                return f"({row}{':*' if prefix else ''})"
            case AllOf(parts):
                return _infix(" & ", parts, self.render)
            case AnyOf(parts):
                return _infix(" | ", parts, self.render)
            case Without(part):
                return f"!({self.render(part)})"
        raise AssertionError(expression)


def quote_lexeme(token: str) -> str:
    """A token as PostgreSQL reads one in a tsvector or tsquery."""
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def _infix(joint: str, parts: Iterable[Expression], render: Callable[[Expression], str]) -> str:
    return f"({joint.join([render(part) for part in parts])})"
