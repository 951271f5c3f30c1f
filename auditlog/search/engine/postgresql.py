"""PostgreSQL: a tsvector of our tokens with GIN, asked with a tsquery of quoted lexemes; no parser
and no dictionary takes part.

GIN gives all hits of a query before the first one can be read, and in no order. A walk along the
table's key gives them in order, but reads whatever is between them. So a search walks through the
first leaves, which gives the page of a common query and shows how common it is, and then counts in
the way that suits that. What is left of the page comes window by window: rows have lexemes for the
blocks of leaves that they are in (see `windows`), with which GIN skips what is outside of one.
"""

from collections.abc import Sequence

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.models import Log
from auditlog.search.engine import lexemes, windows
from auditlog.search.engine.alternatives import alternatives
from auditlog.search.engine.condition import Bounds, Condition, Found, beside
from auditlog.search.engine.hits import Hits
from auditlog.search.expression import Expression, Phrase

_PLANS = """\
SET LOCAL enable_seqscan = off;
SET LOCAL jit = off;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL effective_io_concurrency = 128;
SET LOCAL work_mem = '64MB'"""
"""Estimates know nothing of blocks; a search of milliseconds is worth no compiler and no other
process; pages are asked for well before they are read, which takes half the time; and hits whose
places are only roughly remembered would be read again.
"""
_WALK = 4_096
"""Leaves that every search walks through."""
_COMMON, _FEW = 0.1, 40
"""The share of hits among those leaves from which a longer walk is better than to ask GIN for a
prefix, and the most tokens that are looked for in every row of one.
"""
_SEEN = 64
"""Hits whose tokens are looked at, to find the common ones of many."""
_COMMON_ONES = """\
WITH seen AS MATERIALIZED (
    SELECT terms FROM auditlog_search WHERE log_id = %s AND leaf = ANY (%s)
)
SELECT number FROM unnest(%s::tsquery[]) WITH ORDINALITY AS asked (token, number)
WHERE EXISTS (SELECT 1 FROM seen WHERE ts_match_vq(terms, token))"""
_LED, _SAMPLE = 200_000, 1_024
"""Packets that another table may name so that their rows are looked at, instead of those that GIN
finds by their text; and the newest leaves, one of which has a text that is common.
"""
_SPARE = 1.5
"""How many times as many leaves are counted in as should be enough."""
_RATIO = 3
"""Blocks are asked for if the rest has at least so many times the leaves that they have: GIN takes
longer for a hit when it looks for its block as well.
"""


