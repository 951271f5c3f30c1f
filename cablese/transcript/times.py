"""Times as logs write them.

    2026-11-20T10:00:01.123456789Z      RFC 3339 and ISO 8601
    2026-11-20 10:00:01,123             Python's logging; Go writes slashes
    Nov 20 10:00:01                     syslog (RFC 3164 section 4.1.2), without year and zone
    20/Nov/2026:10:00:01 +0000          Apache's access log
    Fri Nov 20 10:00:01 2026            asctime of C
    I1120 10:00:01.000000               glog and klog
    1763632801.123                      seconds since 1970; also milli-, micro-, and nanoseconds

Only a time that states one moment is read: `01/02/2026` could be in January or February. A deadline
is not the time of its line.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

from cablese.message import Span

from .facts import Time

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_LONG = "uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember"
_REST = "|".join(f"(?<={month}){rest}" for month, rest in zip(MONTHS, _LONG, strict=True) if rest)
MONTH = f"(?P<name>{'|'.join(MONTHS)})(?:{_REST})?"
DAY_NAME = r"(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\s"
# More than nine digits after a comma are the next value of a row.
_FRACTION = r"(?:[.,](?P<fraction>\d{1,9}+(?!\d)|(?<=\.)\d++))?"
CLOCK = rf"(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d){_FRACTION})?"
COMPACT = rf"(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d){_FRACTION}"
# These abbreviations are defined by RFC 5322 section 4.3; others have several meanings. So has CST:
# servers in China print it too.
ZONES = {
    "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6,
    "PST": -8, "PDT": -7,
}  # fmt: skip
HALF = r"(?:\s?(?P<half>[AaPp])\.?[Mm]\b\.?)?"
ZONE = (
    rf"{HALF}(?:(?P<zone>(?<=\d)[Zz](?![\w-])|\s?(?:UTC|GMT)[+-]\d\d?(?::?\d\d)?(?!\d)"
    rf"|\s?[+-]\d\d(?::?\d\d)?(?![\d:])|\s?(?:{'|'.join(ZONES)})(?![\w-])))?"
)
FOREIGN_ZONE = re.compile(
    r"\s?[(\[]?(?:"
    r"A[CEW][DS]T|AK[DS]T|ALMT|A[DMS]T|AWST|AZT|BDT|BNT|BRS?T|BST|CE?S?T|CHAST|CLS?T|EA?T|EES?T"
    r"|FJT|GST|HKT|H[DS]T|ICT|I[DRS]ST|IDT|IST|JST|KGT|KST|MMT|MSK|MUT|MVT|MYT|N[DPS]T|NZ[DS]T|PT"
    r"|PG?T|PHT|PKT|PYS?T|SAST|SGT|SST|TJT|TMT|TRT|UYT|UZT|WAS?T|WES?T|WI[BT]|WITA"
    r"|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe"
    r"|Indian|Mexico|Pacific|US)/[A-Z][A-Za-z_]+)\b"
    r"|\s?[+-]\d:?\d\d|\s?[+-]\d\b|\s[A-Z]{2,5}\s20\d\d\b"
)
"""A zone that is not read: without it the time does not state a moment. Zones that are spelled like
a word, such as GET, are not known: after a time is often the first word of a message.
"""

_NAMED = re.compile("|".join(MONTHS))
_KLOG = re.compile(r"[DIWEF]\d{4}(?:\d{4})? \d")
_FORMS = {
    # 2026-11-20T10:00:01Z, 2026/11/20 10:00:01, 20261120T100001Z
    (
        r"(?P<year>\d{4})(?P<sep>[-/.])(?P<month>\d\d)(?P=sep)(?P<day>\d\d)"
        rf"(?:[Tt_ ]|,\s?|\s-\s){CLOCK}{ZONE}"
    ): re.compile(r"[-/.]\d\d[-/.]\d\d"),
    rf"(?P<year>20\d\d)(?P<month>\d\d)(?P<day>\d\d)[T ]{COMPACT}{ZONE}": re.compile(
        r"20\d{6}[T ]\d{6}"
    ),
    # 20/Nov/2026:10:00:01 +0000, 20 Nov 2026 10:00:01, Fri, 20 Nov 2026 10:00:01 GMT
    rf"(?P<day>\d\d?)[/ -]{MONTH}[/ -](?P<year>\d{{4}})(?:[: ,]\s?|\sat\s){CLOCK}{ZONE}": _NAMED,
    # Nov 20 10:00:01 2026, November 20, 2026 at 10:00 AM, Nov 20 10:00:01
    (
        rf"{MONTH}\s{{1,2}}(?P<day>\d\d?)(?:,?\s(?P<year>\d{{4}}),?)?"
        rf"(?:\sat)?\s(?>{CLOCK})(?!(?:\s[AP]M)?\s[A-Z]{{2,5}}\s20\d\d)"
        rf"(?:\s(?P<late>20\d\d))?{ZONE}"
    ): _NAMED,
    # Nov 20 10:00:01 UTC 2026, as `date` prints it
    (
        rf"{MONTH}\s{{1,2}}(?P<day>\d\d?)\s{CLOCK}{HALF}"
        rf"\s(?P<zone>{'|'.join(ZONES)})\s(?P<late>20\d\d)(?!\d)"
    ): _NAMED,
    # 20.11.2026 10:00:01, 20/11/2026, 10:00:01
    (
        r"(?P<first>\d\d?)(?P<sep>[/.])(?P<middle>\d\d?)(?P=sep)(?P<year>\d{4}|\d\d),?\s"
        rf"{CLOCK}{ZONE}"
    ): re.compile(r"[/.]\d\d?[/.]\d\d"),
    # 11-20 10:00:01.123 of Android, I1120 10:00:01.000000 of klog
    (
        rf"(?P<month>\d\d)-(?P<day>\d\d) {CLOCK}(?=\s+\d+\s+\d+\s+[VDIWEF]\s|\s+[VDIWEF]/)"
    ): re.compile(r"-\d\d \d"),
    rf"[DIWEF](?P<year>20\d\d)(?P<month>\d\d)(?P<day>\d\d) {CLOCK}": _KLOG,
    rf"[DIWEF](?P<month>\d\d)(?P<day>\d\d) {CLOCK}": _KLOG,
}
"""Each form, with a part of it that most texts do not have, and that is fast to search for."""
FORMS = tuple((re.compile(rf"(?<![\w./-])(?<!\d:){form}"), part) for form, part in _FORMS.items())
CLOCKED = re.compile(r"\d:\d\d|20\d{6}[T ]\d{6}")
"""A text without it holds none of these forms."""
EPOCH = re.compile(r"\s*[\[(]?1\d{9}(?:\d{3}|\d{6}|\d{9}|\.\d{1,9})?(?![\w:/-]|\.\d)")
EPOCH_DIGITS = (10, 13, 16, 19)
"""Digits of seconds, milliseconds, microseconds, and nanoseconds."""
PLANNED = re.compile(
    r"\b(?:deadline|due|expir(?:e[sd]?|y|ing|ation)|until|till|by|before|eta|next|retry(?:ing)?"
    r"|scheduled?)(?![\w-])[\s:(\[-]{0,4}(?:(?:at|on|for|in|date|time|run|try|retry|attempt|is)"
    rf"[\s:]{{1,3}}){{0,2}}(?:{DAY_NAME})?\Z",
    re.IGNORECASE,
)
"""What is before the time of something that is still to come."""
MAX_WORDS = 50
"""Characters that are searched for it."""
MAX_SEARCHED = 400
"""Characters of a line that are searched for its time."""


def find(text: str) -> tuple[Time, Span] | None:
    """Return the first time in ``text`` that states one moment, and its place."""
    if CLOCKED.search(text, 0, MAX_SEARCHED) is not None:
        forms = [form for form, part in FORMS if part.search(text, 0, MAX_SEARCHED)]
        matches = (_search(form, text) for form in forms)
        for match in sorted((match for match in matches if match is not None), key=re.Match.start):
            time = _read(match)
            if time is not None:
                return time, Span(*match.span())
    # Elsewhere such a number may be anything: an amount, a process, a telephone.
    number = EPOCH.match(text, 0, MAX_SEARCHED)
    time = None if number is None else parse_number(number[0].strip(" [("))
    return None if number is None or time is None else (time, Span(*number.span()))


def _search(form: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first time of a form that may be the one of the line."""
    match = form.search(text, 0, MAX_SEARCHED)
    while match is not None and match.start() > 0:
        at = match.start()
        if not _is_value(text, at) and not PLANNED.search(text, max(0, at - MAX_WORDS), at):
            break
        match = form.search(text, match.end(), MAX_SEARCHED)
    return match


