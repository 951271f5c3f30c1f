"""The values of a query's keys, read by their kind. What cannot be read is an error with its place
and what to write instead.
"""

from datetime import datetime

from auditlog.search import moment, number, terms
from auditlog.search.keys import get_term
from auditlog.search.language.near import find_near
from auditlog.search.query import Key, QueryError, Range, Text
from cablese.message import Span

Value = Text | Range
Limits = tuple[datetime | None, datetime | None]
"""From a start up to an end, which is left out. None means that there is no limit."""
AS_TEXT = "To search for it as text, put it in quotes."


def single(key: Key, value: Value, example: str) -> str:
    """Return the folded value of a key that accepts neither a range nor a star."""
    if isinstance(value, Range) or value.prefix:
        raise QueryError(
            value.span,
            f"{key.name}: takes a single value, without * or a range.",
            f"Example: {key.name}:{example}",
        )
    return terms.fold(value.text)


def choose(key: Key, value: Value, choices: tuple[str, ...]) -> str:
    """Return which of the choices the value is."""
    text = single(key, value, choices[0])
    if text not in choices:
        near = find_near(text, choices)
        expected = f"Expected {', '.join(choices)}."
        hint = f"Did you mean {key.name}:{near}? {expected}" if near else expected
        raise QueryError(value.span, f'Unknown value "{text}" for {key.name}:.', hint)
    return text


def numbers(value: Range) -> tuple[int, int | None]:
    """Return both limits of a range, inclusive. Raises QueryError for text and an empty range."""
    low, high = (
        None if limit is None else number.parse(terms.fold(limit))
        for limit in (value.low, value.high)
    )
    if (low is None) != (value.low is None) or (high is None) != (value.high is None):
        raise QueryError(value.span, "Range limits must be whole numbers, 0 or greater.", AS_TEXT)
    low = 0 if low is None else low + value.open_low
    high = high if high is None else high - value.open_high
    if high is not None and low > high:
        raise _empty(value)
    return low, high


def whole(key: Key, value: Value, example: str) -> tuple[int, int | None]:
    """Return the inclusive limits of a whole number, or of a range of them."""
    if isinstance(value, Range):
        return numbers(value)
    found = number.parse(single(key, value, example))
    if found is None:
        raise QueryError(
            value.span, f"{key.name}: requires a whole number.", f"Example: {key.name}:{example}"
        )
    return found, found


def times(key: Key, value: Value, now: datetime) -> Limits:
    """Return the limits of a day, a minute, or another written time, or of a range of them."""
    if isinstance(value, Text):
        interval = instant(single(key, value, "2026-11-20"), value.span, now)
        if interval.start == interval.end:
            raise QueryError(
                value.span,
                f"{key.name}: requires a date.",
                f"For the time since then, write {key.name}:>={value.text}.",
            )
        return interval.start, interval.end
    low = None if value.low is None else instant(terms.fold(value.low), value.span, now)
    high = None if value.high is None else instant(terms.fold(value.high), value.span, now)
    start = None if low is None else low.end if value.open_low else low.start
    end = None if high is None else high.start if value.open_high else high.end
    if start and end and start >= end:
        raise _empty(value)
    return start, end


def received(key: Key, value: Value, now: datetime) -> Limits:
    """Return the limits of the receive time that ``since:``, ``until:``, or ``ts:`` asks for."""
    term = get_term(terms.fold_key(key.name))
    kind = term.kind if term else "time"
    if kind == "since":
        return instant(single(key, value, "7d"), value.span, now).start, None
    if kind == "until":
        return None, instant(single(key, value, "2026-11-20"), value.span, now).end
    return times(key, value, now)


def instant(text: str, span: Span, now: datetime) -> moment.Interval:
    """Return the time that a folded text names."""
    found = moment.parse(text, now)
    if found is None:
        raise QueryError(span, "Not a valid date or time.", f"Expected {moment.FORMS}.")
    return found


def _empty(value: Range) -> QueryError:
    swapped = f"{value.high}..{value.low}" if value.low and value.high else None
    hint = f"Write the lower limit first: {swapped}" if swapped else "Choose other limits."
    return QueryError(value.span, "This range is empty.", hint)
