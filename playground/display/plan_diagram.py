"""A plan of SACP as a small diagram: a column for each step, with parallel branches above each
other.

Lines lead from the boxes of a column to a point between the columns, and from there to the boxes of
the next: so a join visibly waits for all branches, and there are no more lines than boxes. Invalid
plans are drawn too.

In a plan of SACP 1.0, a column has the steps that can start at the same time, and lines lead from
each step to those that wait for it; a broken line leads to the fallback of a step.
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
"""The limits of a diagram; the list next to it has the number of the others."""
LINES = 400
WIDTH, HEIGHT, ACROSS, DOWN = 116, 40, 44, 12
LETTERS = 14
_Step = TypeVar("_Step")


@dataclass(frozen=True)
class Box:
    """A step: its position, and its text shortened to fit."""

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
    """Whether it leads to a fallback."""


@dataclass(frozen=True)
class PlanStep:
    """A step of the list; ``branches`` run in parallel."""

    label: str
    branches: tuple["PlanStep", ...] = ()


@dataclass(frozen=True)
class Graph:
    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    steps: tuple[PlanStep, ...]
    more: int
    """The number of boxes that do not fit."""

    box_width = WIDTH
    box_height = HEIGHT


def draw(message: Message) -> Graph | None:
    """Return the diagram of a plan with parallel steps; None for any other message."""
    steps = message.values.get("steps")
    if message.protocol != "sacp" or not isinstance(steps, list):
        return None
    if is_plan_10(steps):
        return _draw_10(steps)
    if not any(map(_branches, steps)):
        return None
    columns = [list(_leaves(step)) for step in steps]
    cropped = _crop(columns)
    width, height = _measure(cropped)
    placed = [_place(column, number, height) for number, column in enumerate(cropped)]
    boxes = tuple(box for column in placed for box in column)
    listed = tuple(_list(step) for step in steps[:COLUMNS])
    more = sum(map(len, columns)) - len(boxes)
    return Graph(width, height, boxes, tuple(_connect(placed, height // 2)), listed, more)


def _draw_10(steps: list[Any]) -> Graph | None:
    """Return the diagram of a plan of 1.0; None if its steps are a simple sequence."""
    waits, fallbacks = find_waits(steps), find_stands_in(steps)
    levels = sort_levels(
        [(*before, fallbacks[at]) if at in fallbacks else before for at, before in enumerate(waits)]
    )
    if all(len(level) == 1 for level in levels) and not fallbacks:
        return None
    cropped = _crop(levels)
    width, height = _measure(cropped)
    boxes: dict[int, Box] = {}
    for number, level in enumerate(cropped):
        column = [steps[at] if isinstance(steps[at], dict) else {} for at in level]
        boxes |= zip(level, _place(column, number, height), strict=True)
    lines = [
        _link(boxes[before], boxes[at]) for at in boxes for before in waits[at] if before in boxes
    ]
    lines += [
        _link(boxes[failed], boxes[at], otherwise=True)
        for at, failed in fallbacks.items()
        if {at, failed} <= boxes.keys()
    ]
    listed = tuple(_list_10(steps, at, waits, fallbacks) for at in range(len(steps))[:BOXES])
    return Graph(
        width, height, tuple(boxes.values()), tuple(lines[:LINES]), listed, len(steps) - len(boxes)
    )


def _crop(columns: Sequence[Sequence[_Step]]) -> list[list[_Step]]:
    """Return the steps that fit into a diagram."""
    shown, room = [], BOXES
    for column in columns[:COLUMNS]:
        shown.append(list(column[:room]))
        room -= len(shown[-1])
    return [column for column in shown if column]


def _measure(columns: Sequence[Sequence[object]]) -> tuple[int, int]:
    """Return the width and the height of a diagram."""
    tall = max(map(len, columns), default=1)
    return len(columns) * (WIDTH + ACROSS) + ACROSS, tall * (HEIGHT + DOWN) + DOWN


def _link(before: Box, after: Box, *, otherwise: bool = False) -> Line:
    return Line(before.x + WIDTH, before.y + HEIGHT // 2, after.x, after.y + HEIGHT // 2, otherwise)


def _list_10(
    steps: list[Any], at: int, waits: list[tuple[int, ...]], fallbacks: dict[int, int]
) -> PlanStep:
    label = _list(steps[at]).label
    if waits[at]:
        names = ", ".join(_short(steps[before].get("id"), 60) for before in waits[at][:COLUMNS])
        label += f", after {names}" + (" …" if len(waits[at]) > COLUMNS else "")
    if at in fallbacks:
        label += f", if {_short(steps[fallbacks[at]].get('id'), 60)} fails"
    name = steps[at].get("id") if isinstance(steps[at], dict) else None
    return PlanStep(f"{_short(name, 60)}: {label}")


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
    branches = step.get("parallel") if isinstance(step, dict) else None
    return branches if isinstance(branches, list) else []


def _leaves(step: Any) -> Iterator[dict[str, Any]]:
    branches = _branches(step)
    if branches:
        for branch in branches:
            yield from _leaves(branch)
    else:
        yield step if isinstance(step, dict) else {}


def _list(step: Any, depth: int = 1) -> PlanStep:
    branches = _branches(step)
    if branches and depth == DEPTH:
        return PlanStep(f"and deeper: {sum(1 for _ in _leaves(step))}")
    if branches:
        return PlanStep(
            "in parallel", tuple(_list(branch, depth + 1) for branch in branches[:BOXES])
        )
    fields = step if isinstance(step, dict) else {}
    return PlanStep(f"{_short(fields.get('verb'), 60)} with {_short(fields.get('tool'), 60)}")


def _short(value: Any, letters: int = LETTERS) -> str:
    text = value if isinstance(value, str) and value else "?"
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
