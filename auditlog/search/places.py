"""Where a time or a leaf is in the order of `seq`.

Within a log, `seq`, `leaf` and `received` rise together (see `models.Log`), so that a time becomes a range of `seq` by
bisecting over the index of (log, leaf), and a search that starts there reads nothing older.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection
from django.db.backends.utils import CursorWrapper

from auditlog.models import Log
from auditlog.search.expression import Expression, Phrase, Stretch, all_of, any_of


class LogPlaces:
    """The places in some logs, as `compile.Places` asks for them."""

    def __init__(self, logs: Sequence[Log]) -> None:
        self.logs = logs

    def received(self, start: datetime | None, end: datetime | None) -> Expression:
        return self._each([(log, _first_received(log, start), _first_received(log, end)) for log in self.logs])

    def leaves(self, low: int | None, high: int | None) -> Expression:
        after = None if high is None else high + 1
        return self._each([(log, _first_leaf(log, low), _first_leaf(log, after)) for log in self.logs])

    def _each(self, stretches: Sequence[tuple[Log, int | None, int | None]]) -> Expression:
        """For one log its range; for several each its own, within the range of them all."""
        if len(stretches) == 1:
            return Stretch(*stretches[0][1:])
        lows = [low for _, low, _ in stretches]
        highs = [high for _, _, high in stretches]
        span = Stretch(
            None if None in lows else min([low for low in lows if low is not None], default=None),
            None if None in highs else max([high for high in highs if high is not None], default=None),
        )
        each = [all_of([Phrase((f"log={log.slug}",)), Stretch(low, high)]) for log, low, high in stretches]
        return all_of([span, any_of(each)])


_BEYOND = 2**63 - 1
"""A `seq` that no packet has."""


_FIRST = "SELECT seq, leaf, received < %s FROM auditlog_packet WHERE log_id = %s AND leaf >= %s ORDER BY leaf LIMIT 1"


def _first_leaf(log: Log, leaf: int | None) -> int | None:
    """The `seq` of the first packet at or after a leaf."""
    if leaf is None:
        return None
    with connection.cursor() as cursor:
        return _first_packet(cursor, log, leaf)


def _first_packet(cursor: CursorWrapper, log: Log, leaf: int) -> int:
    cursor.execute(_FIRST, (None, log.pk, min(leaf, _BEYOND)))
    found = cursor.fetchone()
    return found[0] if found else _BEYOND


def _first_received(log: Log, moment: datetime | None) -> int | None:
    """The `seq` of the first packet received at or after a moment."""
    if moment is None:
        return None
    when = connection.ops.adapt_datetimefield_value(moment)
    low, high = 0, log.size
    with connection.cursor() as cursor:
        while low < high:
            middle = (low + high) // 2
            cursor.execute(_FIRST, (when, log.pk, middle))
            found = cursor.fetchone()
            if found and found[2]:
                # Nothing from the middle to this packet is a packet, or later than it.
                low = found[1] + 1
            else:
                high = middle
        return _first_packet(cursor, log, low)
