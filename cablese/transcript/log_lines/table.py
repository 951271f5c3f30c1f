"""Rows below a line that names their columns: CSV (RFC 4180), tabs, Markdown, and psql.

    time,from,message,to,status                        | from    | message          |
    10:00:01,planner,REQ/TSK|g=42,t=1,executor,200     | planner | REQ/TSK|g=42,t=1 |

A program that writes a message without quotes writes its commas as they are, so the message ends
where as many columns are left as the first line names after it. The other columns are its metadata.

A column may have no name: pandas and R number their rows. With a space after each comma, a
line may be prose, so each name is one word, one is that of a message, and one tells a fact.
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
    rf'(?:{_NAME}|(?:"")?)(?P<mark>[,;\t]){_NAME}(?:(?P=mark)(?:{_NAME}|(?:"")?)){{0,40}}'
    rf"|\|?{_PADDED}(?:\|{_PADDED}){{1,40}}\|?"
)
_WORD = r'"?[A-Za-z_@#][\w@./-]{0,40}+"?'
_SPACED = re.compile(rf"{_WORD}(?P<mark>[,;]) {_WORD}(?:(?P=mark) {_WORD}){{0,40}}")
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
        self._gap = ""
        """The space between a mark and the next column, if one is there."""
        self._heads: list[tuple[int, str]] = []
        """Where each line is that named columns."""

    def head_before(self, end: int) -> str:
        """Return the last line before ``end`` that names columns; an empty one if none does."""
        return next((line for at, line in reversed(self._heads) if at < end), "")

    def note(self, line: str, at: int) -> None:
        """Take the columns that the line at ``at``, which holds no message, names."""
        if len(line) > MAX_HEAD:
            return
        is_spaced = ", " in line or "; " in line
        head = (_SPACED if is_spaced else _HEAD).fullmatch(line)
        if head is None:
            return
        mark, gap = head["mark"] or BAR, " " * is_spaced
        names = [name.strip().lower() for name in _cells(line, mark, gap)]
        if is_spaced:
            is_head = not (MESSAGE_KEYS.isdisjoint(names) or record.TELLS.isdisjoint(names))
        else:
            is_head = not _KNOWN.isdisjoint(names)
        if is_head:
            self._heads.append((at, line))
            self.names, self._mark, self._gap = names, mark, gap

    def end(self, text: str, start: int, at: int, end: int) -> int | None:
        """Return where the column of a message ends that begins at ``at``, without quotes.

        Columns are named. None for the last column, between bars, which are in messages too, and
        where the row from ``start`` to ``end`` has other columns than those that are named.
        """
        before = text[max(start, at - MAX_CELLS) : at]
        marks = self._mark, self._mark + self._gap
        if self._mark == BAR or (before and not before.endswith(marks)):
            return None
        left = len(self.names) - len(self._cells(before))
        if left < 1:
            return None
        for _ in range(left):
            quote = f'{self._mark}{self._gap}"'
            opened = text.rfind(quote, at, end - 1) if text[end - 1] == '"' else -1
            end = opened if opened >= 0 else text.rfind(self._mark, at, end)
            if end < 0:
                return None
        return end

    def facts(self, text: str, cuts: list[Cut], start: int, stop: int) -> Facts:
        """Return what the other columns state about the messages of one column."""
        begin, end = begin_of(cuts[0]), end_of(cuts[-1])
        if begin - start > MAX_CELLS or stop - end > MAX_CELLS:
            return NOTHING
        before = self._cells(text[start:begin])[:-1]
        after = self._cells(text[end:stop].removeprefix('"'))[1:]
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

    def _cells(self, line: str) -> list[str]:
        return _cells(line, self._mark, self._gap)


def _cells(line: str, mark: str, gap: str) -> list[str]:
    """Return the cells of a row, or of a part of one; at least one."""
    try:
        cells = csv.reader([line], delimiter=mark, skipinitialspace=gap != "")
        return next(cells, []) or [""]
    except csv.Error:
        return [""]
