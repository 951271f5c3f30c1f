"""Cells of a table that go on in the next rows, which are joined again.

    │ 10:00:01 │ planner │ INF/OBS|g=42,t=1,!=the     │     the first cell is empty there
    │          │         │ build failed               │

A program wraps the text of a cell at a space, or within a word that is wider than the cell. Where
both are possible, nothing is joined, and the message is said to be cut off.
"""

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import NamedTuple

from cablese.text import trim
from cablese.transcript import encoding, hint
from cablese.transcript.encoding import Decoded

from . import joining

BARS = "|│┃║"
_MORE = re.compile(rf"\n(?=[ \t]*[{BARS}][ ]+[{BARS}])")
"""What is before a row whose first cell is empty: this is searched for much faster."""
_LAST = re.compile(
    rf"^[ \t]*[{BARS}](?P<first>[^\r\n{BARS}]*)[{BARS}](?P<rest>[^\r\n]*[{BARS}])[ \t]*"
    rf"(?:\r|\r?\n[ \t]*(?:[{BARS}][ ]*(?:[{BARS}][^\n]*)?)?)\Z",
    re.MULTILINE,
)
"""A row that such a one may follow, at the end of a text."""
_ROW = re.compile(rf"[ \t]*([{BARS}][^\r\n]*[{BARS}])[ \t]*(?=\r?(?:\n|\Z))")
_MAX_ROW = 2_000
"""Characters of a row."""
_MAX_ROWS = 100
"""Rows of a cell."""


class _Part(NamedTuple):
    """A part of a cell, its place, and how many more characters would fit into its row."""

    text: str
    start: int
    end: int
    room: int


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the parts of a cell; None if no cell has any.

    The last cell may go on unless the text is ``final``, so its line does not end.
    """
    found: list[tuple[int, int, str]] = []
    at = 0
    while (more := _MORE.search(text, at)) is not None:
        rows = _rows(text, more.start())
        at = max(more.end(), rows[-1].end()) if rows else more.end()
        for parts in _columns(text, rows):
            if joints := list(_join(parts)):
                found += joints
                break
    if not final and (end := _growing(text)) is not None:
        found.append((end, len(text), ""))
    return encoding.replace(text, found) if found else None


def is_wrapped(text: str, at: int, end: int) -> bool:
    """Return whether the cell at ``at``, of a row up to ``end``, has text in the row below."""
    if text[end - 1] not in BARS:
        return False
    columns = _columns(text, _rows(text, text.find("\n", end)))
    return any(parts[0].start <= at < parts[0].end for parts in columns)


def _rows(text: str, end: int) -> list[re.Match[str]]:
    """Return the row that ends at ``end``, and those below it whose first cell is empty."""
    first = _ROW.match(text, text.rfind("\n", 0, end) + 1)
    if first is None or len(first[1]) > _MAX_ROW:
        return []
    rows = [first]
    while len(rows) < _MAX_ROWS and (more := _MORE.match(text, end)) is not None:
        row = _ROW.match(text, more.end())
        if row is None or len(row[1]) != len(first[1]):
            break
        rows.append(row)
        end = text.find("\n", row.end())
        if end < 0:
            break
    return rows


def _columns(text: str, rows: list[re.Match[str]]) -> Iterator[list[_Part]]:
    """Yield the parts of each cell that has more than one."""
    starts = [row.start(1) for row in rows]
    bars = [
        at
        for at, sign in enumerate(rows[0][1] if rows else "")
        if sign in BARS and all(text[start + at] == sign for start in starts)
    ]
    for left, right in pairwise(bars):
        parts = [_read(text, start + left + 1, start + right) for start in starts]
        filled = list(takewhile(lambda part: part.text, parts))
        if len(filled) > 1:
            yield filled


def _read(text: str, start: int, end: int) -> _Part:
    span = trim(text, start, end)
    return _Part(text[slice(*span)], *span, end - start - 2 - (span.end - span.start))


def _join(parts: list[_Part]) -> Iterator[tuple[int, int, str]]:
    """Yield what is between the parts of a cell, as far as it is known what was there."""
    is_folded = len(parts) > 2 and all(
        part.room <= 0 and " " not in part.text for part in parts[:-1]
    )
    joined = parts[0].text
    for first, rest in pairwise(parts):
        between = "" if is_folded else _between(joined, first, rest.text)
        if between is None or not joining.goes_on(joined, rest.text, between):
            return
        yield first.end, rest.start, between
        joined += between + rest.text


def _between(joined: str, first: _Part, rest: str) -> str | None:
    """Return what was between two parts of a text; None if that is not known."""
    word, (*others, last) = rest.split(" ")[0], first.text.split(" ")
    if first.text.endswith(("-", "…")):
        return None
    if first.room > 0:
        # Where the next word would have fit, the text has a line end.
        return None if len(word) < first.room else " "
    if others:
        return None if len(last) + len(word) > len(first.text) else " "
    if first.text.endswith("|") or rest.startswith("|"):
        return ""  # No protocol has a space there that means something.
    is_word = joining.is_valid(f"{joined} {rest}") or not joining.is_valid(joined + rest)
    return None if is_word else ""


def _growing(text: str) -> int | None:
    """Return where the last row ends if a row may follow that goes on with it."""
    last = _LAST.search(text, max(0, len(text) - 2 * _MAX_ROW))
    if last is None or hint.may_hold(last["first"]) or not hint.may_hold(last["rest"]):
        return None
    return last.end("rest")
