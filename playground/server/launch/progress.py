"""The progress of a long command, on one line of a terminal. Nothing is written elsewhere."""

from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

WIDTH = 30
STEPS = 200
"""The limit of updates of the line, because terminals are slow."""

_T = TypeVar("_T")


def watch(items: Iterable[_T], total: int, stream: TextIO) -> Iterator[_T]:
    """Yield ``items``, with a progress bar on ``stream`` if it is a terminal."""
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
