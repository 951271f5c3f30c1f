"""FTS5: a search reads the index partition by partition, the newest first, in windows that grow.

In a window, one full-text match answers wherever tokens alone decide, and ranges of row numbers go
with it. One statement gives the page and the count, because FTS5 reads the hits in order.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock
from time import monotonic

from django.db import connection

from auditlog.models import Log
from auditlog.search import table
from auditlog.search.engine import counting, windows
from auditlog.search.engine.alternatives import Alternative, alternatives
from auditlog.search.engine.condition import (
    Bounds,
    Condition,
    Found,
    Total,
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
    phrases,
)
from auditlog.search.table import LAST_LEAF, partition_mark, row_number
from auditlog.search.terms import SIGN

_LEAF = f"rowid & {LAST_LEAF} AS leaf"
_FEW = 50
"""So many packets that another table names are looked up in the text one by one. FTS5 reads about
2,000 hits in the time of one look-up.
"""
_PHRASES = 512
"""A window has no more partitions than that so many phrases are looked up, if it has several."""
_PATIENCE = 0.006
"""Seconds after which a search whose page is read lets others count on."""
_COUNTERS = 2
"""Connections that then count."""


def find(
    log: Log,
    expression: Expression,
    limit: int,
    counted: int,
    until: float | None,
    *,
    oldest_first: bool,
) -> Found:
    """See `engine.find`. It counts until ``until``, as `time.monotonic` tells the time."""
    end = monotonic() + _PATIENCE
    search = _Search(log, expression, limit, max(limit, counted), oldest_first=oldest_first)
    while search.step() and not (search.is_read and monotonic() > end):
        pass
    if search.is_counted:
        return Found(search.leaves, lambda: Total(search.total))
    waiting = [counting.begin(partial(search.count, until)) for _ in range(_COUNTERS)]

    def total() -> Total:
        for wait in waiting:
            wait()
        return Total(min(search.total, search.most), search.is_counted)

    return Found(search.leaves, total)


class _Search:
    """One search: the first ``limit`` leaves, and the ``total`` of its hits, at most ``most``. Once
    the leaves are read, several threads may count the windows that are left.
    """

    def __init__(
        self, log: Log, expression: Expression, limit: int, most: int, *, oldest_first: bool
    ) -> None:
        self.log = log
        self.expression = expression
        self.ways = alternatives(expression)
        self.limit = limit
        self.most = most
        self.oldest_first = oldest_first
        self.leaves: list[int] = []
        self.total = 0
        self._rest = windows.span(self.ways, _measure(log.pk))
        self._partitions = 0
        self._most_partitions = max(1, _PHRASES // max(1, sum(1 for _ in phrases(expression))))
        self._lock = Lock()

    @property
    def is_read(self) -> bool:
        return len(self.leaves) == self.limit

    @property
    def is_counted(self) -> bool:
        return self.total >= self.most or not self._rest.size

    def count(self, until: float | None) -> None:
        """Count the windows that are left, until some time."""
        while (until is None or monotonic() < until) and self.step():
            pass

    def step(self) -> bool:
        """Search the next window. Returns whether there was one that may have more hits."""
        with self._lock:
            if self.is_counted:
                return False
            missing, rest = self.limit - len(self.leaves), self.most - self.total
            window = self._cut()
        hits, column = _select(self.log, self.expression, self.ways, window)
        leaf, sort = "NULL", ""
        if missing:
            # One text of all leaves, in their order: 10,000 rows take Python longer than FTS5.
            order = "ASC" if self.oldest_first else "DESC"
            leaf, sort = "group_concat(leaf)", f" ORDER BY {column} {order}"
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT count(*), {leaf} FROM ({hits.sql}{sort} LIMIT %s)",  # noqa: S608
                [*hits.parameters, rest],
            )
            number, found = cursor.fetchone()
        with self._lock:
            self.total += number
            if found:
                self.leaves += map(int, found.split(",", missing)[:missing])
        return True

    def _cut(self) -> Bounds:
        """Take the next window, of whole partitions: while leaves are missing, as many as there
        were before, and later an eighth, so that others can count at the same time.
        """
        number = self._partitions // (8 if self.is_read else 1)
        number = max(1, min(number, self._most_partitions))
        if self.oldest_first:
            size = (self._rest.low // table.PARTITION + number) * table.PARTITION - self._rest.low
        else:
            last = (self._rest.high - 1) // table.PARTITION
            size = self._rest.high - (last + 1 - number) * table.PARTITION
        window, self._rest = windows.cut(self._rest, size, oldest_first=self.oldest_first)
        self._partitions += number
        return window


def _measure(log_id: int) -> int:
    """Return how many leaves a log has now, as it may have grown since it was read."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT size FROM auditlog_logend WHERE log_id = %s", [log_id])
        return int(cursor.fetchone()[0])


