"""Read the rollup: by day, or by the values of a dimension, for a range of days.

Whole months are read from their own rows, so a year takes as many rows as two months. The last
month counts as whole if the range reaches beyond the newest day of the log.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from operator import add
from typing import NamedTuple

from django.db import connection
from django.db.models import Max, Min, QuerySet

from auditlog.models import Rollup, RollupPosition
from auditlog.rollup.counting import ALL, ALL_SOURCES, DAY, MONTH
from auditlog.rollup.tally import COUNTERS

_DAY = timedelta(days=1)
_COLUMNS = ", ".join(f"SUM({name})" for name in COUNTERS)
_SUMS = (
    f"SELECT value, {_COLUMNS} FROM auditlog_rollup"  # noqa: S608 - names of our own
    " WHERE log_id = %s AND dimension = %s AND source = %s AND period = %s"
    " AND start BETWEEN %s AND %s GROUP BY value"
)


class Counts(NamedTuple):
    """The counters of a value, see `Rollup`."""

    packets: int = 0
    invalid: int = 0
    tokens: int = 0
    json_packets: int = 0
    json_sent: int = 0
    json_tokens: int = 0
    english_read: int = 0
    english_packets: int = 0
    english_sent: int = 0
    english_tokens: int = 0


class Span(NamedTuple):
    """A range of days, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def find_span(log_id: int) -> Span | None:
    """Return the first and the last day with packets; None for an empty log."""
    days = _rows(log_id, ALL, ALL_SOURCES, DAY).filter(packets__gt=0)
    found = days.aggregate(first=Min("start"), last=Max("start"))
    return None if found["first"] is None else Span(found["first"], found["last"])


def read_days(log_id: int, span: Span, *, source: int = ALL_SOURCES) -> dict[date, Counts]:
    """Return the counts of each day that has any."""
    days = _rows(log_id, ALL, source, DAY).filter(start__range=span)
    return {start: Counts(*counts) for start, *counts in days.values_list("start", *COUNTERS)}


def read_values(
    log_id: int, dimension: str, span: Span, *, newest: date, source: int = ALL_SOURCES
) -> dict[str, Counts]:
    """Return the counts of each value, most packets first. ``newest`` is the log's last day."""
    found: dict[str, list[int]] = {}
    for period, part in cut(span, newest):
        with connection.cursor() as cursor:
            cursor.execute(_SUMS, (log_id, dimension, source, period, *map(str, part)))
            for value, *counts in cursor.fetchall():
                present = found.get(value)
                found[value] = list(map(add, present, counts)) if present else counts
    # PostgreSQL adds up to decimals.
    some = ((value, Counts(*map(int, counts))) for value, counts in found.items() if counts[0])
    return dict(sorted(some, key=lambda each: (-each[1].packets, each[0])))


def cut(span: Span, newest: date) -> Iterator[tuple[str, Span]]:
    """Yield the days before whole months, the whole months, and the days after them."""
    first = _month(span.first) if span.first.day == 1 else _after(span.first)
    beyond = _after(span.last)
    whole_last = span.last >= newest or span.last == beyond - _DAY
    end = beyond if whole_last else _month(span.last)
    if first >= end:
        yield DAY, span
        return
    if span.first < first:
        yield DAY, Span(span.first, first - _DAY)
    yield MONTH, Span(first, end - _DAY)
    if end <= span.last:
        yield DAY, Span(end, span.last)


def count_left(log_id: int) -> int:
    """Return how many leaves of a log are not counted yet, see `recount`."""
    position = RollupPosition.objects.filter(pk=log_id).first()
    return 0 if position is None else position.until - position.leaf


def _rows(log_id: int, dimension: str, source: int, period: str) -> QuerySet[Rollup]:
    return Rollup.objects.filter(log_id=log_id, dimension=dimension, source=source, period=period)


def _month(day: date) -> date:
    return day.replace(day=1)


def _after(day: date) -> date:
    """Return the first day of the next month."""
    return _month(_month(day) + timedelta(days=32))
