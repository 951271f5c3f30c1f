"""Bars of equal width over a range of time, in UTC."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from auditlog.search.facets.shapes import Bar, Histogram
from auditlog.search.facets.times import FIRST, LAST

MAX_BARS = 60
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
WIDTHS = (
    1, 2, 5, 15, 30,
    _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 15 * _MINUTE, 30 * _MINUTE,
    _HOUR, 2 * _HOUR, 6 * _HOUR, 12 * _HOUR,
    _DAY, 2 * _DAY, 7 * _DAY, 28 * _DAY, 91 * _DAY, 364 * _DAY, 3_640 * _DAY,
    36_400 * _DAY, 364_000 * _DAY,
)  # fmt: skip
"""Seconds that a bar may cover. The last one holds the whole calendar."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ORIGIN = -3 * _DAY
"""Seconds from the epoch to a Monday, where bars of every width begin."""

Received = tuple[datetime | None, bool]
"""When a packet was received, if that can be read, and whether it is valid."""


def draw(
    received: Sequence[Received], start: datetime | None = None, end: datetime | None = None
) -> Histogram:
    """Return the histogram of packets over the range of a query, or over their own where it has no
    limit. A packet outside the range extends it.
    """
    dated = [(_seconds(at), valid) for at, valid in received if at is not None]
    undated = len(received) - len(dated)
    if not dated:
        return Histogram(0, (), undated)
    seconds = [at for at, _ in dated]
    low, high = min(seconds), max(seconds)
    low = low if start is None else min(low, _seconds(start))
    # A query ends before the moment that limits it.
    high = high if end is None else max(high, _seconds(end - timedelta(microseconds=1)))
    width = _choose_width(low, high)
    first, last = _place(low, width), _place(high, width)
    counts = Counter(_place(at, width) for at in seconds)
    invalid = Counter(_place(at, width) for at, valid in dated if not valid)
    bars = (
        Bar(_moment(place, width), _moment(place + 1, width), counts[place], invalid[place])
        for place in range(first, last + 1)
    )
    return Histogram(width, tuple(bars), undated)


def _choose_width(low: int, high: int) -> int:
    return next(width for width in WIDTHS if _place(high, width) - _place(low, width) < MAX_BARS)


def _place(seconds: int, width: int) -> int:
    return (seconds - _ORIGIN) // width


def _seconds(moment: datetime) -> int:
    since = moment - _EPOCH
    return since.days * _DAY + since.seconds


def _moment(place: int, width: int) -> datetime:
    """Return the start of a bar; the limits of the calendar beyond them."""
    try:
        return _EPOCH + timedelta(seconds=place * width + _ORIGIN)
    except OverflowError:
        return FIRST if place < 0 else LAST
