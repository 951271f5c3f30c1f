"""Where a JSON value ends in a text that holds other things too.

A value ends where its brackets close. A value that was cut off never closes, and must not take the
lines after it:

    {"format":"text","subformat":"english","content":"It ends too early
    {"format":"text","subformat":"english","content":"A good neighbor"}

So before the value goes on to another line, that line must fit: it is indented, or the value is
printed over several lines, and it begins with what the grammar allows there (RFC 8259). A line that
begins with a time never fits.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from cablese.text import BLANKS
from cablese.transcript.log_lines.lines import NextLine

STRING = r'"[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+'
TOKENS = re.compile(
    rf"""(?:[^"{{}}\[\]\r\n]++|{STRING}")*+(?:({STRING})|([{{\[]++)|([}}\]]++)|(\r\n|\n|\r)|\Z)"""
)
"""A string that does not end on its line, brackets, or the end of a line, and what is before it.

It matches at every place: otherwise what is before would be read again from its second character.
"""
OPEN, BEGIN, END, LINE_END = range(1, 5)
KEY = re.compile(r"""["'“”}]|[A-Za-z_$][\w$-]*\s*:""")
VALUE = re.compile(r"""["'“”{\[\]\d-]|true\b|false\b|null\b|NaN\b|None\b|True\b|False\b|//|/\*""")
MORE = re.compile(r"[,}\]:]")
FITTING = "\"'{}[],"
"""No message of a line protocol begins with one of these."""
DATED = re.compile(r"\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\[\d")

MAX_LOOK = 200
"""Characters of a line that are looked at for its layout."""


class Value(NamedTuple):
    """Where a value ends, and whether it was closed there."""

    end: int
    is_closed: bool


def find_end(
    text: str,
    start: int,
    stop: int,
    *,
    next_line: Callable[[int], NextLine | None],
    begins: Callable[[int, int], bool],
) -> Value | None:
    """Return the end of the value that begins at ``start``; None when ``stop`` comes first.

    ``next_line`` gives the line after a place. ``begins`` tells whether a message begins on a line,
    which is then not part of the value.
    """
    brackets: list[str] = []
    is_open, deepest = False, 0
    is_pretty: bool | None = None
    for token in TOKENS.finditer(text, start, stop):
        kind = token.lastindex
        if kind == BEGIN:
            brackets += token[BEGIN]
        elif kind == END:
            first, end = token.span(END)
            if end - first >= len(brackets):
                return Value(first + len(brackets), is_closed=True)
            del brackets[first - end :]
        elif kind == OPEN:
            is_open = True
        elif kind == LINE_END:
            at = token.start(LINE_END)
            is_pretty = _is_pretty(text, start, at) if is_pretty is None else is_pretty
            line = next_line(at)
            if line is None or not (
                _goes_on(text, at, line, brackets[-1], is_open=is_open, is_pretty=is_pretty)
                # Inside a value with indented lines, only a bracket that closes is not indented.
                and (line.indent or not deepest or text[line.start] in "}]")
                and (text[line.start] in FITTING or not begins(line.start, line.end))
            ):
                return Value(_before(text, start, at), is_closed=False)
            is_open, deepest = False, max(deepest, line.indent)
    return None


def _goes_on(
    text: str, at: int, line: NextLine, bracket: str, *, is_open: bool, is_pretty: bool
) -> bool:
    """Return whether a value whose line ends at ``at``, inside ``bracket``, goes on in ``line``."""
    first = text[line.start]
    if is_open:  # a string is cut off here, so only the layout tells
        return is_pretty and (line.indent > 0 or first in "}]")
    before = text[max(0, at - MAX_LOOK) : at].rstrip(BLANKS)[-1:]
    if before and before in "{[,:":
        if not (is_pretty or line.indent or first in "\"'}]"):
            return False
        expected = KEY if bracket == "{" and before != ":" else VALUE
    else:
        expected = MORE
    if expected.match(text, line.start, line.end) is None:
        return expected is MORE and is_pretty and line.indent > 0 and first in "\"'"
    return DATED.match(text, line.start, line.end) is None or first in "\"'"


def _is_pretty(text: str, start: int, line_end: int) -> bool:
    """Return whether the first line of the value is its opening brackets alone."""
    return not text[start + 1 : min(line_end, start + MAX_LOOK)].strip(BLANKS + "{[")


def _before(text: str, start: int, at: int) -> int:
    """Return the end of the line without the spaces there."""
    while at > start and text[at - 1] in BLANKS:
        at -= 1
    return at
