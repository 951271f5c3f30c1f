r"""Values of YAML that go on in the next lines, which are joined again.

    - wire: >-                      - wire: "REQ/TSK|g=42,\
        INF/OBS|g=42,!=the build        t=1"
        failed

A line end is a space in both, unless it is escaped. A value without quotes is left as it is, since
other notes are indented alike.
"""

import re
from typing import NamedTuple

from cablese.transcript import encoding
from cablese.transcript.cut import MESSAGE_KEYS
from cablese.transcript.encoding import Decoded

from . import joining

KEY = (
    r"^(?P<lead>[ ]*(?:-[ ]+)*)(?P<quote>[\"']?)"
    rf"(?P<key>{'|'.join(sorted(MESSAGE_KEYS))})(?P=quote):[ ]+"
)
"""The key of a message, and what is before it on its line."""
_VALUE = re.compile(
    rf"{KEY}(?:(?P<fold>>[-+]?)[ ]*+\r?\n(?P<indent>[ ]+))?(?P<value>\S[^\r\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_BLOCK = re.compile(rf"{KEY}(?P<fold>>[-+]?)[ ]*+\r?(?:\n[ ]*)?\Z", re.MULTILINE | re.IGNORECASE)
"""A key whose block is still to come."""
_LINE = re.compile(r"([ ]*+)([^\r\n]*)")
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*(\\)\Z")
_CLOSE = {'"': re.compile(r'(?<!\\)(?:\\\\)*(")'), "'": re.compile(r"(?<!')(?:'')*(')(?!')")}
_CLOSED = re.compile(r"[ ]*(?:#.*)?\Z")
"""What is after a quote that closes a value."""
_MAX_LINES = 1_000
"""Lines of a value."""


class _Value(NamedTuple):
    """The first line of a value: the column of its key, its quote, and the indent of its block."""

    column: int
    mark: str
    block: str | None
    text: str
    end: int


class _More(NamedTuple):
    """A line that goes on: its text, what is before it, how many signs around that are of it, and
    whether it is the last one.
    """

    text: str
    between: str
    before: int
    after: int
    is_last: bool


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without the line ends in values; None if no value has any.

    The last value may go on unless the text is ``final``, so its line does not end.
    """
    may_grow = not final and text.endswith(("\n", "\r"))
    if "\n " not in text and not may_grow:
        return None
    found: list[tuple[int, int, str]] = []
    at = 0
    while (match := _VALUE.search(text, at)) is not None:
        is_whole = final or text.find("\n", match.end()) >= 0
        value = _read(match, is_whole=is_whole)
        found += [] if value is None else _find(text, match, value, final=final)
        at = max(match.end(), found[-1][1] if found else 0)
    if not final and (block := _BLOCK.search(text, text.rfind("\n", at, len(text.rstrip())) + 1)):
        found.append((block.end("fold"), len(text), ""))
    return encoding.replace(text, found) if found else None


def _read(match: re.Match[str], *, is_whole: bool) -> _Value | None:
    """Return a value that may go on; None for any other one. Its first line may not be whole."""
    column, block, line = len(match["lead"]), match["indent"], match["value"].rstrip()
    mark = line[0] if block is None and line[0] in _CLOSE else ""
    first = line[len(mark) :]
    if mark:
        may_go_on = _CLOSE[mark].search(first) is None
    else:
        may_go_on = block is not None and len(block) > column
    if not may_go_on or (is_whole and not joining.may_begin(first)):
        return None
    return _Value(column, mark, block, first, match.start("value") + len(line))


def _find(
    text: str, match: re.Match[str], value: _Value, *, final: bool
) -> list[tuple[int, int, str]]:
    """Return the line ends in a value, and what each means."""
    joints, end = list[tuple[int, int, str]](), value.end
    last = value.text
    while len(joints) < _MAX_LINES:
        begin = text.find("\n", end) + 1
        if not final and (not begin or text.find("\n", begin) < 0):
            # With a line of a block that is held back, so is the sign of the block.
            if value.block is not None:
                return [(match.end("fold"), len(text), "")]
            return [*joints, (end, len(text), "")]
        line = _LINE.match(text, begin) if begin else None
        more = None if line is None else _go_on(last, line, value)
        if line is None or more is None:
            break
        first = value.text[: len(value.text) - more.before]
        if not joints and not joining.keeps_valid(first, first + more.between + more.text):
            return []
        joints.append((end - more.before, line.start(2) + more.after, more.between))
        last, end = more.text, line.start(2) + len(line[2].rstrip())
        if more.is_last:
            return joints
    return [] if value.mark else joints


def _go_on(last: str, line: re.Match[str], value: _Value) -> _More | None:
    """Return what this line goes on with, after ``last``; None if it does not."""
    indent, rest = line[1], line[2].rstrip()
    if not rest or len(indent) <= value.column or joining.has_message(rest):
        return None
    if value.block is not None:
        return _More(rest, " ", 0, 0, is_last=False) if indent == value.block else None
    close = _CLOSE[value.mark].search(rest)
    if close is not None and _CLOSED.match(rest, close.end()) is None:
        return None
    is_escaped = value.mark == '"' and _ESCAPED.search(last) is not None
    after = int(is_escaped and rest.startswith("\\ "))
    rest = rest[after:] if close is None else rest[after : close.start(1)]
    return _More(rest, "" if is_escaped else " ", int(is_escaped), after, close is not None)
