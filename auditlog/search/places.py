"""Where a time or a leaf index is in a log, as ranges of leaves.

Within each segment of a log, receive times rise with the leaves (see `segments`). So a time becomes
a range of leaves for each segment by bisecting over the index of (log, leaf), and a search that
starts there reads nothing older. Most logs have one segment.
"""

from datetime import datetime

from django.db import connection

from auditlog.continuity import segments
from auditlog.models import Log
from auditlog.search.expression import Expression, Stretch, all_of, any_of


class LogPlaces:
    """The places of times and leaves in a log, which comes with its end."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def received(self, start: datetime | None, end: datetime | None) -> Expression:
        """Return packets with ``start <= received < end``; None for no limit."""
        ranges = []
        for first, after in segments.bounds(self.log):
            low = first or None if start is None else _first_received(self.log, start, first, after)
            is_last = after == self.log.end.size
            if end is None:
                high = None if is_last else after
            else:
                high = _first_received(self.log, end, first, after)
            ranges.append(Stretch(low, high))
        if len(ranges) == 1:
            return ranges[0]
        return all_of([_span(ranges), any_of(ranges)])

    def leaves(self, low: int | None, high: int | None) -> Expression:
        """Return packets whose leaf is in ``low..high``, inclusive; None for no limit."""
        return Stretch(low, None if high is None else high + 1)


def _span(ranges: list[Stretch]) -> Stretch:
    """Return the range that contains all of them."""
    lows = [one.low for one in ranges if one.low is not None]
    highs = [one.high for one in ranges if one.high is not None]
    return Stretch(
        min(lows) if len(lows) == len(ranges) else None,
        max(highs) if len(highs) == len(ranges) else None,
    )


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


def _first_received(log: Log, moment: datetime, low: int, high: int) -> int:
    """Return the first of the leaves from ``low`` up to ``high`` that no packet received before a
    moment has or follows; ``high`` if all are earlier.
    """
    when = connection.ops.adapt_datetimefield_value(moment)
    with connection.cursor() as cursor:
        cursor.execute(_BISECT, (low, high, when, when, log.pk, log.pk))
        return int(cursor.fetchone()[0])
