"""Where code points of a text stand, for people and for the browser."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator


class Places:
    """Where code points of a text stand: line and column for people, UTF-16 units for the
    browser.
    """

    def __init__(self, text: str) -> None:
        self._breaks = [0, *(found.end() for found in re.finditer("\n", text))]
        self._astral = [found.start() for found in re.finditer("[\U00010000-\U0010ffff]", text)]

    def unit(self, at: int) -> int:
        return at + bisect_right(self._astral, at - 1)

    def units(self, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Many spans at once, as units."""
        if not self._astral:
            return iter(spans)
        return ((self.unit(start), self.unit(end)) for start, end in spans)

    def point(self, unit: int) -> int:
        """The code point that `unit` stands in or before: `unit` the other way round."""
        return unit - bisect_left(
            range(len(self._astral)), unit, key=lambda one: self._astral[one] + one
        )

    def line(self, at: int) -> int:
        return bisect_right(self._breaks, at)

    def column(self, at: int) -> int:
        return at - self._breaks[self.line(at) - 1] + 1
