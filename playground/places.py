"""Where code points of a text stand, for people and for the browser."""

from bisect import bisect_left, bisect_right


class Places:
    """Where code points of a text stand: line and column for people, UTF-16 units for the browser."""

    def __init__(self, text: str) -> None:
        self._breaks = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
        self._astral = [] if text.isascii() else [at for at, character in enumerate(text) if ord(character) > 0xFFFF]

    def unit(self, at: int) -> int:
        return at + bisect_right(self._astral, at - 1)

    def point(self, unit: int) -> int:
        """The code point that `unit` stands in or before: `unit` the other way round."""
        return unit - bisect_left(range(len(self._astral)), unit, key=lambda one: self._astral[one] + one)

    def line(self, at: int) -> int:
        return bisect_right(self._breaks, at)

    def column(self, at: int) -> int:
        return at - self._breaks[self.line(at) - 1] + 1
