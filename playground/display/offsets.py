"""The position of code points in a text, for people and for the browser."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator


class Places:
    """The position of code points in a text: line and column for people, UTF-16 units for the
    browser.
    """

    def __init__(self, text: str) -> None:
        self._breaks = [0, *(match.end() for match in re.finditer("\n", text))]
        self._astral = [match.start() for match in re.finditer("[\U00010000-\U0010ffff]", text)]

    def unit(self, at: int) -> int:
        return at + bisect_right(self._astral, at - 1)

    def units(self, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Convert many spans to units at once."""
        if not self._astral:
            return iter(spans)
        return ((self.unit(start), self.unit(end)) for start, end in spans)

    def point(self, unit: int) -> int:
        """Return the code point at or after a UTF-16 unit: the inverse of `unit`."""
        return unit - bisect_left(
            range(len(self._astral)), unit, key=lambda index: self._astral[index] + index
        )

    def line(self, at: int) -> int:
        return bisect_right(self._breaks, at)

    def column(self, at: int) -> int:
        return at - self._breaks[self.line(at) - 1] + 1
