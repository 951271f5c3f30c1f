"""Positions in a queue, or leaves of a log, as a short text: ``1-12,15``.

A selection is a part of the address of a page, so 10,000 positions must be short.
"""

import re
from collections.abc import Iterable

_PART = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?", re.ASCII)


class BadRanges(ValueError):
    """The text is not a list of ranges, or has too many numbers."""


def read(text: str, *, limit: int) -> list[int]:
    """Return the numbers of a text in ascending order, each once. Raises BadRanges."""
    found: set[int] = set()
    for part in text.split(","):
        if not part:
            continue
        seen = _PART.fullmatch(part)
        if seen is None:
            raise BadRanges(f'Expected ranges such as 1-12,15 instead of "{part[:40]}".')
        first, last = int(seen[1]), int(seen[2] or seen[1])
        if last - first >= limit or len(found) > limit:
            raise BadRanges(f"The limit is {limit:,} numbers.")
        found.update(range(first, last + 1))
    if len(found) > limit:
        raise BadRanges(f"The limit is {limit:,} numbers.")
    return sorted(found)


def write(numbers: Iterable[int]) -> str:
    """Return the text of some numbers."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)
