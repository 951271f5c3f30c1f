"""Where the text of a message visibly goes on in the next line, though not how.

    │ 10:00:01 │ planner │ INF/OBS|g=42,t=1,!=the     │     a cell that a program wrapped
    │          │         │ build failed               │
    │ INF/OBS|g=42,t=1,!=the build of the ser │             a line of a panel that is full
    │ vice failed                             │
    msg: INF/OBS|g=42,t=1,!=the build of the service …      a line of YAML that is full
      failed
    [10:00:01] INFO     INF/OBS|g=42,t=1,!=the build bus.py:18      a line of Rich that is full
                        failed

Another row or note may be written alike, so nothing is joined.
"""

import re
from itertools import pairwise

from cablese.text import trim
from cablese.transcript.ends.sentence import PADDED, PLACE
from cablese.transcript.layers import joining, yaml_lines

from .lines import Lines

_BARS = "|│┃║"
_ROW = re.compile(rf"[ \t]*([{_BARS}][^\r\n]*[{_BARS}])[ \t]*(?=\r?(?:\n|\Z))")
_BELOW = re.compile(rf"\r?\n(?=[ \t]*[{_BARS}][ ]+[{_BARS}])")
"""What is before a row whose first cell is empty."""
_DRAWN = "│┃║"
"""Bars that no message has."""
_CELL = re.compile(r"[|,]?\w[^│┃║]*\Z")
"""Text with which a cell goes on."""
_MAX_ROW = 2_000
"""Characters of a row."""
_KEY = re.compile(rf"{yaml_lines.KEY}\Z", re.IGNORECASE)
_NEXT = re.compile(r"\r?\n([ ]+)([\w(](?!t )(?![^\r\n]*(?::\s|\s#))[^\s]*)[^\r\n]*")
"""A line with which a value may go on, and its first word. ``at`` begins a step of a trace."""
_WIDTH = 70
"""Characters of a line that would be exceeded with the next word. Programs fold from 72 on."""

_PLACED = re.compile(rf"[ ]+{PLACE}\Z")
"""The place in the program at the right of a line."""
_MAX_PLACE = 280
"""Characters of it."""


def column_end(lines: Lines, at: int, end: int) -> int | None:
    """Return where the column of Rich ends that the message at ``at`` is in, of a line up to
    ``end``, if its text goes on in the next line. Raises Unfinished when more of that may come.
    """
    text = lines.text
    if not text[end - 1].isdigit() or text.find(":", max(at, end - 8), end) < 0:
        return None
    place = _PLACED.search(text, max(at, end - _MAX_PLACE), end)
    begin = max(text.rfind(sign, 0, at) for sign in "\r\n") + 1
    level = None if place is None else PADDED.search(text, begin, at)
    if place is None or level is None or not lines.has_below(end):
        return None
    below = lines.next_begin(end)
    row = text[below : lines.end(below)].rstrip()
    width = level.end() - begin
    is_column = not row[:width].strip() and row[width : width + 1].strip()
    if not is_column or len(row) > place.start() - begin or joining.has_message(row.strip()):
        return None
    return place.start()


def in_cell(lines: Lines, at: int, end: int) -> bool:
    """Return whether the cell at ``at``, of a row up to ``end``, goes on in the row below.

    All other cells are empty there, and its first word would not have fit above. Raises Unfinished
    when more of that row may come.
    """
    text = lines.text
    if text[end - 1] not in _BARS or not lines.has_below(end):
        return False
    below = _BELOW.match(text, end)
    if below is None:
        return text[end - 1] in _DRAWN and _in_panel(text, at, end)
    row = _ROW.match(text, text.rfind("\n", 0, end) + 1)
    more = _ROW.match(text, below.end())
    if row is None or more is None or not len(row[1]) == len(more[1]) <= _MAX_ROW:
        return False
    bars = [n for n, sign in enumerate(more[1]) if sign in _BARS and row[1][n] == sign]
    cells = [(left + 1, right) for left, right in pairwise(bars)]
    filled = [cell for cell in cells if more[1][slice(*cell)].strip()]
    if len(filled) != 1 or not row[1][slice(*cells[0])].strip():
        return False
    left, right = filled[0]
    first = trim(text, row.start(1) + left, row.start(1) + right)
    rest = more[1][left:right].strip()
    room = right - left - 2 - (first.end - first.start)
    is_full = len(rest.split(" ")[0]) >= room
    is_text = _CELL.match(rest) is not None and not joining.has_message(rest)
    return first.start <= at < first.end and is_full and is_text


def _in_panel(text: str, at: int, end: int) -> bool:
    """Return whether a row with one cell, which is full, goes on in the row below."""
    row = _ROW.match(text, text.rfind("\n", 0, end) + 1)
    more = None if row is None else _ROW.match(text, text.find("\n", end) + 1)
    if row is None or more is None or not len(row[1]) == len(more[1]) <= _MAX_ROW:
        return False
    bar = row[1][0]
    if not row[1][-1] == bar == more[1][0] == more[1][-1]:
        return False
    content, rest = row[1][1:-1], more[1][1:-1].strip()
    has_bars = any(sign in content + rest for sign in _DRAWN)
    is_full = content[:1] == content[-1:] == " " and content[1:-1] == content.strip()
    is_first = text[row.start(1) + 1 : at].isspace()
    is_text = _CELL.match(rest) is not None and not joining.has_message(rest)
    return is_full and is_first and is_text and not has_bars


def in_yaml(lines: Lines, at: int, end: int) -> bool:
    """Return whether the value at ``at``, of a line up to ``end``, goes on in the next line. Raises
    Unfinished when more of that may come.
    """
    text = lines.text
    begin = text.rfind("\n", 0, at) + 1
    lead = text[begin:at]
    may_be_key = end - begin > _WIDTH // 2 and lead.rstrip(" ").endswith(":")
    key = _KEY.match(lead) if may_be_key else None
    more = _NEXT.match(text, end) if key is not None and lines.has_below(end) else None
    if more is None or key is None or not 0 < len(key["lead"]) < len(more[1]):
        return False
    is_full = end - begin + 1 + len(more[2]) > _WIDTH
    return is_full and not joining.has_message(more[0].strip())
