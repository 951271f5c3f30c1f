"""An expression as SQL: one full-text match wherever tokens alone decide, and ranges of leaves with
it.

Tokens go into the engines' query languages as quoted strings made here; none of their syntax can
come from a user.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from auditlog.search.expression import (
    ALWAYS,
    AllOf,
    AnyOf,
    Detected,
    Expression,
    Phrase,
    Reviewed,
    Stretch,
    Without,
    is_text,
)
from auditlog.search.table import LAST_LEAF, row_number

_COMMENTED = "commented"
_DECIDES = "{0}.state IN ('reviewed', 'flagged')"
_IN_EFFECT = (
    "NOT EXISTS (SELECT 1 FROM auditlog_review u WHERE u.log_id = {0}.log_id"
    " AND u.packet_leaf = {0}.packet_leaf AND u.undoes = {0}.leaf AND u.leaf < %s)"
)
"""Whether a review step, named by its table alias, decides, and whether it is not undone."""


class Condition(NamedTuple):
    """A piece of a WHERE clause, with ``%s`` for each of its parameters."""

    sql: str
    parameters: tuple[str | int, ...]


def select(
    expression: Expression,
    universe: Expression,
    log_id: int,
    vendor: str,
    *,
    oldest_first: bool = False,
) -> Condition:
    """Return a SELECT of the leaves of one log, newest first by default, for everything in
    ``universe`` (tokens) that ``expression`` holds of. Its last parameter, the limit, is the
    caller's.
    """
    parts = expression.parts if isinstance(expression, AllOf) else (expression,)
    text = [part for part in parts if is_text(part) and part != ALWAYS]
    rest = [part for part in parts if not is_text(part)]
    engine = _SQLite(universe, log_id) if vendor == "sqlite" else _PostgreSQL(log_id)
    conditions = [engine.within_log(), *(_mixed(one, engine) for one in rest)]
    if text or not any(isinstance(one, Reviewed | Detected) for one in rest):
        # With nothing else to match, the few packets that another table names lead to their rows.
        conditions.insert(0, engine.match(AllOf((universe, *text))))
    where = _join(" AND ", conditions)
    return Condition(
        f"SELECT {engine.leaf} FROM auditlog_search WHERE {where.sql}"  # noqa: S608
        f" ORDER BY {engine.order} {'ASC' if oldest_first else 'DESC'} LIMIT %s",
        where.parameters,
    )


def _mixed(expression: Expression, engine: "_SQLite | _PostgreSQL") -> Condition:
    if is_text(expression):
        return engine.contains(expression)
    match expression:
        case Stretch(low, high):
            limits = [(">=", low), ("<", high)]
            return _join(
                " AND ",
                [engine.compare(sign, at) for sign, at in limits if at is not None]
                or [Condition("1 = 1", ())],
            )
        case Reviewed(state, before):
            return engine.among(_steps(engine.log_id, state, before))
        case Detected(detector):
            return engine.among(_findings(engine.log_id, detector))
        case Without(part):
            inner = _mixed(part, engine)
            return Condition(f"NOT ({inner.sql})", inner.parameters)
        case AllOf(parts) | AnyOf(parts):
            joint = " AND " if isinstance(expression, AllOf) else " OR "
            inner = _join(joint, [_mixed(part, engine) for part in parts])
            return Condition(f"({inner.sql})", inner.parameters)
    raise AssertionError(expression)


def _steps(log_id: int, state: str | None, before: int | None) -> Condition:
    """Return what follows SELECT for the leaves of packets whose newest decision is ``state``, or
    that have a comment. Steps that are undone, or not before a leaf, do not count.
    """
    end = LAST_LEAF if before is None else before
    steps = Condition(
        "r.packet_leaf FROM auditlog_review r WHERE r.log_id = %s AND r.leaf < %s"
        f" AND {_IN_EFFECT.format('r')}",
        (log_id, end, end),
    )
    if state == _COMMENTED:
        return _join(" AND ", [steps, Condition("r.state = %s", (state,))])
    decided = _join(" AND ", [steps, Condition(_DECIDES.format("r"), ())])
    if state is None:
        return decided
    newer = Condition(
        "NOT EXISTS (SELECT 1 FROM auditlog_review n WHERE n.log_id = r.log_id"  # noqa: S608
        " AND n.packet_leaf = r.packet_leaf AND n.leaf > r.leaf AND n.leaf < %s"
        f" AND {_DECIDES.format('n')} AND {_IN_EFFECT.format('n')})",
        (end, end),
    )
    return _join(" AND ", [decided, Condition("r.state = %s", (state,)), newer])


def _findings(log_id: int, detector: str) -> Condition:
    """Return what follows SELECT for the leaves of packets in which a detector found something."""
    return Condition(
        "f.leaf FROM auditlog_finding f WHERE f.log_id = %s AND f.detector = %s", (log_id, detector)
    )


def _join(joint: str, conditions: Iterable[Condition]) -> Condition:
    parts = list(conditions)
    return Condition(
        joint.join([each.sql for each in parts]),
        tuple([given for each in parts for given in each.parameters]),
    )


class _SQLite:
    """FTS5. Its NOT stands between two expressions, so what is only negative is taken from the
    universe.
    """

    leaf = f"rowid & {LAST_LEAF}"
    order = "rowid"

    def __init__(self, universe: Expression, log_id: int) -> None:
        self.universe = universe
        self.log_id = log_id

    def within_log(self) -> Condition:
        rows = (row_number(self.log_id, 0), row_number(self.log_id, LAST_LEAF))
        return Condition("rowid BETWEEN %s AND %s", rows)

    def compare(self, sign: str, leaf: int) -> Condition:
        return Condition(f"rowid {sign} %s", (row_number(self.log_id, min(leaf, LAST_LEAF)),))

    def among(self, leaves: Condition) -> Condition:
        """Match the leaves that a SELECT gives."""
        number = row_number(self.log_id, 0)
        return Condition(f"rowid IN (SELECT {number} + {leaves.sql})", leaves.parameters)

    def match(self, expression: Expression) -> Condition:
        return Condition("auditlog_search MATCH %s", (self.render(expression),))

    def contains(self, expression: Expression) -> Condition:
        # The plus keeps SQLite from asking the index again for every single row.
        rows = self.within_log()
        inner = (
            "SELECT rowid FROM auditlog_search WHERE auditlog_search MATCH %s"  # noqa: S608
            f" AND {rows.sql}"
        )
        return Condition(f"+rowid IN ({inner})", (self.render(expression), *rows.parameters))

    def render(self, expression: Expression) -> str:
        match expression:
            case Phrase(tokens, prefix):
                quoted = " + ".join(['"' + token.replace('"', '""') + '"' for token in tokens])
                return f"{quoted} *" if prefix else quoted
            case AllOf(parts):
                required: list[Expression] = [
                    part for part in parts if not isinstance(part, Without)
                ]
                unwanted = [part.part for part in parts if isinstance(part, Without)]
                match = _infix(" AND ", required or [self.universe], self.render)
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

    leaf = order = "leaf"

    def __init__(self, log_id: int) -> None:
        self.log_id = log_id

    def within_log(self) -> Condition:
        return Condition("log_id = %s", (self.log_id,))

    def compare(self, sign: str, leaf: int) -> Condition:
        return Condition(f"leaf {sign} %s", (min(leaf, LAST_LEAF),))

    def among(self, leaves: Condition) -> Condition:
        return Condition(f"leaf IN (SELECT {leaves.sql})", leaves.parameters)

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
