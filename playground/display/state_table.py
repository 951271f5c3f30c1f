"""The states of a conversation as a table: a row for each message, a column for each goal, task,
step, and agent.

Without JavaScript the table is all there is, with the states at one message drawn beside it. With
JavaScript the slider reads the rows, so that no state is sent twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from cablese.conversation.model import Conversation
from cablese.conversation.subjects import Change
from cablese.conversation.timeline import Problem, Timeline, find_problems, find_wrong, trace
from cablese.conversation.transitions import State
from playground.display.glyphs import visible
from playground.display.sequence_diagram import Pointed, summarize

MESSAGES, SUBJECTS, BEFORE = 60, 16, 30
"""The limits of a table, and the messages shown before the one where it went wrong."""
NAME = 40
GROUPS = {"goal": "Goals", "task": "Tasks", "step": "Steps", "agent": "Agents"}
MARKS = {"error": "✖", "warning": "▲", "info": "✖"}
"""An info is a problem only if it reports a failure."""
SIGNS: dict[State, tuple[str, str]] = {
    "done": ("✓", "ok"),
    "evaluated": ("✓", "ok"),
    "failed": ("✖", "error"),
    "cancelled": ("✖", "error"),
    "rejected": ("✖", "warning"),
    "blocked": ("▲", "warning"),
}


@dataclass(frozen=True)
class Column:
    """A subject, and its place among the columns."""

    place: int
    kind: str
    name: str
    about: str
    inferred: bool


@dataclass(frozen=True)
class Cell:
    """The state of a subject at a message. It is empty before the first one."""

    words: str = ""
    sign: str = ""
    tone: str = ""
    new: bool = False
    since: int | None = None

    @property
    def said(self) -> str:
        return f"{self.sign} {self.words}".strip() or "–"


@dataclass(frozen=True)
class Trouble:
    """A problem as it is marked at its message. Its ``name`` is what pages call it."""

    mark: str
    tone: str
    text: str
    name: str
    severity: str


@dataclass(frozen=True)
class Row:
    """One message. ``x`` is its place on the slider, in percent."""

    at: Pointed
    place: int
    summary: str
    note: str
    cells: tuple[Cell, ...]
    drawn: SafeString
    troubles: tuple[Trouble, ...]
    x: float


@dataclass(frozen=True)
class StateTable:
    """The rows from ``first``, counted from 1, and the row that is shown at first."""

    groups: tuple[tuple[str, tuple[Column, ...]], ...]
    rows: tuple[Row, ...]
    shown: Row
    wrong: Row | None
    late: bool
    first: int
    total: int
    subjects: int

    @property
    def at(self) -> int:
        """Return the place of the row that is shown among the rows."""
        return self.shown.place - self.first + 1

    @property
    def more(self) -> bool:
        """Return whether there are subjects without a column."""
        return self.subjects > len(self.columns)

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(column for _, columns in self.groups for column in columns)

    @property
    def now(self) -> list[tuple[str, list[tuple[Column, Cell]]]]:
        """Return the columns of each group, with their cells in the row that is shown."""
        return [
            (name, [(column, self.shown.cells[column.place]) for column in columns])
            for name, columns in self.groups
        ]

    @property
    def troubled(self) -> str:
        """Return what the rows are marked for, as pages call it: ``problem`` or ``finding``, both,
        or nothing.
        """
        names = {trouble.name for row in self.rows for trouble in row.troubles}
        return " or ".join(sorted(names, reverse=True))


def draw(conversation: Conversation, places: Sequence[Pointed]) -> StateTable | None:
    """Return the states of a conversation with at least two messages. ``places`` are those of all
    gathered messages.
    """
    total = len(conversation.turns)
    if total < 2:
        return None
    wrong = find_wrong(find_problems(conversation))
    indexes = [turn.index for turn in conversation.turns]
    at = indexes.index(wrong.message) if wrong else min(total, MESSAGES) - 1
    first = max(0, min(at - BEFORE, total - MESSAGES)) if at >= MESSAGES else 0
    timeline = trace(conversation, min(first + MESSAGES, total))
    chosen = _choose(timeline, at, first)
    rows = tuple(_rows(conversation, timeline, chosen, places, first))
    shown = rows[at - first]
    return StateTable(
        groups=tuple(_group(timeline, chosen)),
        rows=rows,
        shown=shown,
        wrong=shown if wrong else None,
        late=wrong is not None and wrong.late,
        first=first + 1,
        total=total,
        subjects=len(timeline.subjects),
    )


def _rows(
    conversation: Conversation,
    timeline: Timeline,
    chosen: Sequence[int],
    places: Sequence[Pointed],
    first: int,
) -> Iterator[Row]:
    """Yield the rows from the place ``first``."""
    troubles = _collect(timeline.problems)
    end = len(timeline.moments)
    for place, turn, cells in zip(
        range(first, end),
        conversation.turns[first:end],
        _fold(timeline, chosen, places, first),
        strict=True,
    ):
        yield Row(
            at=places[turn.index],
            place=place,
            summary=summarize(turn),
            note=timeline.moments[place].note,
            cells=cells,
            drawn=_draw_cells(cells, since=place == first),
            troubles=tuple(troubles.get(turn.index, ())),
            x=round(100 * (place - first) / (end - first - 1), 2),
        )


def _choose(timeline: Timeline, at: int, first: int) -> list[int]:
    """Return the places of subjects by kind: those that change at the message that is shown come
    before those that change in any row, and steps of a plan come last.
    """
    subjects, kinds = timeline.subjects, list(GROUPS)
    here = {change.subject for change in timeline.moments[at].changes}
    near = {change.subject for moment in timeline.moments[first:] for change in moment.changes}
    order = sorted(
        range(len(subjects)),
        key=lambda place: (
            place not in here,
            place not in near,
            subjects[place].kind == "step",
            place,
        ),
    )
    return sorted(order[:SUBJECTS], key=lambda place: (kinds.index(subjects[place].kind), place))


def _group(timeline: Timeline, chosen: Sequence[int]) -> Iterator[tuple[str, tuple[Column, ...]]]:
    columns = [
        Column(
            place,
            timeline.subjects[at].kind,
            _short(timeline.subjects[at].name),
            _short(timeline.subjects[at].words),
            timeline.subjects[at].inferred,
        )
        for place, at in enumerate(chosen)
    ]
    for name, group in groupby(columns, key=lambda column: column.kind):
        yield GROUPS[name], tuple(group)


def _fold(
    timeline: Timeline, chosen: Sequence[int], places: Sequence[Pointed], first: int
) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each message from ``first``."""
    columns = {at: place for place, at in enumerate(chosen)}
    now = [Cell()] * len(chosen)
    for place, moment in enumerate(timeline.moments):
        row = list(now) if place >= first else now
        for change in moment.changes:
            column = columns.get(change.subject)
            if column is not None:
                row[column] = _cell(change, places[moment.message].number, new=True)
                now[column] = _cell(change, places[moment.message].number, new=False)
        if place >= first:
            yield tuple(row)


