"""Cut a log into windows of leaves, each larger than the one before, so that what is common is
found in the first and what is rare costs few more.

A window is named by the blocks that it consists of. A block is 4,096 leaves, or 16 or 256 times as
many, and begins at a multiple of its size.
"""

from collections.abc import Iterator, Sequence

from auditlog.search.engine.alternatives import Alternative
from auditlog.search.engine.condition import Bounds

LEVELS = (12, 16, 20)
"""Bits of a leaf that a block of each level leaves out."""
_GROWTH = 8
_NAMES = 16
"""At most so many blocks of the lower levels name a window: each is looked up for every hit."""


def blocks_of(leaf: int) -> list[tuple[int, int]]:
    """Return the block of each level that has a leaf, as level and number."""
    return [(level, leaf >> bits) for level, bits in enumerate(LEVELS)]


def span(ways: Sequence[Alternative], size: int) -> Bounds:
    """Return the bounds that have the leaves of all alternatives in a log of that size."""
    low = min((way.low for way in ways), default=0)
    ends = [size if way.high is None else min(way.high, size) for way in ways]
    return Bounds(low, max([low, *ends]))


def cut(bounds: Bounds, size: int, *, oldest_first: bool) -> tuple[Bounds, Bounds]:
    """Return the first ``size`` leaves of ``bounds``, the newest by default, and the rest."""
    low, high = bounds
    if oldest_first:
        edge = min(high, low + size)
        return Bounds(low, edge), Bounds(edge, high)
    edge = max(low, high - size)
    return Bounds(edge, high), Bounds(low, edge)


def windows(bounds: Bounds, size: int, *, oldest_first: bool) -> Iterator[tuple[Bounds, Bounds]]:
    """Yield windows that lie beside each other and have all leaves of ``bounds``, each with what is
    beyond it. The first has ``size`` leaves.
    """
    while bounds.size:
        window, bounds = cut(bounds, size, oldest_first=oldest_first)
        yield window, bounds
        size *= _GROWTH


def cover(bounds: Bounds) -> list[tuple[int, int]]:
    """Return blocks that together have all leaves of ``bounds``, as level and number: of the lowest
    level that needs only a few.
    """
    for level, bits in enumerate(LEVELS):
        numbers = range(bounds.low >> bits, ((bounds.high - 1) >> bits) + 1)
        if len(numbers) <= _NAMES or level == len(LEVELS) - 1:
            return [(level, number) for number in numbers]
    raise AssertionError(bounds)


def count_leaves(bounds: Bounds) -> int:
    """Return how many leaves the blocks have that cover ``bounds``."""
    return sum([1 << LEVELS[level] for level, _ in cover(bounds)])
