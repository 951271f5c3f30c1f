"""How far a long command is, on one line of a terminal. Where nobody watches, nothing is
written.
"""

from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

WIDTH = 30
STEPS = 200
"""How often at most the line is drawn again: a terminal is slower than what it watches."""

_T = TypeVar("_T")


def watch(items: Iterable[_T], total: int, stream: TextIO) -> Iterator[_T]:
    """``items`` as they are, with a bar on ``stream`` when it is a terminal."""
    if not stream.isatty():
        yield from items
        return
    step = max(total // STEPS, 1)
    for number, item in enumerate(items, 1):
        yield item
        if number % step == 0 or number == total:
            stream.write(f"\r{_bar(number, total)}")
            stream.flush()
    stream.write("\n")


def _bar(number: int, total: int) -> str:
    full = WIDTH * number // total
    return f"[{'█' * full}{'·' * (WIDTH - full)}] {number:,} of {total:,}"
