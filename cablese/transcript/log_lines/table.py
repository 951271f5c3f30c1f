"""Rows below a line that names their columns: CSV (RFC 4180), tabs, Markdown, and psql.

    time,from,message,to,status                        | from    | message          |
    10:00:01,planner,REQ/TSK|g=42,t=1,executor,200     | planner | REQ/TSK|g=42,t=1 |

A program that writes a message without quotes writes its commas as they are, so the message ends
where as many columns are left as the first line names after it. The other columns are its metadata.
"""

import csv
import re

from cablese.transcript.cut import MESSAGE_KEYS, Cut
from cablese.transcript.facts import NOTHING, Facts
from cablese.transcript.line_facts import begin_of, end_of
from cablese.transcript.records import record

_NAME = r'"?[A-Za-z_@#][\w @./()-]{0,40}+"?'
_PADDED = r"[ \t]*+[A-Za-z_@#][\w @./()-]{0,60}+"
_HEAD = re.compile(
    rf"{_NAME}(?P<mark>[,;\t]){_NAME}(?:(?P=mark){_NAME}){{0,40}}"
    rf"|\|?{_PADDED}(?:\|{_PADDED}){{1,40}}\|?"
)
BAR = "|"
MAX_HEAD = 1_000
"""Characters of a line that may name columns."""
MAX_CELLS = 2_000
"""Characters before and after a message that are read as columns."""
_KNOWN = MESSAGE_KEYS | record.TELLS
"""One of these is the name of a column."""


class Table:
    """The columns of the last line that named any, in lower case; none where no line did."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._mark = ","
        self._heads: list[tuple[int, str]] = []
        """Where each line is that named columns."""

    def head_before(self, end: int) -> str:
        """Return the last line before ``end`` that names columns; an empty one if none does."""
        return next((line for at, line in reversed(self._heads) if at < end), "")

    def note(self, line: str, at: int) -> None:
        """Take the columns that the line at ``at``, which holds no message, names."""
        if ", " in line or len(line) > MAX_HEAD:
            return  # No name begins with a space: this is prose.
        head = _HEAD.fullmatch(line)
        if head is None:
            return
        mark = head["mark"] or BAR
        names = [name.strip().lower() for name in _cells(line, mark)]
        if not _KNOWN.isdisjoint(names):
            self._heads.append((at, line))
            self.names, self._mark = names, mark

    def end(self, text: str, start: int, at: int, end: int) -> int | None:
        """Return where the column of a message ends that begins at ``at``, without quotes.

        Columns are named. None for the last column, between bars, which are in messages too, and
        where the row from ``start`` to ``end`` has other columns than those that are named.
        """
        if self._mark == BAR or (at > start and text[at - 1] != self._mark):
            return None
        left = len(self.names) - len(_cells(text[max(start, at - MAX_CELLS) : at], self._mark))
        if left < 1:
            return None
        for _ in range(left):
            opened = text.rfind(f'{self._mark}"', at, end - 1) if text[end - 1] == '"' else -1
            end = opened if opened >= 0 else text.rfind(self._mark, at, end)
            if end < 0:
                return None
        return end

    def facts(self, text: str, cuts: list[Cut], start: int, stop: int) -> Facts:
        """Return what the other columns state about the messages of one column."""
        begin, end = begin_of(cuts[0]), end_of(cuts[-1])
        if begin - start > MAX_CELLS or stop - end > MAX_CELLS:
            return NOTHING
        before = _cells(text[start:begin], self._mark)[:-1]
        after = _cells(text[end:stop].removeprefix('"'), self._mark)[1:]
        if len(before) + 1 + len(after) != len(self.names):
            return NOTHING
        if len(before) == 1 and not after and before[0].strip().lower() in MESSAGE_KEYS:
            return NOTHING  # psql's \x writes a name and a value on each line.
        column = self.names[len(before)]
        others = [*self.names[: len(before)], *self.names[len(before) + 1 :]]
        members = {
            name: value.strip()
            for name, value in zip(others, [*before, *after], strict=True)
            if name and value.strip()
        }
        flat = record.flatten(members)
        return record.collect([flat], free=[flat], skip=(column,))


def _cells(line: str, mark: str) -> list[str]:
    """Return the cells of a row, or of a part of one; at least one."""
    try:
        return next(csv.reader([line], delimiter=mark), []) or [""]
    except csv.Error:
        return [""]