def _is_value(text: str, at: int) -> bool:
    """Return whether a key is before the place: then the key tells whether it is the time."""
    return text[max(at - 2, 0) : at].rstrip("\"'").endswith("=")


def parse(text: str) -> Time | None:
    """Return the time that ``text`` as a whole is."""
    text = text.strip()
    if len(text) > MAX_SEARCHED:
        return None
    whole = FORMS[0][0].fullmatch(text)  # as in most records
    time = None if whole is None else _read(whole)
    if time is not None:
        return time
    result = find(text)
    if result is None:
        return None
    remainder = text[: result[1].start] + text[result[1].end :]
    return result[0] if not re.sub(DAY_NAME, "", remainder).strip(" []()") else None


def parse_number(digits: str) -> Time | None:
    """Return the time that is ``digits`` seconds, or smaller units, after 1970.

    The number of digits tells the unit, which is clear for the years 2001 to 2286 alone.
    """
    integer, _, fraction = digits.partition(".")
    is_number = digits.isascii() and integer.isdigit() and integer[0] != "0"
    if not is_number or len(integer) not in EPOCH_DIGITS or (fraction and len(integer) > 10):
        return None
    micros = int((integer + (fraction or "") + "0" * 6)[:16])
    return Time(digits, datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros))


def _read(match: re.Match[str]) -> Time | None:
    part = match.groupdict().get
    days = _day(part)
    if days is None or (not part("zone") and FOREIGN_ZONE.match(match.string, match.end())):
        return None
    year, month, day = days
    hour = int(part("hour") or 0)
    half = (part("half") or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    minute = int(part("minute") or 0)
    second = min(int(part("second") or 0), 59)  # 60 is a leap second, which datetime cannot hold
    micros = int(f"{part('fraction') or ''}000000"[:6])
    try:
        zone = _zone(part("zone"))
        moment = datetime(year or 2000, month, day, hour, minute, second, micros, zone)
    except ValueError:
        return None
    return Time(match[0], moment, has_year=year is not None)


def _day(part: Callable[[str], str | None]) -> tuple[int | None, int, int] | None:
    """Return year, month, and day; None when day and month could be exchanged."""
    written = part("year") or part("late")
    year = None if written is None else int(written) + (2000 if len(written) == 2 else 0)
    name, first, middle = part("name"), part("first"), part("middle")
    if name is not None:
        return year, MONTHS.index(name) + 1, int(part("day") or 0)
    if first is None or middle is None:
        return year, int(part("month") or 0), int(part("day") or 0)
    left, other = int(first), int(middle)
    if len(written or "") == 2 and left > 12:
        return None  # the year may come first
    if part("sep") == "." or left > 12 or left == other:
        return year, other, left
    return (year, left, other) if other > 12 else None


def _zone(written: str | None) -> timezone | None:
    if written is None:
        return None
    written = written.strip().upper()
    hours = ZONES.get(written)
    if hours is not None:
        return timezone(timedelta(hours=hours))
    sign, digits = re.sub(r"UTC|GMT|:", "", written)[:1], re.sub(r"\D", "", written)
    minutes = int(digits[:-2] or 0) * 60 + int(digits[-2:]) if len(digits) > 2 else int(digits) * 60
    if minutes > 14 * 60 or minutes % 15:
        raise ValueError("No zone has this offset.")
    return timezone(timedelta(minutes=-minutes if sign == "-" else minutes))