def _select(
    log: Log, expression: Expression, ways: Sequence[Alternative], window: Bounds
) -> tuple[Condition, str]:
    """Return a SELECT of all leaves of a window that an expression holds of, and the column to
    order by: FTS5 gives its rows in order only by their number.
    """
    if len(ways) == 1 and ways[0].is_named:
        return named(log.pk, ways[0], window), "leaf"
    engine = _Engine(Phrase((f"{SIGN}log={log.slug}",)), log.pk, window)
    where = _where(expression, engine)
    select = f"SELECT {_LEAF} FROM auditlog_search WHERE {where.sql}"  # noqa: S608
    return Condition(select, where.parameters), "rowid"


def _where(expression: Expression, engine: "_Engine") -> Condition:
    """Return the WHERE clause for everything in the window that an expression holds of."""
    parts = expression.parts if isinstance(expression, AllOf) else (expression,)
    text = [part for part in parts if is_text(part) and part != ALWAYS]
    rest = [part for part in parts if not is_text(part)]
    # With nothing else to match, the packets that another table names lead to their rows.
    engine.is_matched = bool(text) or not any(isinstance(one, Reviewed | Detected) for one in rest)
    conditions = [engine.within_window(), *(combine(one, engine.ask) for one in rest)]
    if engine.is_matched:
        conditions.insert(0, engine.match(AllOf(tuple(text))))
    return join(" AND ", conditions)


class _Engine:
    """The query language of FTS5. Its NOT stands between two expressions, so what is only negative
    is taken from the universe. ``is_matched`` says that a full-text match reads the rows.
    """

    def __init__(self, universe: Expression, log_id: int, window: Bounds) -> None:
        self.universe = universe
        self.log_id = log_id
        self.window = window
        first, last = window.low // table.PARTITION, (window.high - 1) // table.PARTITION
        self.marks = list(dict.fromkeys(map(partition_mark, range(first, last + 1))))
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
                return self.among(beside(self.log_id, expression, self.window))
        raise AssertionError(expression)

    def within_window(self) -> Condition:
        low, high = self.window
        rows = (row_number(self.log_id, low), row_number(self.log_id, high - 1))
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
        rows = self.within_window()
        inner = (
            "SELECT rowid FROM auditlog_search WHERE auditlog_search MATCH %s"  # noqa: S608
            f" AND {rows.sql}"
        )
        return Condition(f"+rowid IN ({inner})", (self.render(expression), *rows.parameters))

    def render(self, expression: Expression) -> str:
        """Return a query of FTS5 for all partitions of the window."""
        return " OR ".join([self._render(expression, mark) for mark in self.marks])

    def _render(self, expression: Expression, mark: str) -> str:
        render = partial(self._render, mark=mark)
        match expression:
            case Phrase(tokens, prefix):
                quoted = " + ".join([_quote(mark + token) for token in tokens])
                return f"{quoted} *" if prefix else quoted
            case AllOf(parts):
                required: list[Expression] = [
                    part for part in parts if not isinstance(part, Without)
                ]
                unwanted = [part.part for part in parts if isinstance(part, Without)]
                match = _infix(" AND ", required or [self.universe], render)
                return f"({match} NOT {_infix(' OR ', unwanted, render)})" if unwanted else match
            case AnyOf(parts):
                return _infix(" OR ", parts, render)
            case Without():
                return render(AllOf((expression,)))
        raise AssertionError(expression)


def _quote(token: str) -> str:
    return '"' + token.replace('"', '""') + '"'


def _are_few(leaves: Condition) -> bool:
    with connection.cursor() as cursor:
        some = f"SELECT 1 FROM (SELECT {leaves.sql}) LIMIT {_FEW + 1}"  # noqa: S608
        cursor.execute(some, leaves.parameters)
        return len(cursor.fetchall()) <= _FEW


def _infix(joint: str, parts: Iterable[Expression], render: Callable[[Expression], str]) -> str:
    return f"({joint.join([render(part) for part in parts])})"
