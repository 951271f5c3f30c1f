"""The range of time that a query asks for, and ranges as a query names them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from auditlog.search.language import values
from auditlog.search.query import Clause

FIRST = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)
KEYS = frozenset({"ts", "since", "until"})


def find_range(clauses: Iterable[Clause], now: datetime) -> values.Limits:
    """Return the time from which, and before which, all clauses of a query hold; None for no limit.

    A query that has a start ends now, and none ends later. Raises QueryError.
    """
    limits = [values.received(clause.key, clause.value, now) for clause in clauses if clause.key]
    start = max((low for low, _ in limits if low is not None), default=None)
    end = min((high for _, high in limits if high is not None), default=None)
    if start is not None or end is not None:
        end = now if end is None else min(end, now)
    return (None, None) if start and end and start >= end else (start, end)


def name_start(at: datetime) -> str:
    """Return what is before the dots of ``ts:`` for packets received from a moment on; empty for
    the first moment of the calendar.
    """
    return "" if at == FIRST else _name(at, _unit(at))


def name_end(at: datetime) -> str:
    """Return what is after the dots for packets received before a moment; empty for the last one.

    A query includes the whole day, minute, or second that ends there, so this names it.
    """
    return "" if at == LAST else _name(at - timedelta(seconds=_unit(at)), _unit(at))


def _unit(at: datetime) -> int:
    """Return the seconds of the longest unit that begins at a moment: a day, a minute, or a
    second.
    """
    if at.second:
        return 1
    return 60 if at.hour or at.minute else 86_400


def _name(at: datetime, unit: int) -> str:
    length = {86_400: 10, 60: 16, 1: 19}[unit]
    return at.replace(tzinfo=None).isoformat()[:length]