def find(
    log: Log, expression: Expression, limit: int, *, counted: int = 0, oldest_first: bool = False
) -> Found:
    """See `engine.find`."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_PLANS)
        size, logs = _measure(cursor, log.pk)
        hits = Hits(log, alternatives(expression), alone=logs == 1)
        search = _Search(cursor, hits, size, oldest_first=oldest_first)
        return search.find(limit, counted)


def _measure(cursor: CursorWrapper, log_id: int) -> tuple[int, int]:
    """Return how many leaves a log has now, as it may have grown since it was read, and how many
    logs there are.
    """
    cursor.execute(
        "SELECT size, (SELECT count(*) FROM auditlog_log) FROM auditlog_logend WHERE log_id = %s",
        [log_id],
    )
    row: tuple[int, int] = cursor.fetchone()
    return row


class _Search:
    """One search. ``rest`` are the bounds that are not walked through yet."""

    def __init__(self, cursor: CursorWrapper, hits: Hits, size: int, *, oldest_first: bool) -> None:
        self.cursor = cursor
        self.hits = hits
        self.rest = hits.span(size)
        self.oldest_first = oldest_first

    def find(self, limit: int, counted: int) -> Found:
        leaves = self._walk()
        total = len(leaves)
        commonness = total / _WALK
        missing = max(0, limit - total)
        if counted > total and self.rest.size and not missing:
            total += self._count(counted - total, commonness, leaves)
        elif missing and self.rest.size:
            few = self._read_few(max(counted - total, missing))
            if few is not None:
                leaves += few
                total += len(few)
            else:
                total = max(counted, limit)
                leaves += self._read(missing)
        return Found(leaves[:limit], min(total, max(counted, limit)))

    def _walk(self) -> list[int]:
        bounds, self.rest = windows.cut(self.rest, _WALK, oldest_first=self.oldest_first)
        return self._order(self._leaves(self.hits.walked(bounds)))

    def _count(self, limit: int, commonness: float, walked: Sequence[int]) -> int:
        """Return how many hits the rest has, at most ``limit``."""
        total, likely = 0, int(_SPARE * limit / commonness)
        bounds, beyond = windows.cut(self.rest, likely, oldest_first=self.oldest_first)
        if self.hits.has_prefix:
            if commonness >= _COMMON and self.hits.looks <= _FEW:
                total, self.rest = self._count_walked(bounds, limit, walked), beyond
        elif windows.count_leaves(bounds) * _RATIO < self.rest.size:
            total, self.rest = self._number(self.hits.in_blocks(bounds), limit), beyond
        if total < limit and self.rest.size:
            total += self._number(self._anywhere(self.rest), limit - total)
        return total

    def _count_walked(self, bounds: Bounds, limit: int, walked: Sequence[int]) -> int:
        """Walk on, and look first for the tokens that were seen: they may be enough."""
        tokens = self.hits.tokens
        common = self._find_common(tokens, walked[:_SEEN])
        total = 0
        if len(common) < len(tokens):
            total = self._number(self.hits.narrow(common).walked(bounds), limit)
        return total if total == limit else self._number(self.hits.walked(bounds), limit)

    def _find_common(self, tokens: Sequence[Phrase], leaves: Sequence[int]) -> set[Phrase]:
        """Return those tokens that packets at some leaves have."""
        queries = [lexemes.render(token) for token in tokens]
        self.cursor.execute(_COMMON_ONES, [self.hits.log.pk, list(leaves), queries])
        return {tokens[number - 1] for (number,) in self.cursor.fetchall()}

    def _anywhere(self, bounds: Bounds) -> Condition:
        return self.hits.led(bounds) if self._is_led() else self.hits.anywhere(bounds)

    def _is_led(self) -> bool:
        """Whether another table names few packets, and the text is common."""
        if self.hits.leader is None:
            return False
        leaves = beside(self.hits.log.pk, self.hits.leader, self.rest)
        few = Condition(f"SELECT {leaves.sql}", leaves.parameters)
        if self._number(few, _LED) == _LED:
            return False
        sample, _ = windows.cut(self.rest, _SAMPLE, oldest_first=self.oldest_first)
        return self._number(self.hits.said(sample), 1) > 0

    def _read_few(self, limit: int) -> list[int] | None:
        """Return all hits of the rest; None if there are at least ``limit``."""
        found = self._leaves(self._anywhere(self.rest), limit)
        return self._order(found) if len(found) < limit else None

    def _read(self, limit: int) -> list[int]:
        """Return the first hits of the rest."""
        found: list[int] = []
        for bounds in windows.windows(self.rest, oldest_first=self.oldest_first):
            found += self._first(self.hits.in_blocks(bounds), limit - len(found))
            if len(found) >= limit:
                break
        return found

    def _order(self, leaves: list[int]) -> list[int]:
        return sorted(leaves, reverse=not self.oldest_first)

    def _leaves(self, hits: Condition, limit: int | None = None) -> list[int]:
        self.cursor.execute(f"{hits.sql} LIMIT %s", [*hits.parameters, limit])
        return [leaf for (leaf,) in self.cursor.fetchall()]

    def _first(self, hits: Condition, limit: int) -> list[int]:
        order = "ASC" if self.oldest_first else "DESC"
        self.cursor.execute(
            f"SELECT leaf FROM ({hits.sql}) AS hits ORDER BY leaf {order} LIMIT %s",  # noqa: S608
            [*hits.parameters, limit],
        )
        return [leaf for (leaf,) in self.cursor.fetchall()]

    def _number(self, hits: Condition, limit: int) -> int:
        self.cursor.execute(
            f"SELECT count(*) FROM ({hits.sql} LIMIT %s) AS hits",  # noqa: S608
            [*hits.parameters, limit],
        )
        return int(self.cursor.fetchone()[0])
