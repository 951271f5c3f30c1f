"""Personal data in a text: email addresses, telephone numbers, and dates of birth.

    bob@acme.example   +49 30 901820   (415) 555-2671   phone=030901820   born 1990-04-12

A number is a telephone number when it is written as one and some region has it: with its country
code, or grouped as the region writes its own numbers. Digits alone are one only after a key or a
word for a telephone, and a date is a date of birth only after a key or word for that. Everything
else is an ID, an amount, a time, or a version.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

import phonenumbers

EMAIL = "an email address"
TELEPHONE = "a telephone number"
BIRTH = "a date of birth"
Found = tuple[str, tuple[int, int]]

TRIED = 30
"""Candidates of one text that the telephone library looks at: each takes about 0.1 ms."""

# RFC 5321 limits: 64 characters before the @, 63 in a label. A name of letters ends the domain, so
# an IP is none.
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_EMAIL = re.compile(
    rf"(?<![\w.%+/-])[\w%+-](?:[\w.%+-]{{0,62}}[\w%+-])?+@(?:{_LABEL}\.)+"
    rf"(?:xn--[a-z0-9-]{{1,59}}|[^\W\d_]{{2,63}})(?![\w-])"
)
_IN_URL = re.compile(r"://[^\s/@]*\Z")
_FILES = frozenset(
    ("gif", "jpg", "jpeg", "png", "svg", "webp", "mount", "service", "socket", "target", "timer")
)
"""Endings of what only looks like an address: `icon@2x.png`, `getty@tty1.service`."""

_DIGITS = re.compile(r"[0-9](?:[^0-9]{0,3}[0-9]){6}")
"""Without these there is no telephone number."""
_YEAR = re.compile(r"[0-9]{4}")
_EDGE = r"(?<![\w+.,:/#-])(?<![0-9] ){}(?![\w-]|[ ./,:]?[0-9])"
_INTERNATIONAL = re.compile(
    _EDGE.format(r"(?:\+|00 ?)[1-9][0-9]{0,2}(?:[ ./-]{0,2}(?:[0-9]|\([0-9]{1,5}\))){5,14}")
)
_AMERICAN = re.compile(
    _EDGE.format(
        r"(?:1[ -])?(?:\([2-9][0-9]{2}\) ?[2-9][0-9]{2}[ -]|[2-9][0-9]{2}-[2-9][0-9]{2}-)[0-9]{4}"
    )
)
_TRUNK = re.compile(
    _EDGE.format(
        r"(?:\(0[1-9][0-9]{0,4}\)|0[1-9][0-9]{0,4})[ /-]{1,2}[0-9]{2,8}(?:[ -][0-9]{2,4}){0,4}"
    )
)
_KEYED = re.compile(
    r"(?<![^\W_])(?:tele)?(?:phone|mobile|fax|tel|msisdn|whatsapp)(?:[ _-]?(?:number|num|nr|no))?"
    r"[\"']?\.?(?: is)?[ \t]{0,2}[:= ][ \t]{0,2}[\"']?"
    r"(\+?[(0-9](?:[ ()./-]{0,2}[0-9]){6,14}\)?)(?![0-9])",
    re.IGNORECASE,
)
_PHONE_WORD = re.compile("phone|fax|tel|mobile|msisdn|whatsapp", re.IGNORECASE)
_PHONE_NAME = re.compile(
    (
        r"(?:.*[^a-z])?(?:tele)?(?:phone|mobile|fax|tel|msisdn|whatsapp)s?"
        r"(?:[^a-z]?(?:number|num|nr|no)s?)?"
    ),
    re.IGNORECASE,
)
_PHONE_VALUE = re.compile(r"\+?[(0-9](?:[ ()./-]{0,2}[0-9]){6,14}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DECIMAL = re.compile(r"\+[0-9]+\.[0-9]+")
"""A coordinate or an amount with its sign."""
_GROUP = re.compile(r"[0-9]+")
_TRUNK_REGIONS = (
    "GB",
    "DE",
    "FR",
    "NL",
    "BE",
    "AT",
    "CH",
    "IT",
    "AU",
    "NZ",
    "JP",
    "IN",
    "ZA",
    "SE",
    "IE",
)
"""Regions that write a 0 before the area code."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
_DATE = (
    r"(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{8}"
    r"|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}"
    rf"|[0-9]{{1,2}}\.? {_MONTH} [0-9]{{4}}|{_MONTH} [0-9]{{1,2}},? [0-9]{{4}})(?![0-9])"
)
_BIRTH_KEY = r"(?:dob|d\.o\.b\.?|born(?:[ _-]on)?|birth[ _-]?(?:date|day)|date[ _-]?of[ _-]?birth)"
_BORN = re.compile(
    rf"(?<![^\W_]){_BIRTH_KEY}[\"']?(?: is| was)?[ \t]{{0,2}}[:=]?[ \t]{{0,2}}[\"']?({_DATE})",
    re.IGNORECASE,
)
_BIRTH_WORD = re.compile(r"birth|born|d\.?o\.?b", re.IGNORECASE)
_BIRTH_NAME = re.compile(rf"(?:.*[^a-z])?{_BIRTH_KEY}", re.IGNORECASE)
_WHOLE_DATE = re.compile(rf"[ \t]*({_DATE})", re.IGNORECASE)
_OLDEST, _NEWEST = 1850, 2100


