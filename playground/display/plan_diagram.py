"""A plan of SACP as a small picture: a column for each step, the branches of a parallel one above
the other.

Every box of a column leads to a point between the columns, and from there to every box of the next:
so a join is seen to wait for all branches, and the number of lines stays that of the boxes. Works
on broken plans too.

In a plan of SACP 1.0 a column holds the steps that may begin at the same time, and lines lead from
each step to those that wait for it; a broken line leads to the step that is carried out when
another fails.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from cablese.message import Message
from cablese.protocols.sacp.v1.dependencies import (
    find_stands_in,
    find_waits,
    is_plan_10,
    sort_levels,
)

COLUMNS, BOXES, DEPTH = 12, 40, 6
"""What a picture holds; the list beside it says how much more there is."""
LINES = 400
WIDTH, HEIGHT, ACROSS, DOWN = 116, 40, 44, 12
LETTERS = 14
_Step = TypeVar("_Step")


@dataclass(frozen=True)
class Box:
    """A step: where it stands and what it says, shortened to fit."""

    x: int
    y: int
    verb: str
    tool: str
    joins: bool

    @property
    def middle(self) -> int:
        return self.x + WIDTH // 2

    @property
    def upper(self) -> int:
        return self.y + 17

    @property
    def lower(self) -> int:
        return self.y + 32


@dataclass(frozen=True)
class Line:
    """From a box to the point between two columns, or from there to a box, or from box to box."""

    x1: int
    y1: int
    x2: int
    y2: int
    otherwise: bool = False
    """Leads to what is carried out on an error alone."""


@dataclass(frozen=True)
class Branch:
    """A step of the list; ``branches`` are those that run side by side."""

    words: str
    branches: tuple["Branch", ...] = ()


@dataclass(frozen=True)
class Graph:
    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    steps: tuple[Branch, ...]
    more: int
    """How many boxes there was no room for."""

    box_width = WIDTH
    box_height = HEIGHT


def draw(message: Message) -> Graph | None:
    """The picture of a message whose plan has steps side by side; None for any other."""
    steps = message.values.get("steps")
    if message.protocol != "sacp" or not isinstance(steps, list):
        return None
    if is_plan_10(steps):
        return _draw_10(steps)
    if not any(map(_branches, steps)):
        return None
    columns = [list(_leaves(step)) for step in steps]
    shown = _crop(columns)
    width, height = _measure(shown)
    placed = [_place(column, number, height) for number, column in enumerate(shown)]
    boxes = tuple(box for column in placed for box in column)
    listed = tuple(_list(step) for step in steps[:COLUMNS])
    more = sum(map(len, columns)) - len(boxes)
    return Graph(width, height, boxes, tuple(_connect(placed, height // 2)), listed, more)


def _draw_10(steps: list[Any]) -> Graph | None:
    """The picture of a plan of 1.0 in which some steps do not follow one another in a row."""
    waits, stands_in = find_waits(steps), find_stands_in(steps)
    levels = sort_levels(
        [(*before, stands_in[at]) if at in stands_in else before for at, before in enumerate(waits)]
    )
    if all(len(level) == 1 for level in levels) and not stands_in:
        return None
    shown = _crop(levels)
    width, height = _measure(shown)
    boxes: dict[int, Box] = {}
    for number, level in enumerate(shown):
        column = [steps[at] if isinstance(steps[at], dict) else {} for at in level]
        boxes |= zip(level, _place(column, number, height), strict=True)
    lines = [_link(boxes[one], boxes[at]) for at in boxes for one in waits[at] if one in boxes]
    lines += [
        _link(boxes[one], boxes[at], otherwise=True)
        for at, one in stands_in.items()
        if {at, one} <= boxes.keys()
    ]
    listed = tuple(_list_10(steps, at, waits, stands_in) for at in range(len(steps))[:BOXES])
    return Graph(
        width, height, tuple(boxes.values()), tuple(lines[:LINES]), listed, len(steps) - len(boxes)
    )


def _crop(columns: Sequence[Sequence[_Step]]) -> list[list[_Step]]:
    """Return what a picture has room for."""
    shown, room = [], BOXES
    for column in columns[:COLUMNS]:
        shown.append(list(column[:room]))
        room -= len(shown[-1])
    return [column for column in shown if column]


def _measure(columns: Sequence[Sequence[object]]) -> tuple[int, int]:
    """Return the width and the height of a picture."""
    tall = max(map(len, columns), default=1)
    return len(columns) * (WIDTH + ACROSS) + ACROSS, tall * (HEIGHT + DOWN) + DOWN


def _link(before: Box, after: Box, *, otherwise: bool = False) -> Line:
    return Line(before.x + WIDTH, before.y + HEIGHT // 2, after.x, after.y + HEIGHT // 2, otherwise)


def _list_10(
    steps: list[Any], at: int, waits: list[tuple[int, ...]], stands_in: dict[int, int]
) -> Branch:
    words = _list(steps[at]).words
    if waits[at]:
        names = ", ".join(_short(steps[one].get("id"), 60) for one in waits[at][:COLUMNS])
        words += f", after {names}" + (" …" if len(waits[at]) > COLUMNS else "")
    if at in stands_in:
        words += f", if {_short(steps[stands_in[at]].get('id'), 60)} fails"
    name = steps[at].get("id") if isinstance(steps[at], dict) else None
    return Branch(f"{_short(name, 60)}: {words}")


def _place(column: list[dict[str, Any]], number: int, height: int) -> list[Box]:
    top = (height - len(column) * (HEIGHT + DOWN) + DOWN) // 2
    return [
        Box(
            ACROSS + number * (WIDTH + ACROSS),
            top + row * (HEIGHT + DOWN),
            _short(step.get("verb")),
            _short(step.get("tool")),
            step.get("verb") == "join",
        )
        for row, step in enumerate(column)
    ]


def _connect(columns: list[list[Box]], level: int) -> Iterator[Line]:
    for before, after in pairwise(columns):
        between = after[0].x - ACROSS // 2
        yield from (Line(box.x + WIDTH, box.y + HEIGHT // 2, between, level) for box in before)
        yield from (Line(between, level, box.x, box.y + HEIGHT // 2) for box in after)


def _branches(step: Any) -> list[Any]:
    found = step.get("parallel") if isinstance(step, dict) else None
    return found if isinstance(found, list) else []


def _leaves(step: Any) -> Iterator[dict[str, Any]]:
    branches = _branches(step)
    if branches:
        for one in branches:
            yield from _leaves(one)
    else:
        yield step if isinstance(step, dict) else {}


def _list(step: Any, depth: int = 1) -> Branch:
    branches = _branches(step)
    if branches and depth == DEPTH:
        return Branch(f"and deeper: {sum(1 for _ in _leaves(step))}")
    if branches:
        return Branch("in parallel", tuple(_list(one, depth + 1) for one in branches[:BOXES]))
    said = step if isinstance(step, dict) else {}
    return Branch(f"{_short(said.get('verb'), 60)} with {_short(said.get('tool'), 60)}")


def _short(value: Any, letters: int = LETTERS) -> str:
    text = value if isinstance(value, str) and value else "?"
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
