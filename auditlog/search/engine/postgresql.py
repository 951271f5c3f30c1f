"""PostgreSQL: a tsvector of our tokens with GIN, asked with a tsquery of quoted lexemes; no parser
and no dictionary takes part.

GIN gives all hits of a query before the first one can be read, and in no order. A walk along the
table's key gives them in order, but reads whatever is between them. So a search walks through the
first leaves, which gives the page of a common query and shows how common it is. What is left of the
page comes window by window: rows have lexemes for the blocks of leaves that they are in (see
`windows`), with which GIN skips what is outside of one. The hits are counted on another connection
while the caller draws the page (see `counting`), in the way that suits their number.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import ceil
from time import monotonic

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.models import Log
from auditlog.search.engine import counting, lexemes, windows
from auditlog.search.engine.alternatives import alternatives
from auditlog.search.engine.condition import Bounds, Condition, Found, Total, beside
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
"""Leaves that every search walks through, unless the page is full after a quarter of them."""
_COMMON, _FEW = 0.1, 40
"""The share of hits among those leaves from which a longer walk is better than to ask GIN for a
prefix, and the most tokens that are looked for in every row of one.
"""
_DENSE = 0.3
"""The share of hits from which a walk is better than to ask GIN for whole tokens."""
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
_PLENTY = 4
"""A page is read window by window if so many times its hits are likely. Otherwise, GIN is asked for
all of them, which counts them as well.
"""
_SPARE, _LEAST = 1.25, 8_192
"""How many times as many leaves a window has as should be enough, and how many at least."""
_RATIO = 1.5
"""Blocks are asked for if the rest has at least so many times the leaves that they have."""


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
    with _planned() as cursor:
        size, logs = _measure(cursor, log.pk)
        hits = Hits(log, alternatives(expression), alone=logs == 1)
        search = _Search(cursor, hits, size, oldest_first=oldest_first)
        leaves = search.read(limit, counted)
    if search.total >= counted or not search.rest.size:
        number = max(len(leaves), min(search.total, max(counted, limit)))
        return Found(leaves, lambda: Total(number))
    search.least = len(leaves)
    if connection.in_atomic_block:  # whose other statements would have the timeout too
        until = None
    return Found(leaves, counting.begin(partial(search.count, counted, until)))


@contextmanager
def _planned() -> Iterator[CursorWrapper]:
    """A cursor, in a transaction whose plans are those of searches."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_PLANS)
        yield cursor


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


class _Late(Exception):
    """The time for counting is over."""


class _Search:
    """One search. ``total`` hits are counted, and ``rest`` are the bounds that are not yet. There
    are at least ``least``.
    """

    def __init__(self, cursor: CursorWrapper, hits: Hits, size: int, *, oldest_first: bool) -> None:
        self.cursor = cursor
        self.hits = hits
        self.rest = windows.span(hits.ways, size)
        self.oldest_first = oldest_first
        self.walked: list[int] = []
        self._width = 0
        self.total = 0
        self.least = 0
        self.until: float | None = None

    def read(self, limit: int, counted: int) -> list[int]:
        """Return the first hits. If that takes all of them, they are counted as well."""
        self._walk(limit)
        leaves, self.total = self.walked, len(self.walked)
        missing = limit - self.total
        if missing <= 0 or not self.rest.size:
            return leaves[:limit]
        likely = self._commonness * self.rest.size
        is_plenty = likely >= _PLENTY * missing
        if is_plenty and (self._is_walked or not self.hits.has_prefix):
            return leaves + self._read(missing)
        few = self._read_few(max(counted - self.total, missing))
        if few is None:
            self.total = max(counted, limit)
            return leaves + self._read(missing)
        self.total += len(few)
        self.rest = Bounds(0, 0)
        return (leaves + few)[:limit]

    def _walk(self, limit: int) -> None:
        """Walk through the first leaves, and remember the hits."""
        first = max(1, _WALK // 4)
        for size in (first, _WALK - first):
            bounds, self.rest = windows.cut(self.rest, size, oldest_first=self.oldest_first)
            if bounds.size:
                self.walked += self._order(self._leaves(self.hits.walked(bounds)))
                self._width += bounds.size
            if len(self.walked) >= limit:
                break

    def count(self, limit: int, until: float | None) -> Total:
        """Count on, up to ``limit``, in a transaction of its own, until some time."""
        self.until = until
        try:
            with _planned() as self.cursor:
                self._count(limit)
        except (_Late, OperationalError):
            # PostgreSQL says that it canceled a statement, and not why.
            if until is None or monotonic() < until:
                raise
            return Total(max(self.least, self.total), is_all=False)
        return Total(self.total)

    @property
    def _commonness(self) -> float:
        """The share of hits among the leaves that were walked through."""
        return len(self.walked) / max(1, self._width)

    @property
    def _is_walked(self) -> bool:
        """Whether a longer walk finds the hits of a prefix sooner than GIN."""
        is_common = self._commonness >= _COMMON and self.hits.looks <= _FEW
        return self.hits.has_prefix and is_common

    def _count(self, limit: int) -> None:
        """Count the hits of the rest, until there are ``limit`` in total."""
        for bounds, beyond in self._windows(limit - self.total):
            if self.total == limit:
                break
            if self.hits.has_prefix:
                if self._is_walked:
                    self.total += self._count_walked(bounds, limit - self.total)
                    self.rest = beyond
                break
            if windows.count_leaves(bounds) * _RATIO >= self.rest.size:
                break
            self.total += self._number(self.hits.in_blocks(bounds), limit - self.total)
            self.rest = beyond
        if self.total < limit and self.rest.size:
            self.total += self._number(self._anywhere(self.rest), limit - self.total)

    def _count_walked(self, bounds: Bounds, limit: int) -> int:
        """Walk on, and look first for the tokens that were seen: they may be enough."""
        tokens = self.hits.tokens
        common = self._find_common(tokens, self.walked[:_SEEN])
        if len(common) < len(tokens):
            few = self.hits.narrow(common)
            is_asked = self._commonness < _DENSE and not few.has_prefix
            number = self._number(few.in_blocks(bounds) if is_asked else few.walked(bounds), limit)
            if number == limit:
                return number
            self.least = max(self.least, self.total + number)
        return self._number(self.hits.walked(bounds), limit)

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
        ask = self.hits.walked if self._is_walked else self.hits.in_blocks
        for bounds, _ in self._windows(limit):
            found += self._first(ask(bounds), limit - len(found))
            if len(found) >= limit:
                break
        return found

    def _windows(self, number: int) -> Iterator[tuple[Bounds, Bounds]]:
        """Yield windows of the rest, of which the first should have so many hits, each with what is
        beyond it.
        """
        likely = int(_SPARE * number * self._width / max(1, len(self.walked)))
        return windows.windows(self.rest, max(likely, _LEAST), oldest_first=self.oldest_first)

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
        if self.until is not None:
            left = ceil(1_000 * (self.until - monotonic()))
            if left <= 0:
                raise _Late
            self.cursor.execute(f"SET LOCAL statement_timeout = {left}")
        self.cursor.execute(
            f"SELECT count(*) FROM ({hits.sql} LIMIT %s) AS hits",  # noqa: S608
            [*hits.parameters, limit],
        )
        return int(self.cursor.fetchone()[0])
