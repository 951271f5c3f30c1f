"""Cells of a table that go on in the next rows, which are joined again.

    │ 10:00:01 │ planner │ INF/OBS|g=42,t=1,!=the     │     all other cells are empty there
    │          │         │ build failed               │

A program wraps the text of a cell at a space, or within a word that is wider than the cell. Where
both are possible, nothing is joined, and the message is said to be cut off.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
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
_MORE_TEXT = re.compile(r"[|,]?\w[^│┃║]*\Z")
"""What a row that goes on begins with."""
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


class _Cell(NamedTuple):
    """The parts of a cell, how many other cells its first row has, and where its last row ends."""

    parts: list[_Part]
    others: int
    end: int


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the parts of a cell; None if no cell has any.

    The last cell may go on unless the text is ``final``, so its line does not end.
    """
    found: list[tuple[int, int, str]] = []
    at = 0
    while (more := _MORE.search(text, at)) is not None:
        cell = _read(text, more.start(), _MAX_ROWS)
        at = more.end() if cell is None else cell.end
        if cell is not None and cell.others > 1:
            found += _join(cell.parts)
    if not final and (growing := _growing(text)) is not None:
        found.append((growing, len(text), ""))
    return encoding.replace(text, found) if found else None


def is_wrapped(text: str, at: int, end: int) -> bool:
    """Return whether the cell at ``at``, of a row up to ``end``, goes on in the row below."""
    feed = text.find("\n", end) if text[end - 1] in BARS else -1
    cell = _read(text, feed, 2) if feed >= 0 and _MORE.match(text, feed) is not None else None
    if cell is None or not cell.parts[0].start <= at < cell.parts[0].end:
        return False
    first, rest = cell.parts
    may_be = cell.others > 1 or len(rest.text.split(" ")[0]) >= first.room
    return may_be and _MORE_TEXT.match(rest.text) is not None and not joining.has_message(rest.text)


def _read(text: str, end: int, most: int) -> _Cell | None:
    """Return the only cell that goes on below the row that ends at ``end``, with at most ``most``
    parts.
    """
    above = _ROW.match(text, text.rfind("\n", 0, end) + 1)
    if above is None or len(above[1]) > _MAX_ROW:
        return None
    start, length = above.start(1), len(above[1])
    parts: list[_Part] = []
    place, others = (0, 0), 0
    while len(parts) < most and (more := _MORE.match(text, end)) is not None:
        row = _ROW.match(text, more.end())
        if row is None or len(row[1]) != length:
            break
        cells = _cells(text, start, row.start(1), length)
        filled = [cell for cell in cells if text[slice(*_at(row.start(1), cell))].strip()]
        if len(filled) != 1 or (parts and filled[0] != place):
            break
        if not parts:
            place = filled[0]
            parts.append(_part(text, *_at(start, place)))
            others = sum(bool(text[slice(*_at(start, cell))].strip()) for cell in cells) - 1
            if not parts[0].text or not text[slice(*_at(start, cells[0]))].strip():
                return None
        parts.append(_part(text, *_at(row.start(1), place)))
        end = row.end() if text[row.end() : row.end() + 1] != "\r" else row.end() + 1
    return _Cell(parts, others, end) if len(parts) > 1 else None


def _cells(text: str, above: int, row: int, length: int) -> list[tuple[int, int]]:
    """Return the cells between the bars that are in both rows, by their places in a row."""
    bars = [
        at for at in range(length) if text[row + at] in BARS and text[above + at] == text[row + at]
    ]
    return [(left + 1, right) for left, right in pairwise(bars)]


def _at(row: int, cell: tuple[int, int]) -> tuple[int, int]:
    return row + cell[0], row + cell[1]


def _part(text: str, start: int, end: int) -> _Part:
    span = trim(text, start, end)
    return _Part(text[slice(*span)], *span, end - start - 2 - (span.end - span.start))


def _join(parts: list[_Part]) -> Iterator[tuple[int, int, str]]:
    """Yield what is between the parts of a cell, as far as it is known what was there."""
    is_folded = len(parts) > 2 and all(
        part.room <= 0 and " " not in part.text for part in parts[:-1]
    )
    joined, is_first = parts[0].text, True
    for first, rest in pairwise(parts):
        between = "" if is_folded else _between(first, rest.text)
        if between is None or joining.has_message(rest.text) or _MORE_TEXT.match(rest.text) is None:
            return
        more = f"{joined}{between}{rest.text}"
        if is_first and not (joining.may_begin(joined) and joining.keeps_valid(joined, more)):
            return
        yield first.end, rest.start, between
        joined, is_first = more, False


def _between(first: _Part, rest: str) -> str | None:
    """Return what was between two parts of a text; None if that is not known."""
    word, (*others, last) = rest.split(" ")[0], first.text.split(" ")
    if first.text.endswith(("-", "…")):
        return None
    if first.room > 0:
        # Where the next word would have fit, the text has a line end.
        return None if len(word) < first.room else " "
    if others:
        return None if len(last) + len(word) > len(first.text) else " "
    # No protocol has a space beside a bar that means something.
    return "" if first.text.endswith("|") or rest.startswith("|") else None


def _growing(text: str) -> int | None:
    """Return where the last row ends if a row may follow that goes on with it."""
    last = _LAST.search(text, max(0, len(text) - 2 * _MAX_ROW))
    if last is None or hint.may_hold(last["first"]) or not hint.may_hold(last["rest"]):
        return None
    return last.end("rest")
