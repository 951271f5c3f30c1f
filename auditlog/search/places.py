"""Where a time or a leaf is in the order of `seq`.

Within a log `seq` and `leaf` rise together, and within each segment of it `received` does too (see
`segments`). So a time becomes a range of `seq` for each segment by bisecting over the index of
(log, leaf), and a search that starts there reads nothing older. Most logs have one segment.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import connection
from django.db.backends.utils import CursorWrapper

from auditlog.continuity import segments
from auditlog.models import Log
from auditlog.search.expression import Expression, Phrase, Stretch, all_of, any_of

_Stretch = tuple[Log, int | None, int | None]
"""A range of `seq` in a log; None is no limit."""


class LogPlaces:
    """The places of times and leaves in some logs, in the order of `seq`."""

    def __init__(self, logs: Sequence[Log]) -> None:
        self.logs = logs

    def received(self, start: datetime | None, end: datetime | None) -> Expression:
        """Return packets with ``start <= received < end``; None for no limit."""
        return self._each([stretch for log in self.logs for stretch in _received(log, start, end)])

    def leaves(self, low: int | None, high: int | None) -> Expression:
        """Return packets whose leaf is in ``low..high``, inclusive; None for no limit."""
        after = None if high is None else high + 1
        return self._each(
            [(log, _first_leaf(log, low), _first_leaf(log, after)) for log in self.logs]
        )

    def _each(self, stretches: Sequence[_Stretch]) -> Expression:
        """For one log its ranges; for several each its own. Several ranges lie within the range of
        them all.
        """
        if len(stretches) == 1:
            return Stretch(*stretches[0][1:])
        lows = [low for _, low, _ in stretches]
        highs = [high for _, _, high in stretches]
        span = Stretch(
            None if None in lows else min([low for low in lows if low is not None], default=None),
            None
            if None in highs
            else max([high for high in highs if high is not None], default=None),
        )
        if len(self.logs) == 1:
            return all_of([span, any_of([Stretch(low, high) for _, low, high in stretches])])
        each = [
            all_of([Phrase((f"log={log.slug}",)), Stretch(low, high)])
            for log, low, high in stretches
        ]
        return all_of([span, any_of(each)])


_BEYOND = 2**63 - 1
"""A `seq` that no packet has."""


_FIRST = """
SELECT seq FROM auditlog_packet WHERE log_id = %s AND leaf >= %s ORDER BY leaf LIMIT 1
"""
_BISECT = """
WITH RECURSIVE span (low, high) AS (
    SELECT CAST(%s AS bigint), CAST(%s AS bigint)
    UNION ALL
    SELECT
        CASE WHEN p.received < %s AND p.leaf < span.high THEN p.leaf + 1 ELSE span.low END,
        CASE
            WHEN p.received < %s AND p.leaf < span.high THEN span.high
            ELSE (span.low + span.high) / 2
        END
    FROM span LEFT JOIN auditlog_packet p ON p.log_id = %s AND p.leaf = (
        SELECT MIN(q.leaf) FROM auditlog_packet q
        WHERE q.log_id = %s AND q.leaf >= (span.low + span.high) / 2
    )
    WHERE span.low < span.high
)
SELECT low FROM span WHERE low >= high
"""
"""One statement, because a step in Python costs more than the look-up that it makes."""


def _first_leaf(log: Log, leaf: int | None) -> int | None:
    """The `seq` of the first packet at or after a leaf."""
    if leaf is None:
        return None
    with connection.cursor() as cursor:
        return _first_packet(cursor, log, leaf)


def _first_packet(cursor: CursorWrapper, log: Log, leaf: int) -> int:
    cursor.execute(_FIRST, (log.pk, min(leaf, _BEYOND)))
    found = cursor.fetchone()
    return found[0] if found else _BEYOND


def _received(log: Log, start: datetime | None, end: datetime | None) -> Iterator[_Stretch]:
    """The range of each segment."""
    for first, after in segments.bounds(log):
        low = (
            _first_leaf(log, first or None)
            if start is None
            else _first_received(log, start, first, after)
        )
        if end is None:
            high = None if after == log.size else _first_leaf(log, after)
        else:
            high = _first_received(log, end, first, after)
        yield log, low, high


def _first_received(log: Log, moment: datetime, low: int, high: int) -> int:
    """The `seq` of the first packet among the leaves from ``low`` up to ``high`` that was received
    at or after a moment, else of the first packet after them.
    """
    when = connection.ops.adapt_datetimefield_value(moment)
    with connection.cursor() as cursor:
        cursor.execute(_BISECT, (low, high, when, when, log.pk, log.pk))
        return _first_packet(cursor, log, cursor.fetchone()[0])
