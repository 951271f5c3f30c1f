"""How much may be decoded to find where the messages of a line end."""

TRIED, MIN_TRIED = 16, 2_048
"""Characters that are decoded to find where the messages of a line end: so many for each of the
line, which is as much as one message of it may take, and so many more.
"""


class Room:
    """The characters that may still be decoded to find where the messages of a line end, by its
    size: many may begin on it, and each may end at many places. Past that, one ends with the line.
    There are so many for each character of the line, ``each``, and ``more``.
    """

    def __init__(self, size: int, *, each: int = TRIED, more: int = MIN_TRIED) -> None:
        self._left = each * size + more

    def take(self, size: int) -> bool:
        """Return whether ``size`` more characters may be decoded."""
        self._left -= size
        return self._left >= 0
