"""The coordinates of charts: columns over time, and bars of values.

Positions across are in percent, so that a chart fits any width and its text keeps its size.
"""

from collections.abc import Sequence
from typing import NamedTuple

HEIGHT, TOP, BOTTOM = 180, 18, 22
ROW = 34
"""Pixels of a value: its name, and the bar under it."""


class Box(NamedTuple):
    """A rectangle, across in percent and down in pixels."""

    kind: str
    x: float
    y: float
    width: float
    height: float


class Column(NamedTuple):
    """The boxes of some days, and the area around them that can be clicked."""

    x: float
    width: float
    boxes: tuple[Box, ...]


class Part(NamedTuple):
    """A number of a column or a bar, and the name of its kind."""

    kind: str
    amount: int


def stack(columns: Sequence[Sequence[Part]]) -> list[Column]:
    """Return columns whose parts stand on each other."""
    highest = max((sum(part.amount for part in parts) for parts in columns), default=0)
    return [_stack(at, len(columns), parts, highest) for at, parts in enumerate(columns)]


def _stack(at: int, many: int, parts: Sequence[Part], highest: int) -> Column:
    step = 100 / many
    x, width = step * at, step
    boxes, base = [], float(HEIGHT - BOTTOM)
    for kind, amount in parts:
        height = _height(amount, highest)
        base -= height
        if amount:
            boxes.append(
                Box(kind, round(x + step * 0.12, 3), round(base, 1), round(step * 0.76, 3), height)
            )
    return Column(round(x, 3), round(width, 3), tuple(boxes))


def group(columns: Sequence[Sequence[Part]]) -> list[Column]:
    """Return columns whose parts stand beside each other."""
    highest = max((part.amount for parts in columns for part in parts), default=0)
    return [_group(at, len(columns), parts, highest) for at, parts in enumerate(columns)]


def _group(at: int, many: int, parts: Sequence[Part], highest: int) -> Column:
    step = 100 / many
    each = step * 0.8 / max(1, len(parts))
    boxes = []
    for place, (kind, amount) in enumerate(parts):
        height = _height(amount, highest)
        x = step * at + step * 0.1 + each * place
        boxes.append(
            Box(kind, round(x, 3), round(HEIGHT - BOTTOM - height, 1), round(each * 0.9, 3), height)
        )
    return Column(round(step * at, 3), round(step, 3), tuple(boxes))


def lay_out(bars: Sequence[Sequence[Part]]) -> list[Column]:
    """Return bars below each other whose parts follow each other; ``x`` is where a row begins."""
    longest = max((sum(part.amount for part in parts) for parts in bars), default=0)
    rows = []
    for at, parts in enumerate(bars):
        x, boxes = 0.0, []
        for kind, amount in parts:
            width = 100 * amount / longest if longest else 0.0
            if amount:
                boxes.append(Box(kind, round(x, 3), ROW * at + 20, round(width, 3), 10))
            x += width
        rows.append(Column(ROW * at, 100, tuple(boxes)))
    return rows


def _height(amount: int, highest: int) -> float:
    """Return the height of a part. The smallest part can still be seen."""
    if not amount:
        return 0.0
    return round(max(1.0, (HEIGHT - TOP - BOTTOM) * amount / highest), 1)
