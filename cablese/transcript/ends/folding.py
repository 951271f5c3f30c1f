"""Packets that are folded over lines, each with the prefix of the first one.

    planner: FETCH|HR|return:HR-Agent|p:1|
    planner: aacp:1.1|period:2024-08 (12ms)

Such a packet ends where it would if all of its lines were one. Two that were written at the same
time have their lines between each other, and a field of both tells that: nothing is joined then.
"""

from collections.abc import Iterator
from typing import NamedTuple

from cablese.codec import Codec
from cablese.message import Span
from cablese.text import BLANKS
from cablese.transcript.anchor import SURE, Anchors
from cablese.transcript.cut import Cut
from cablese.transcript.log_lines.lines import Lines, NextLine

MAX_MIXED = 64
"""Lines of a packet that are searched for a field of another one."""


class Fold(NamedTuple):
    """The lines of ``text`` that a message of a ``protocol`` is on, without their prefixes."""

    text: str
    protocol: str
    pieces: list[tuple[int, int]]
    is_prefixed: bool

    @property
    def end(self) -> int:
        return self.pieces[-1][1]

    @property
    def flat(self) -> str:
        """The message on one line."""
        return "".join(self.text[slice(*piece)] for piece in self.pieces)

    def cut(self, size: int | None = None) -> Cut:
        """Return the message, or what it is if only ``size`` characters of `flat` belong to it."""
        pieces = self.pieces if size is None else list(self._first(size))
        start, stop = pieces[0][0], pieces[-1][1]
        wire = self.text[start:stop]
        if self.is_prefixed and len(pieces) > 1:
            wire = "\n".join(self.text[slice(*piece)] for piece in pieces)
        return Cut(Span(start, stop), wire, self.protocol)

    def _first(self, size: int) -> Iterator[tuple[int, int]]:
        for start, end in self.pieces:
            yield start, min(end, start + size)
            size -= end - start
            if size <= 0:
                return


class Folds:
    """The messages in the text of ``lines`` that go on over the next lines."""

    def __init__(self, lines: Lines, anchors: Anchors) -> None:
        self.text = lines.text
        self.lines = lines
        self.anchors = anchors

    def find(self, codec: Codec, start: int, end: int, prefix: str) -> Fold:
        """Return the message from ``start``, on a line up to ``end`` that begins with ``prefix``,
        with the next lines over which it goes on.
        """
        pieces = [(start, end)]
        fields: set[str] = set()
        while codec.folded:
            line = self.lines.after(pieces[-1][1], prefix, skips_empty=False)
            if line is None or self.begins_message(codec, line):
                break
            last, following = self.text[slice(*pieces[-1])], self.text[line.start : line.end]
            goes_on = codec.continues(last, following)
            if len(pieces) < MAX_MIXED and self._may_mix(pieces, following, goes_on=goes_on):
                fields.update(_list_fields(codec, last))
                if not fields.isdisjoint(_list_fields(codec, following)):
                    del pieces[1:]
                    break
            if not goes_on:
                break
            pieces.append((line.start, line.end))
        return Fold(self.text, codec.name, pieces, is_prefixed=prefix.strip(BLANKS) != "")

    def _may_mix(self, pieces: list[tuple[int, int]], following: str, *, goes_on: bool) -> bool:
        """Return whether the next line may be one of another packet: one with which this one goes
        on, or one without a space after it. A string holds the lines of one.
        """
        is_left = len(pieces) > 1 and " " not in following
        return (goes_on or is_left) and not self.lines.is_string

    def begins_message(self, codec: Codec, line: NextLine) -> bool:
        """Return whether a line holds a message of its own, and so continues none."""
        if self.text[line.start] in "{[":
            return True
        anchor = self.anchors.find(line.start, line.end)
        if anchor is None:
            return False
        is_other = anchor.protocol != codec.name or anchor.at == line.start
        return is_other or anchor.score > SURE


def _list_fields(codec: Codec, line: str) -> Iterator[str]:
    """Yield how each field of a line begins."""
    if codec.further is not None:
        yield from (field[0] for field in codec.further.finditer(f"|{line}"))
