"""Where the strings and the objects of a JSON text are, counted in the order of the text.

    {"role": "user", "content": "ACK"}      strings 1:… role, user, content, ACK; one object

A walk over the parsed value meets them in the same order, so no tree with places is needed. The
text must be clean: JSON without repeated keys.
"""

import re
from bisect import bisect_left
from functools import cached_property

from cablese.message import Span

STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"')
BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+"|([{}])')


class Places:
    """The places in ``text``. The text is searched when the first of a kind is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    def string(self, number: int) -> Span:
        """Return where a string is, without its quotes. Keys count too."""
        match = STRING.match(self.text, self._strings[number])
        assert match is not None
        return Span(*match.span(1))

    def object(self, number: int) -> Span:
        starts, ends = self._objects
        return Span(starts[number], ends[number])

    def strings_before(self, end: int) -> int:
        return bisect_left(self._strings, end)

    def objects_before(self, end: int) -> int:
        return bisect_left(self._objects[0], end)

    @cached_property
    def _strings(self) -> list[int]:
        return [match.start() for match in STRING.finditer(self.text)]

    @cached_property
    def _objects(self) -> tuple[list[int], list[int]]:
        """Where each object begins, and where it ends."""
        starts: list[int] = []
        ends: list[int] = []
        opened: list[int] = []
        for brace in BRACE.finditer(self.text):
            if brace[1] == "{":
                opened.append(len(starts))
                starts.append(brace.start())
                ends.append(0)
            elif brace[1] == "}":
                ends[opened.pop()] = brace.end()
        return starts, ends
