"""Where a time or a leaf is in the order of `seq`.

Within a log, `seq`, `leaf` and `received` rise together (see `models.Log`), so that a time becomes a range of `seq` by
bisecting over the index of (log, leaf), and a search that starts there reads nothing older.
"""

from collections.abc import Sequence
from datetime import datetime

from auditlog.models import Log, Packet
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


def _first_leaf(log: Log, leaf: int | None) -> int | None:
    """The `seq` of the first packet at or after a leaf."""
    if leaf is None:
        return None
    found = _at(log, leaf)
    return _BEYOND if found is None else found[0]


def _first_received(log: Log, moment: datetime | None) -> int | None:
    """The `seq` of the first packet received at or after a moment."""
    if moment is None:
        return None
    low, high = 0, log.size
    while low < high:
        middle = (low + high) // 2
        found = _at(log, middle)
        if found is None or found[1] >= moment:
            high = middle
        else:
            # The leaves from the middle to this packet are no packets, or not later than it.
            low = found[2] + 1
    return _first_leaf(log, low)


def _at(log: Log, leaf: int) -> tuple[int, datetime, int] | None:
    """`seq`, `received` and leaf of the first packet at or after a leaf; None after the last one."""
    packets = Packet.objects.filter(log=log, leaf__gte=min(leaf, _BEYOND)).order_by("leaf")
    return packets.values_list("seq", "received", "leaf").first()
