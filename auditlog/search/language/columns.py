"""Facts about a packet as tokens: when it was sent, how many tokens it has, its event ID, and the
codes of its diagnostics.

    !at.y=2026 !at.m=202611 !at.d=20261120 !at.x=20261120101 !at.s=20261120101530.000250
    !tok.c=#c1 !tok=#c120 !ev=event-17 !code=nslip.leading-zero !code=leading-zero !is=warning

A range is a few tokens that whole years, months, days, and ten minutes of packets share, and only
at its ends prefixes of one token a packet. An engine reads shared tokens one packet after the
other, and stops when a page is full. Of a prefix it must first collect all packets.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol

from auditlog.search import number
from auditlog.search.number import Cut
from auditlog.search.terms import term

SENT = "at"
COUNT = "tok"
EVENT = "ev"
CODE = "code"
WITH_EVENT = "!has=event"
"""The token of a packet with an event ID."""
WARNING = "!is=warning"
COMMON = range(1990, 2050)
"""Years in which many packets may be sent: each has a token of its own in a range."""
_SHORT = 3
"""Digits of a common token count. Ranges of them are made of whole tokens, without prefixes."""
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, 23, 59, 59, 999_999, UTC)
_ROOM = 10_000
_times: dict[str, str] = {}
_counts: dict[int, str] = {}
_UTC = ("Z", "z", "+00:00", "-00:00")


class Stated(Protocol):
    """What a sender says about a message, in an item or in a packet."""

    @property
    def sent_at(self) -> str | None: ...

    @property
    def event_id(self) -> str | None: ...


class Coded(Protocol):
    """A diagnostic."""

    @property
    def code(self) -> str: ...

    @property
    def severity(self) -> str: ...


def write(count: int, stated: Stated, diagnostics: Sequence[Coded] = ()) -> str:
    """Return the tokens of these facts, separated by spaces. ``count`` is the number of tokens that
    a model reads.
    """
    found = [_counts.get(count) or _write_count(count)]
    if stated.sent_at is not None:
        found.append(_write_sent(stated.sent_at))
    if stated.event_id is not None:
        found += [WITH_EVENT, term(EVENT, stated.event_id)]
    if diagnostics:
        codes = dict.fromkeys([each.code for each in diagnostics])
        found += [f"!{CODE}={code} !{CODE}={code.rpartition('.')[2]}" for code in codes]
        if any(each.severity == "warning" for each in diagnostics):
            found.append(WARNING)
    return " ".join(found)


def _write_count(count: int) -> str:
    word = number.word(str(count))
    token = f"!{COUNT}={word}" if count < 10 else f"!{COUNT}.c={word[:3]} !{COUNT}={word}"
    if len(_counts) < _ROOM:
        _counts[count] = token
    return token


def _write_sent(text: str) -> str:
    """Return the tokens of an RFC 3339 time; those that a packet shares are remembered."""
    stamp = _quick_stamp(text) or _stamp(read_time(text))
    shared = _times.get(key := stamp[:11])
    if shared is None:
        if len(_times) >= _ROOM:
            _times.clear()
        shared = _times[key] = " ".join(
            [f"!{SENT}.{unit.name}={stamp[: unit.width]}" for unit in _SHARED]
        )
    return f"{shared} !{SENT}.s={stamp}"


def _quick_stamp(text: str) -> str | None:
    """Return the stamp of a time of UTC, as most are, from its digits; None for any other."""
    end = len(text) - (1 if text[-1] in "Zz" else 6)
    if text[17:19] == "60" or (text[end:] not in _UTC):
        return None
    fraction = text[20:end] if end > 19 else ""
    return (
        f"{text[:4]}{text[5:7]}{text[8:10]}{text[11:13]}{text[14:16]}{text[17:19]}"
        f".{fraction[:6].ljust(6, '0')}"
    )


def read_time(text: str) -> datetime:
    """Return the instant of an RFC 3339 time. A leap second counts as the second before it, and a
    time outside the years 1 to 9999 as their first or last instant.
    """
    upper = text.upper()
    if upper[17:19] == "60":
        upper = f"{upper[:17]}59{upper[19:]}"
    moment = datetime.fromisoformat(upper)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return _EARLIEST if moment.year == 1 else _LATEST


def _stamp(moment: datetime) -> str:
    """Return an instant of UTC as digits: ``20261120101530.000250``."""
    return (
        f"{moment.year:04}{moment.month:02}{moment.day:02}"
        f"{moment.hour:02}{moment.minute:02}{moment.second:02}.{moment.microsecond:06}"
    )


class _Unit(NamedTuple):
    """The packets whose stamps have the same first ``width`` characters, and the name of the token
    that begins with them.
    """

    width: int
    name: str


_SHARED = (_Unit(4, "y"), _Unit(6, "m"), _Unit(8, "d"), _Unit(11, "x"))
"""Those characters are a whole token, which many packets share."""
_UNITS = (
    *[_Unit(width, "y") for width in (1, 2, 3)],
    *_SHARED,
    *[_Unit(width, "s") for width in (12, 13, 14, 16, 17, 18, 19, 20, 21)],
)
"""From a thousand years to a microsecond."""
_FIRST = "00000101000000.000000"
_SECONDS = {11: 600.0, 12: 60.0, 13: 10.0, 14: 1.0}


def sent_between(start: datetime | None, end: datetime | None) -> list[Cut]:
    """Return the tokens of exactly the packets with ``start <= sent < end``; None for no limit."""
    low = _EARLIEST if start is None else start.astimezone(UTC)
    high = None if end is None else end.astimezone(UTC)
    found = []
    at: datetime | None = low
    while at is not None and (high is None or at < high):
        stamp = _stamp(at)
        unit, at = next(_fitting(at, stamp, high))
        prefix = unit not in _SHARED and unit.width < len(stamp)
        found.append(Cut(f"!{SENT}.{unit.name}={stamp[: unit.width]}", prefix))
    return found


def _fitting(
    at: datetime, stamp: str, high: datetime | None
) -> Iterator[tuple[_Unit, datetime | None]]:
    """Yield the units that begin at an instant and do not end after ``high``, the longest first,
    with where each ends; None is the end of all times.
    """
    for unit in _UNITS:
        if stamp[unit.width :] != _FIRST[unit.width :]:
            continue
        years = 10 ** (4 - unit.width) if unit.width < 4 else 0
        if years and at.year < COMMON.stop and at.year + years > COMMON.start:
            continue
        after = _after(at, unit.width)
        if high is None or (after is not None and after <= high):
            yield unit, after


def _after(at: datetime, width: int) -> datetime | None:
    """Return the end of the unit that begins at an instant; None after the year 9999."""
    try:
        if width <= 4:
            return at.replace(year=at.year + 10 ** (4 - width))
        if width == 6:
            year, month = divmod(at.year * 12 + at.month, 12)
            return at.replace(year=year, month=month + 1)
        if width == 8:
            return at + timedelta(days=1)
        if width <= 14:
            return at + timedelta(seconds=_SECONDS[width])
        return at + timedelta(microseconds=10 ** (21 - width))
    except (OverflowError, ValueError):
        return None


def count_between(low: int, high: int | None) -> list[Cut]:
    """Return the tokens of exactly the packets that have ``low`` to ``high`` tokens, both included;
    None is no limit.
    """
    return [found for cut in number.between(low, high) for found in _count_tokens(cut)]


def _count_tokens(cut: Cut) -> list[Cut]:
    if not cut.prefix:
        return [Cut(f"!{COUNT}={cut.token}", prefix=False)]
    size, digits = ord(cut.token[1]) - ord("a") + 1, len(cut.token) - 2
    if digits == 0 and 1 < size <= _SHORT:
        return [Cut(f"!{COUNT}.c={cut.token}{first}", prefix=False) for first in range(1, 10)]
    if size > 1 and digits <= 1:
        return [Cut(f"!{COUNT}.c={cut.token}", prefix=digits == 0)]
    if size - digits == 1:
        return [Cut(f"!{COUNT}={cut.token}{last}", prefix=False) for last in range(10)]
    return [Cut(f"!{COUNT}={cut.token}", prefix=True)]
