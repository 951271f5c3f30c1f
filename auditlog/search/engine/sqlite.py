"""FTS5: one statement gives the page and the count, because it reads the hits in order.

One full-text match answers wherever tokens alone decide, and ranges of row numbers go with it.
"""

from collections.abc import Callable, Iterable

from django.db import connection

from auditlog.models import Log
from auditlog.search.engine.alternatives import alternatives
from auditlog.search.engine.condition import (
    Bounds,
    Condition,
    Found,
    beside,
    combine,
    join,
    named,
)
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
from auditlog.search.terms import SIGN

_LEAF = f"rowid & {LAST_LEAF} AS leaf"
_FEW = 50
"""So many packets that another table names are looked up in the text one by one. FTS5 reads about
2,000 hits in the time of one look-up.
"""


def find(
    log: Log, expression: Expression, limit: int, *, counted: int = 0, oldest_first: bool = False
) -> Found:
    """See `engine.find`."""
    hits, column = _select(log, expression)
    order = "ASC" if oldest_first else "DESC"
    with connection.cursor() as cursor:
        # One text of all leaves, in their order: 10,000 rows take Python longer than FTS5.
        cursor.execute(
            f"SELECT count(*), group_concat(leaf) FROM ({hits.sql}"  # noqa: S608
            f" ORDER BY {column} {order} LIMIT %s)",
            [*hits.parameters, max(limit, counted)],
        )
        number, leaves = cursor.fetchone()
    first = leaves.split(",", limit)[:limit] if leaves else []
    return Found([int(leaf) for leaf in first], lambda: int(number))


def _select(log: Log, expression: Expression) -> tuple[Condition, str]:
    """Return a SELECT of all leaves that an expression holds of, and the column to order by: FTS5
    gives its rows in order only by their number.
    """
    ways = alternatives(expression)
    if len(ways) == 1 and ways[0].is_named:
        high = LAST_LEAF if ways[0].high is None else ways[0].high
        return named(log.pk, ways[0], Bounds(ways[0].low, high)), "leaf"
    where = _where(expression, _Engine(Phrase((f"{SIGN}log={log.slug}",)), log.pk))
    select = f"SELECT {_LEAF} FROM auditlog_search WHERE {where.sql}"  # noqa: S608
    return Condition(select, where.parameters), "rowid"


def _where(expression: Expression, engine: "_Engine") -> Condition:
    """Return the WHERE clause for everything in the universe that an expression holds of."""
    parts = expression.parts if isinstance(expression, AllOf) else (expression,)
    text = [part for part in parts if is_text(part) and part != ALWAYS]
    rest = [part for part in parts if not is_text(part)]
    # With nothing else to match, the packets that another table names lead to their rows.
    engine.is_matched = bool(text) or not any(isinstance(one, Reviewed | Detected) for one in rest)
    conditions = [engine.within_log(), *(combine(one, engine.ask) for one in rest)]
    if engine.is_matched:
        conditions.insert(0, engine.match(AllOf(tuple(text))))
    return join(" AND ", conditions)


class _Engine:
    """The query language of FTS5. Its NOT stands between two expressions, so what is only negative
    is taken from the universe. ``is_matched`` says that a full-text match reads the rows.
    """

    def __init__(self, universe: Expression, log_id: int) -> None:
        self.universe = universe
        self.log_id = log_id
        self.is_matched = True

    def ask(self, expression: Expression) -> Condition:
        """Return a condition on single rows."""
        if is_text(expression):
            return self.contains(expression)
        match expression:
            case Stretch(low, high):
                limits = [(">=", low), ("<", high)]
                return join(
                    " AND ",
                    [self.compare(sign, at) for sign, at in limits if at is not None]
                    or [Condition("1 = 1", ())],
                )
            case Reviewed() | Detected():
                return self.among(beside(self.log_id, expression))
        raise AssertionError(expression)

    def within_log(self) -> Condition:
        rows = (row_number(self.log_id, 0), row_number(self.log_id, LAST_LEAF))
        return Condition("rowid BETWEEN %s AND %s", rows)

    def compare(self, sign: str, leaf: int) -> Condition:
        return Condition(f"rowid {sign} %s", (row_number(self.log_id, min(leaf, LAST_LEAF)),))

    def among(self, leaves: Condition) -> Condition:
        """Match the leaves that a SELECT gives."""
        number = row_number(self.log_id, 0)
        inner = f"SELECT {number} + leaf FROM (SELECT {leaves.sql})"  # noqa: S608
        # The plus keeps SQLite from a match for each of the leaves.
        row = "+rowid" if self.is_matched and not _are_few(leaves) else "rowid"
        return Condition(f"{row} IN ({inner})", leaves.parameters)

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


def _are_few(leaves: Condition) -> bool:
    with connection.cursor() as cursor:
        some = f"SELECT 1 FROM (SELECT {leaves.sql}) LIMIT {_FEW + 1}"  # noqa: S608
        cursor.execute(some, leaves.parameters)
        return len(cursor.fetchall()) <= _FEW


def _infix(joint: str, parts: Iterable[Expression], render: Callable[[Expression], str]) -> str:
    return f"({joint.join([render(part) for part in parts])})"
