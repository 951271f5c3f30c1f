"""Whole numbers as tokens that sort and can be cut into ranges.

A number is written with its length before it, as a letter: 7 is ``#a7``, 42 is ``#b42``. All
numbers of one length share a prefix, so a range becomes a few exact tokens and a few prefixes: 7
and more is ``#a7 #a8 #a9 #b* #c* …``. Text that begins with ``#`` gets a second one and is never
mistaken for a number.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 16
"""Digits of the largest integer that JSON readers agree on, 2^53-1. Longer ones are text."""
_LENGTHS = "`abcdefghijklmnop"
_INTEGER = re.compile(r"0|[1-9][0-9]{0,15}")


class Cut(NamedTuple):
    """One token, or every token that begins with it."""

    token: str
    prefix: bool


def word(text: str) -> str:
    """The token for one folded word of a value."""
    if "0" <= text[:1] <= "9" and _INTEGER.fullmatch(text):
        return f"#{_LENGTHS[len(text)]}{text}"
    return f"#{text}" if text.startswith("#") else text


def parse(text: str) -> int | None:
    """The number that a word stands for; None for text."""
    return int(text) if _INTEGER.fullmatch(text) else None


def beginning(text: str) -> list[Cut]:
    """What a word may look like that begins with ``text``: text, and for digits numbers of every
    length.
    """
    cuts = [Cut(word(text) if text.startswith("#") else text, prefix=True)]
    if _INTEGER.fullmatch(text):
        longer = (
            Cut(f"#{_LENGTHS[size]}{text}", prefix=True)
            for size in range(len(text) + 1, LONGEST + 1)
        )
        cuts += [Cut(word(text), prefix=False), *(longer if text != "0" else ())]
    return cuts


def between(low: int, high: int | None) -> list[Cut]:
    """Tokens and prefixes that hold exactly the numbers from ``low`` to ``high``, both included;
    None is no limit.
    """
    top = 10**LONGEST - 1 if high is None else min(high, 10**LONGEST - 1)
    cuts: list[Cut] = []
    for size in range(1, LONGEST + 1):
        first = 0 if size == 1 else 10 ** (size - 1)
        last = 10**size - 1
        if low <= last and first <= top:
            cuts += _same_length(f"#{_LENGTHS[size]}", "", max(low, first), min(top, last), size)
    return cuts


def _same_length(mark: str, digits: str, low: int, high: int, size: int) -> Iterator[Cut]:
    """Cut a range of numbers of ``size`` digits that all begin with ``digits``."""
    left = size - len(digits)
    start = int(digits or "0") * 10**left
    first = max(start, 10 ** (size - 1)) if size > 1 else start
    if low <= first and high >= start + 10**left - 1:
        yield Cut(mark + digits, prefix=left > 0)
        return
    for digit in "0123456789":
        begins = int(digits + digit) * 10 ** (left - 1)
        ends = begins + 10 ** (left - 1) - 1
        if low <= ends and high >= begins and (digits or digit != "0" or size == 1):
            yield from _same_length(mark, digits + digit, max(low, begins), min(high, ends), size)
