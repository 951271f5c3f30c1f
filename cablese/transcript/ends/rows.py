"""Rows of CSV without a line that names their columns, in which a message has no quotes.

    2026-11-20T10:00:01Z,planner,T|17|Q|obj=test_scope,200
    2026-11-20T10:00:02Z,executor,T|18|A|res=ok,200

A value may have a comma, so one row does not tell where its message ends. Rows that follow each
other do, if the cells around their messages are alike, and so does a row with its message in
quotes: a program that writes those has no other comma in a cell. Otherwise the end is in doubt.
With a space after each comma, a line may be prose, unless it begins with a time or a number.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from cablese import registry
from cablese.codec import Codec
from cablese.transcript import hint
from cablese.transcript.anchor import Anchors
from cablese.transcript.cut import Cut
from cablese.transcript.line_facts import begin_of, end_of

_CELL = r'(?:"[^"]{0,80}"|[^",;|={}\[\]()<>]{0,80})'
_LEAD = re.compile(rf'(?P<cells>{_CELL}(?P<mark>[,;] ?)(?:{_CELL}(?P=mark)){{0,20}})(?P<quote>"?)')
"""The cells before a message, and its quote."""
_CLOCK = r"\d\d?:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?"
_KINDS = re.compile(
    rf"(?P<empty>)|(?P<time>\d{{4}}[-/]\d\d[-/]\d\d(?:[T ]{_CLOCK})?|{_CLOCK})"
    r"|(?P<number>[+-]?\d[\d.]*(?:%|[nmuµ]?s)?)|(?P<quoted>\"(?:[^\"]|\"\")*\")"
    r"|(?P<json>\{.*\}|\[.*\])"
    r"|(?P<word>[^\s|=;,\"]+)|(?P<text>[^\s|=;,\"][^|=;,\"]*)"
)
_MARKS = (",", ";")
_SPACED = (", ", "; ")
_JSON = r"(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}|\[[^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*+\])"
"""A cell in which marks are part of a value: an object or a list, with others in it."""
_APART = frozenset(("number", "time", "quoted", "json"))
"""Kinds of cells that are not items of a list of words."""
_IN_QUOTES = re.compile(r'(?:[^"]|"")*"')
_OUTCOMES = frozenset((
    "ok", "done", "failed", "failure", "error", "sent", "delivered", "received", "success", "true",
    "false", "yes", "no", "info", "debug", "warn", "warning",
))  # fmt: skip
"""Words of a column."""
_CELLS = 8
"""Cells after a message that are read."""
_PROOF = 3
"""What rows have to show together; one that is better without its last cells shows two."""
_TRIED = 16
"""Rows that are asked for it."""
_HELD = 3
"""Rows of one piece of a text that are known in the next."""
_MAX_HELD = 250
"""Characters of such a row."""
_MAX_ROW = 2_000
"""Characters of a row."""


class _Cell(NamedTuple):
    at: int
    kind: str
    text: str


class End(NamedTuple):
    """How long the message is that has a number, and whether that is in doubt."""

    number: int
    size: int
    is_doubtful: bool


class _Row(NamedTuple):
    """A row, the number of its message if that is in this text, the raw text from the message on,
    and the cells around it. They begin there after the message.
    """

    line: str
    number: int | None
    wire: str
    codec: Codec
    mark: str
    before: tuple[_Cell, ...]
    after: tuple[_Cell, ...]
    is_quoted: bool
    is_open: bool
    """Whether the message may end before some of these cells."""
    problems: dict[int, tuple[int, int]]
    """What `count_problems` has found."""

    @property
    def tells(self) -> bool:
        """Return whether the cells before the message are surely some."""
        return len(self.before) > 1 or self.before[0].kind in ("time", "number")

    def is_torn(self, count: int) -> bool:
        """Return whether the message is invalid only without the last cells."""
        size = self.after[-count].at
        return self.count_problems(size)[0] > 0 == self.count_problems(len(self.wire))[0]

    def is_better(self, count: int) -> bool:
        """Return whether the message is valid without the last cells, and has fewer problems."""
        short = self.count_problems(self.after[-count].at)
        return short[0] == 0 and short < self.count_problems(len(self.wire))

    def is_apart(self, count: int, names: Container[str]) -> bool:
        """Return whether the first of the last cells is unlike the value before it: no list has
        items of such different kinds. ``names`` are those of agents.
        """
        at, kind, text = self.after[-count]
        value = re.split(f"[{re.escape(self.codec.separators + self.mark)}]", self.wire[:at])[-1]
        is_plain = _kind(value) in ("word", "text", "other")
        if kind == "word":
            is_name = text in names and value not in names
            return is_name or (text.lower() in _OUTCOMES and value.lower() not in _OUTCOMES)
        return kind == "empty" or (kind in _APART and is_plain)

    def count_problems(self, size: int) -> tuple[int, int]:
        """Return how many errors and warnings the message has up to a ``size``."""
        if size not in self.problems:
            found = [one.severity for one in self.codec.decode(self.wire[:size]).diagnostics]
            self.problems[size] = found.count("error"), found.count("warning")
        return self.problems[size]


class _Run(NamedTuple):
    """Rows with cells of the same kinds before their messages, and at their end. A message in
    quotes states how many there are, the ``size``.
    """

    rows: list[_Row]
    before: tuple[_Cell, ...]
    after: tuple[_Cell, ...]
    size: int | None


class Rows:
    """The rows of ``text`` that hold its ``cuts``, after the ``earlier`` ones that `holding` gave
    for the piece before. Those after a ``head``, which is asked for with a place, are no such rows.
    """

    def __init__(
        self,
        text: str,
        cuts: Sequence[Cut],
        earlier: Iterable[str],
        head: Callable[[int], str],
    ) -> None:
        self._text = text
        self._head = head
        self._cuts = cuts
        known = (_read_earlier(line) for line in earlier)
        found = (
            self._read(number, cut)
            for number, cut in enumerate(cuts)
            # Most messages are at the beginning of a line, or after a space.
            if text[cut.span.start - 1] in ',;"' or text.endswith(_SPACED, 0, cut.span.start)
        )
        rows = [row for row in (*known, *found) if row is not None]
        self._runs = list(_join(rows))

    def find_ends(self) -> Iterator[End]:
        """Yield where messages end that other cells may follow."""
        for run in self._runs:
            count = _count_cells(run)
            is_exact = any(len(row.after) == count for row in run.rows)
            for row in run.rows:
                if row.number is not None and row.is_open and row.after:
                    yield _find_end(row, row.number, count, is_exact=is_exact)

    def holding(self, end: int) -> list[str]:
        """Return the last rows before ``end`` that are alike, if no head is below them."""
        rows = self._runs[-1].rows if self._runs and not self._head(end) else ()
        held = [row for row in rows if row.number is None or self._cuts[row.number].span.end <= end]
        return [row.line for row in held[-_HELD:] if len(row.line) <= _MAX_HELD]

    def _read(self, number: int, cut: Cut) -> _Row | None:
        text, begin, stop = self._text, begin_of(cut), end_of(cut)
        sign = text[max(0, begin - 3) : begin].removesuffix('"').removesuffix(" ")[-1:]
        if sign not in _MARKS or self._head(begin):
            return None
        start = max(text.rfind(sign, max(0, begin - _MAX_ROW), begin) for sign in "\r\n") + 1
        ends = (text.find(sign, stop, start + _MAX_ROW) for sign in "\r\n")
        end = min((at for at in ends if at >= 0), default=len(text))
        line = text[start:end].rstrip() if end - start <= _MAX_ROW else ""
        row = _read(line, begin - start, cut.protocol, number)
        if row is None or row.is_quoted or stop - start == len(line):
            return row
        # In a sentence, a message ends before a comma and a space.
        return row._replace(is_open=False) if line.startswith(row.mark, stop - start) else None


def _read_earlier(line: str) -> _Row | None:
    anchor = Anchors(line).find(0, len(line)) if hint.has_sign(line) else None
    return None if anchor is None else _read(line, anchor.at, anchor.protocol, None)


def _read(line: str, at: int, protocol: str, number: int | None) -> _Row | None:
    """Return the row that a line is, with the message at ``at``."""
    lead = _LEAD.fullmatch(line, 0, at)
    codec = registry.get(protocol)
    if lead is None or codec.form != "line":
        return None
    mark, wire = lead["mark"], line[at:]
    before = tuple(_list_cells(mark + lead["cells"].removesuffix(mark), mark))
    if mark in _SPACED and before[0].kind not in ("time", "number"):
        return None
    close = _IN_QUOTES.match(wire) if lead["quote"] else None
    if lead["quote"] and close is None:
        return None
    after = list(_list_cells(wire, mark, 0 if close is None else close.end()))
    others = [n for n, cell in enumerate(after, 1) if cell.kind == "other"]
    after = after[max(others, default=0) :][-_CELLS:]
    is_open = close is None
    return _Row(line, number, wire, codec, mark, before, tuple(after), not is_open, is_open, {})


def _list_cells(text: str, mark: str, at: int = 0) -> Iterator[_Cell]:
    """Yield the cells that each follow a mark, from ``at`` on."""
    cells = rf'{mark}("(?:[^"]|"")*"(?={mark}|\Z)|{_JSON}(?={mark}|\Z)|(?:(?!{mark})[^\r\n])*)'
    for cell in re.finditer(cells, text[at:]):
        yield _Cell(at + cell.start(), _kind(cell[1]), cell[1].strip('"'))


def _kind(text: str) -> str:
    kind = _KINDS.fullmatch(text)
    return "other" if kind is None or kind.lastgroup is None else kind.lastgroup


def _join(rows: Iterable[_Row]) -> Iterator[_Run]:
    """Yield the runs of rows that are alike."""
    run: _Run | None = None
    for row in rows:
        longer = None if run is None else _add(run, row)
        if run is not None and longer is None:
            yield run
        size = len(row.after) if row.is_quoted else None
        run = longer or _Run([row], row.before, row.after, size)
    if run is not None:
        yield run


def _add(run: _Run, row: _Row) -> _Run | None:
    """Return the run with the row that follows it; None if that is different."""
    before, after = _share(run.before, row.before), _share(run.after, row.after)
    count = len(row.after) if row.is_quoted else run.size
    is_other = row.mark != run.rows[0].mark or not len(run.before) == len(row.before) == len(before)
    is_short = len(after) < (bool(run.after or row.after) if count is None else count)
    if is_other or is_short or (run.size is not None and count != run.size):
        return None
    run.rows.append(row)
    return _Run(run.rows, before, after, count)


def _share(some: Sequence[_Cell], others: Sequence[_Cell]) -> tuple[_Cell, ...]:
    """Return the last cells that are of the same kinds in both. An empty one is of any."""
    pairs = zip(reversed(some), reversed(others), strict=False)
    alike = takewhile(
        lambda pair: pair[0].kind == pair[1].kind or not all(cell.text for cell in pair), pairs
    )
    return tuple(one if one.text else other for one, other in alike)[::-1]


def _count_cells(run: _Run) -> int:
    """Return how many cells are surely after each message."""
    if run.size is not None:
        return run.size
    names = {cell.text for row in run.rows for cell in row.before if cell.kind == "word"}
    counts = range(len(run.after), 0, -1)
    return next((count for count in counts if _is_proven(run, count, names)), 0)


def _is_proven(run: _Run, count: int, names: Container[str]) -> bool:
    shown = 0
    for row in run.rows[:_TRIED]:
        if row.is_torn(count):
            return False
        shown += 2 if row.is_better(count) else row.is_apart(count, names)
        if shown >= _PROOF:
            return len(run.rows) > 1
    return False


def _find_end(row: _Row, number: int, count: int, *, is_exact: bool) -> End:
    """Return where a message ends that surely has ``count`` cells after it. They are all that it
    has where another row shows this.
    """
    is_own = count == 0 or row.is_torn(count)
    size = len(row.wire) if is_own else row.after[-count].at
    is_doubtful = row.tells and (is_own or not (is_exact or len(row.after) == count))
    return End(number, size, is_doubtful and row.count_problems(size)[0] == 0)
