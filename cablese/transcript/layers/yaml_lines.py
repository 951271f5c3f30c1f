r"""Values of YAML that go on in the next lines, which are joined again.

    - from: planner                   - wire: >-                      - wire: "REQ/TSK|g=42,\
      wire: INF/OBS|g=42,!=the          INF/OBS|g=42,!=the                t=1"
        build failed                    build failed

A line end is a space in all of these, unless it is escaped. A value without quotes is of YAML if
its key is indented or in a list, or if the line before or after it has another key in the same
column.
"""

import re
from typing import NamedTuple

from cablese.transcript import encoding
from cablese.transcript.cut import MESSAGE_KEYS
from cablese.transcript.encoding import Decoded

from . import joining

_SIGN = re.compile(r"\n +[^\s-]|\n *\Z")
"""An indented line, or one that may still become one: this is searched for much faster."""
_NAME = r"[A-Za-z_@][\w.-]{0,39}"
_KEY = (
    r"^(?P<lead>[ ]*(?:-[ ]+)*)(?P<quote>[\"']?)"
    rf"(?P<key>{'|'.join(sorted(MESSAGE_KEYS))})(?P=quote):[ ]+"
)
_VALUE = re.compile(
    rf"{_KEY}(?:(?P<fold>>[-+]?)[ ]*\r?\n(?P<indent>[ ]+))?(?P<value>\S[^\r\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_BLOCK = re.compile(rf"{_KEY}(?P<fold>>[-+]?)[ ]*\r?(?:\n[ ]*)?\Z", re.MULTILINE | re.IGNORECASE)
"""A key whose block is still to come."""
_MEMBER = re.compile(rf"([ ]*(?:-[ ]+)*)[\"']?({_NAME})[\"']?:(?:[ ]|\r?\n|\Z)")
_LINE = re.compile(r"([ ]*)([^\r\n]*?)[ \t]*(?:\r?\n|\Z)")
_NOT_PLAIN = re.compile(r"[|>&*!%@`{\[#]")
_NOT_MORE = re.compile(rf"#|-(?: |\Z)|\[|\{{|at |{_NAME}:(?: |\Z)")
"""What begins a line that goes on with no value without quotes. ``at`` is a step of a trace."""
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*(\\)\Z")
_CLOSE = {'"': re.compile(r'(?<!\\)(?:\\\\)*(")'), "'": re.compile(r"(')(?:\Z|[^'])")}
_MAX_LINES = 100
"""Lines of a value."""


class _Value(NamedTuple):
    """The first line of a value: the column of its key, its quote, and the indent of its block."""

    column: int
    mark: str
    block: str | None
    text: str
    end: int


class _More(NamedTuple):
    """A value with one more line, what is between them, and how many signs around it are of it."""

    joined: str
    between: str
    before: int
    after: int
    is_closed: bool


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without the line ends in values; None if no value has any.

    The last value may go on unless the text is ``final``, so its line does not end.
    """
    if _SIGN.search(text) is None and not text.endswith("\r"):
        return None
    found: list[tuple[int, int, str]] = []
    at = 0
    while (match := _VALUE.search(text, at)) is not None:
        value = _read(match)
        found += [] if value is None else _find(text, match, value, final=final)
        at = max(match.end(), found[-1][1] if found else 0)
    if not final and (block := _BLOCK.search(text, text.rfind("\n", at, len(text.rstrip())) + 1)):
        found.append((block.end("fold"), len(text), ""))
    return encoding.replace(text, found) if found else None


def _read(match: re.Match[str]) -> _Value | None:
    """Return a value that may go on; None for any other one."""
    column, block, line = len(match["lead"]), match["indent"], match["value"].rstrip()
    mark = line[0] if block is None and line[0] in _CLOSE else ""
    first = line[len(mark) :]
    if mark and _CLOSE[mark].search(first):
        return None
    if not mark and (_NOT_PLAIN.match(first) or ": " in first):
        return None
    if block is not None and len(block) <= column:
        return None
    return _Value(column, mark, block, first, match.start("value") + len(line))


def _find(
    text: str, match: re.Match[str], value: _Value, *, final: bool
) -> list[tuple[int, int, str]]:
    """Return the line ends in a value, and what each means."""
    joints, end = list[tuple[int, int, str]](), value.end
    is_yaml = value.block is not None or bool(match["lead"]) or bool(value.mark)
    joined, is_closed = value.text, False
    while not is_closed and len(joints) < _MAX_LINES:
        begin = text.find("\n", end) + 1
        if not final and (not begin or text.find("\n", begin) < 0):
            if not is_yaml and not _has_sibling(text, match, end):
                return []
            # With a line of a block that is held back, so is the sign of the block.
            is_block = value.block is not None
            held = (match.end("fold") if is_block else end, len(text), "")
            return [held] if is_block else [*joints, held]
        line = _LINE.match(text, begin) if begin else None
        more = None if line is None else _go_on(joined, line, value)
        if line is None or more is None:
            break
        joints.append((end - more.before, line.start(2) + more.after, more.between))
        joined, is_closed, end = more.joined, more.is_closed, line.end(2)
    if value.mark:
        return joints if is_closed else []
    return joints if is_yaml or _has_sibling(text, match, end) else []


def _go_on(joined: str, line: re.Match[str], value: _Value) -> _More | None:
    """Return a value with this line; None if it does not go on there."""
    indent, rest = line[1], line[2]
    if not rest or len(indent) <= value.column:
        return None
    if value.block is not None:
        is_more = indent == value.block
    else:
        is_more = bool(value.mark) or _NOT_MORE.match(rest) is None
    if not is_more:
        return None
    is_escaped = value.mark == '"' and _ESCAPED.search(joined) is not None
    before, between = (joined[:-1], "") if is_escaped else (joined, " ")
    after = int(is_escaped and rest.startswith("\\ "))
    close = _CLOSE[value.mark].search(rest) if value.mark else None
    rest = rest[after:] if close is None else rest[after : close.start(1)]
    if not joining.goes_on(before, rest, between):
        return None
    return _More(before + between + rest, between, int(is_escaped), after, close is not None)


def _has_sibling(text: str, value: re.Match[str], end: int) -> bool:
    """Return whether the line before a value, or the one after its end, has another key in the same
    column.
    """
    after = text.find("\n", end) + 1
    before = text.rfind("\n", 0, max(0, value.start() - 1)) + 1
    for begin in ([before] if value.start() else []) + ([after] if after else []):
        member = _MEMBER.match(text, begin)
        if member is None or member[2].lower() == value["key"].lower():
            continue
        if len(member[1]) == len(value["lead"]):
            return True
    return False
