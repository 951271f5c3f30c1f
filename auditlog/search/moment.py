"""Times as people type them in a query: ``7d``, ``2026-11-20``, ``2026-11-20T13:45+01:00``. Without
an offset: UTC.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

_AGO = re.compile(r"([0-9]{1,6})(s|m|h|d|w)")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T_ ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?"
    r"(Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    re.IGNORECASE,
)
FORMS = "7d, 24h, 2026-11-20, or 2026-11-20T13:45"


class Interval(NamedTuple):
    """The time that one written moment covers, the end left out: a day, a minute, a second or a
    microsecond.
    """

    start: datetime
    end: datetime


def parse(text: str, now: datetime) -> Interval | None:
    """Read a moment, or a time ago; None for what is neither, or lies outside the calendar."""
    try:
        if ago := _AGO.fullmatch(text):
            at = now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
            return Interval(at, at)
        if found := _MOMENT.fullmatch(text):
            return _interval(found)
    except (ValueError, OverflowError):
        return None
    return None


def ago(text: str) -> str | None:
    """Return a time ago in words: "7 days" for ``7d``; None for any other text."""
    found = _AGO.fullmatch(text)
    if found is None:
        return None
    unit, count = _UNITS[found[2]], int(found[1])
    return f"{count} {unit if count != 1 else unit.removesuffix('s')}"


def _interval(found: re.Match[str]) -> Interval:
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    start = datetime(
        int(year),
        int(month),
        int(day),
        int(hour or 0),
        int(minute or 0),
        int(second or 0),
        int((fraction or "").ljust(6, "0")),
        tzinfo=UTC,
    )
    if offset and offset not in "Zz":
        ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[-2:]))
        start -= ahead if offset[0] == "+" else -ahead
    length = (
        timedelta(microseconds=10 ** (6 - len(fraction))) if fraction
        else timedelta(seconds=1) if second
        else timedelta(minutes=1) if hour
        else timedelta(days=1)
    )  # fmt: skip
    return Interval(start, start + length)
