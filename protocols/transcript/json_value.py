"""Where a JSON value ends in a text that holds other things too.

A value ends where its brackets close. One that was cut off never closes, and must not take the lines after it:

    {"format":"text","subformat":"english","content":"It ends too early
    {"format":"text","subformat":"english","content":"A good neighbor"}

So before the value goes on to another line, that line must fit: it is indented, or the value is printed over several
lines, and it begins with what the grammar allows there (RFC 8259). A line that begins with a time never fits.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from protocols.blanks import BLANKS

TOKENS = re.compile(r'("(?:[^"\\\r\n]++|\\[^\r\n])*+")|("(?:[^"\\\r\n]++|\\[^\r\n])*+)|([{\[])|([}\]])|(\r\n|\n|\r)')
CLOSED, OPEN, BEGIN, END, LINE_END = range(1, 6)
KEY = re.compile(r"""["'“”}]|[A-Za-z_$][\w$-]*\s*:""")
VALUE = re.compile(r"""["'“”{\[\]\d-]|true\b|false\b|null\b|NaN\b|None\b|True\b|False\b|//|/\*""")
MORE = re.compile(r"[,}\]:]")
DATED = re.compile(r"\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\[\d")


class Value(NamedTuple):
    """Where a value ends, and whether it was closed there."""

    end: int
    is_closed: bool


class NextLine(NamedTuple):
    """The next line that is not blank, without the prefix that every line of the value has."""

    start: int
    end: int
    indent: int


def find_end(
    text: str, start: int, stop: int, *, next_line: Callable[[int], NextLine | None], begins: Callable[[int, int], bool]
) -> Value | None:
    """The end of the value that begins at ``start``; None when ``stop`` comes first.

    ``next_line`` gives the line after a place; ``begins`` tells whether a message begins on a line, which then is no
    part of the value.
    """
    brackets: list[str] = []
    is_open, deepest = False, 0
    first_line_end = -1
    for token in TOKENS.finditer(text, start, stop):
        kind = token.lastindex
        if kind == BEGIN:
            brackets.append(token[0])
        elif kind == END:
            if brackets:
                brackets.pop()
            if not brackets:
                return Value(token.end(), is_closed=True)
        elif kind == OPEN:
            is_open = True
        elif kind == LINE_END:
            at = token.start()
            if first_line_end < 0:
                first_line_end = at
            following = next_line(at)
            if (
                following is None
                or not _goes_on(
                    text,
                    at,
                    following,
                    brackets[-1],
                    is_open=is_open,
                    is_pretty=_is_pretty(text, start, first_line_end),
                )
                or (deepest > 0 == following.indent and text[following.start] not in "}]")
            ):
                return Value(_before(text, start, at), is_closed=False)
            if text[following.start] not in "\"'{}[]," and begins(following.start, following.end):
                return Value(_before(text, start, at), is_closed=False)
            is_open, deepest = False, max(deepest, following.indent)
    return None


def _goes_on(text: str, at: int, line: NextLine, bracket: str, *, is_open: bool, is_pretty: bool) -> bool:
    """True when ``line`` can be the next line of a value whose line ends at ``at``, inside ``bracket``."""
    first = text[line.start]
    if is_open:  # a string is cut off here, so only the layout tells
        return is_pretty and (line.indent > 0 or first in "}]")
    before = text[:at].rstrip(BLANKS)[-1:] if at < 200 else text[at - 200 : at].rstrip(BLANKS)[-1:]
    if before in "{[,:" and before:
        if not (is_pretty or line.indent or first in "\"'}]"):
            return False
        expected = KEY if bracket == "{" and before != ":" else VALUE
    else:
        expected = MORE
    if expected.match(text, line.start, line.end) is None:
        return expected is MORE and is_pretty and line.indent > 0 and first in "\"'"
    return DATED.match(text, line.start, line.end) is None or first in "\"'"


def _is_pretty(text: str, start: int, line_end: int) -> bool:
    """True when the first line of the value is its opening bracket alone."""
    return not text[start + 1 : min(line_end, start + 200)].strip(BLANKS + "{[")


def _before(text: str, start: int, at: int) -> int:
    """The end of the line without blanks."""
    while at > start and text[at - 1] in BLANKS:
        at -= 1
    return at