def find(name: str, text: str) -> Iterator[Found]:
    """The personal data in a text, and where; ``name`` is its key, and may say what it is."""
    if "@" in text:
        yield from _emails(text)
    if _DIGITS.search(text):
        yield from _telephones(name, text)
    if _YEAR.search(text):
        yield from _births(name, text)


def _emails(text: str) -> Iterator[Found]:
    for hit in _EMAIL.finditer(text):
        local, _, domain = hit[0].rpartition("@")
        if len(hit[0]) > 254 or ".." in local or domain.rpartition(".")[2].lower() in _FILES:
            continue
        # The name and password of a URL are no address; a password there is a credential.
        if not _IN_URL.search(text, max(0, hit.start() - 80), hit.start()):
            yield EMAIL, hit.span()


def _telephones(name: str, text: str) -> Iterator[Found]:
    if (
        _PHONE_NAME.fullmatch(_CAMEL.sub("_", name))
        and (value := _PHONE_VALUE.match(text)) is not None
    ):
        yield TELEPHONE, value.span()
    if _PHONE_WORD.search(text):
        for hit in _KEYED.finditer(text):
            yield TELEPHONE, hit.span(1)
    left = TRIED
    for form, signs, is_one in _FORMS:
        for hit in form.finditer(text) if any(sign in text for sign in signs) else ():
            if left == 0:
                return
            left -= 1
            if is_one(hit[0]):
                yield TELEPHONE, hit.span()


@lru_cache(maxsize=512)
def _is_international(text: str) -> bool:
    if _DECIMAL.fullmatch(text):
        return False
    digits = text[2:] if text.startswith("00") else text[1:]
    # With 00 instead of + it must be written as a number that is dialed: an ID has no separators.
    return (text[0] == "+" or not digits.strip().isdigit()) and _is_valid(f"+{digits}", None)


@lru_cache(maxsize=512)
def _is_american(text: str) -> bool:
    return _is_valid(text, "US")


@lru_cache(maxsize=512)
def _is_grouped(text: str) -> bool:
    """True when a region has this number and groups its digits just so."""
    groups = _GROUP.findall(text)
    numbers = [int(group) for group in groups]
    if not 9 <= len("".join(groups)) <= 12 or numbers == list(
        range(numbers[0], numbers[0] + len(numbers))
    ):
        return False
    for region in _TRUNK_REGIONS:
        number = _parse(text, region)
        if number is not None and phonenumbers.is_valid_number_for_region(number, region):
            written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
            if _GROUP.findall(written) == groups:
                return True
    return False


_FORMS = (
    (_INTERNATIONAL, ("+", "00"), _is_international),
    (_AMERICAN, ("-",), _is_american),
    (_TRUNK, (" ", "/"), _is_grouped),
)
"""Each way to write a number, one of the signs that it cannot do without, and what decides."""


def _is_valid(text: str, region: str | None) -> bool:
    number = _parse(text, region)
    return number is not None and phonenumbers.is_valid_number(number)


def _parse(text: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None


def _births(name: str, text: str) -> Iterator[Found]:
    if (
        _BIRTH_NAME.fullmatch(_CAMEL.sub("_", name))
        and (value := _WHOLE_DATE.match(text)) is not None
        and _exists(value[1])
    ):
        yield BIRTH, value.span(1)
    for hit in _BORN.finditer(text) if _BIRTH_WORD.search(text) else ():
        if _exists(hit[1]):
            yield BIRTH, hit.span(1)


def _exists(text: str) -> bool:
    """Whether there is this day, read in any of the ways in which it may be meant."""
    numbers = [int(group) for group in _GROUP.findall(text)]
    month = next((at for at, word in enumerate(_MONTHS, 1) if word in text.lower()), None)
    if month is not None:
        return _is_day(numbers[1], month, numbers[0])
    if len(numbers) == 1:
        return _is_day(numbers[0] // 10_000, numbers[0] // 100 % 100, numbers[0] % 100)
    if numbers[0] > 31:
        return _is_day(*numbers)
    return _is_day(numbers[2], numbers[1], numbers[0]) or _is_day(
        numbers[2], numbers[0], numbers[1]
    )


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return _OLDEST <= date(year, month, day).year <= _NEWEST
    except ValueError:
        return False