def _cell(change: Change, since: int, *, new: bool) -> Cell:
    sign, tone = SIGNS.get(change.state, ("", ""))
    words = change.state.replace("_", " ")
    return Cell(f"{words} (assumed)" if change.assumed else words, sign, tone, new, since)


def _draw_cells(cells: Sequence[Cell], *, since: bool) -> SafeString:
    """Return the cells of a row. In the first row they say since when, as the rows may begin late.

    Each state is drawn once: a template takes ten times as long for a table of a thousand cells.
    """
    return format_html_join("", "{}", ((_draw(each, since=since),) for each in cells))


@lru_cache(maxsize=1024)
def _draw(cell: Cell, *, since: bool) -> SafeString:
    classes = " ".join(filter(None, ("new" if cell.new else "", cell.tone)))
    return format_html(
        "<td{}{}>{}</td>",
        format_html(' class="{}"', classes) if classes else "",
        format_html(' data-since="{}"', cell.since) if since and cell.since is not None else "",
        cell.said,
    )


def _collect(problems: Sequence[Problem]) -> dict[int, list[Trouble]]:
    troubles: dict[int, list[Trouble]] = {}
    for problem in problems:
        tone = "error" if problem.severity == "info" else problem.severity
        name = "finding" if problem.flow else "problem"
        mark, text = MARKS[problem.severity], visible(problem.text)
        trouble = Trouble(mark, tone, text, name, problem.severity)
        troubles.setdefault(problem.message, []).append(trouble)
    return troubles


def _short(text: str) -> str:
    return visible(text if len(text) <= NAME else f"{text[: NAME - 1]}…")
