"""The lines of a text, and the prefix that every line of one message has.

    10:00:01 INFO FETCH|HR|return:HR-Agent|p:1|aacp:1.1|
    10:00:02 INFO period:2024-08                              the numbers of a prefix may differ

A prefix that differs otherwise begins a line of its own.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from cablese.text import BLANKS, trim
from cablese.transcript.quoting import Quote, Quotes

NUMBER = re.compile(r"(\d+)")
DIGITS = re.compile(r"\d+")
LINE = re.compile(r"([^\r\n]*+)(\r\n|\n|\r|\Z)")


Form = Literal["text", "string", "arguments", "rows", "output"]
"""What a text is: all of it, a string inside another text, what a tool is called with, the rows of
a table, in which no line goes on in the next, or what a program printed with a line end.
"""


class Unfinished(Exception):
    """The text ends inside a message, and more is to come."""


class NextLine(NamedTuple):
    """A line without its prefix and the spaces around it, and how far it is indented."""

    start: int
    end: int
    indent: int


class Lines:
    """The lines of ``text``. With ``final`` false the last one may still grow.

    ``start`` is where the line that is being read begins, without the spaces before it. The text
    ``is_value`` when it is a string of one line inside another text, which ends where that does.
    """

    def __init__(self, text: str, *, final: bool, form: Form = "text") -> None:
        self.text = text
        self.final = final
        self.are_rows = form == "rows"
        self.content = trim(text, 0, len(text))
        """The text without spaces and line ends around it: a message may be all of a value."""
        self.is_string = form not in ("text", "output")
        self.is_value = self.is_string and not any(
            text.find(sign, *self.content) >= 0 for sign in "\r\n"
        )
        self.start = 0
        self._quotes = Quotes(text, 0)
        self._has_returns = "\r" in text

    def at(self, place: int) -> tuple[int, int]:
        """Return where the line at ``place`` ends, and where the next one begins."""
        if not self._has_returns:
            end = self.text.find("\n", place)
            return (len(self.text), len(self.text)) if end < 0 else (end, end + 1)
        line = LINE.match(self.text, place)
        assert line is not None
        return line.end(1), line.end()

    def quote_at(self, place: int) -> Quote | None:
        """Return the innermost quote that is open at ``place`` of the current line."""
        if self._quotes.start != self.start:
            self._quotes = Quotes(self.text, self.start)
        return self._quotes.at(place)

    def end(self, at: int) -> int:
        """Return the end of the line at ``at``. Raises Unfinished when it may still grow."""
        end, following = self.at(at)
        if end == following and not self.final:
            raise Unfinished
        return end

    def next_begin(self, at: int) -> int:
        """Return where the line after the one at ``at`` begins."""
        return self.at(at)[1]

    def has_below(self, at: int) -> bool:
        """Return whether a line is below the one at ``at``. Raises Unfinished when it may grow."""
        begin = self.next_begin(at)
        self.end(begin)
        return begin < len(self.text)

    def after(self, at: int, prefix: str, *, skips_empty: bool) -> NextLine | None:
        """Return the line after the one at ``at``; None when it is empty or there is none.

        With ``skips_empty`` empty lines are passed. Raises Unfinished when more may come.
        """
        while not self.are_rows:
            begin = self.next_begin(at)
            if begin >= len(self.text):
                if not self.final:
                    raise Unfinished
                return None
            end = self.end(begin)
            start = self.past_prefix(begin, end, prefix)
            content = trim(self.text, start, end)
            if content.start < content.end:
                return NextLine(*content, content.start - start)
            if not skips_empty:
                return None
            at = begin
        return None

    def past_prefix(self, start: int, end: int, prefix: str) -> int:
        """Return where the line from ``start`` on goes on after a prefix like ``prefix``."""
        if not prefix.strip(BLANKS):
            return start
        at = trim(self.text, start, end).start  # as before the prefix of the first line
        for piece in _pieces(prefix):
            if piece.isdigit():
                digits = DIGITS.match(self.text, at, end)
                if digits is None:
                    return start
                at = digits.end()
            elif self.text.startswith(piece, at, end):
                at += len(piece)
            else:
                return start
        return at

    def without_prefix(self, start: int, stop: int, end: int) -> list[tuple[int, int]]:
        """Return the lines from ``start`` to ``stop`` without the prefix that the first one has.

        The first line ends at ``end``. Without a prefix on the next lines there are none.
        """
        prefix = self.text[self.start : start]
        if not prefix.strip(BLANKS):
            return []
        pieces, at, is_prefixed = [(start, end)], end, False
        while at < stop:
            begin = self.next_begin(at)
            at = min(self.end(begin), stop)
            past = self.past_prefix(begin, at, prefix)
            is_prefixed = is_prefixed or past > begin
            pieces.append((past, at))
        return pieces if is_prefixed else []


@lru_cache(maxsize=64)
def _pieces(prefix: str) -> tuple[str, ...]:
    """Return the numbers of a prefix, and what is between them."""
    return tuple(piece for piece in NUMBER.split(prefix) if piece)


def leave_last_line(text: str, most: int) -> str:
    """Return a beginning of more than ``most`` characters without its last line, unless that is as
    long. So much is cut where it ends, and a message there may go on.
    """
    last = text.rfind("\n") + 1 if len(text) > most else 0
    return text[:last] if last and len(text) - last <= most else text
