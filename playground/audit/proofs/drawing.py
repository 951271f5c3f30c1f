"""A proof drawn as a picture: the leaf at the bottom, its path up to the root, and the siblings.

Two boxes in a row, the path and its sibling, meet in a box of the row above:

            [ root ]
           /        \\
    [ 0–255 ]    [ 256–300 ]
"""

from collections.abc import Sequence
from typing import NamedTuple

from auditlog.proofs.path import Node, Step

WIDTH, BOX, HIGH, GAP = 340, 160, 36, 22
_LEFT, _RIGHT, _CENTER = 0, WIDTH - BOX, (WIDTH - BOX) // 2
_DIGITS = 12
"""Hex digits of a hash that are drawn."""


class Box(NamedTuple):
    """A hash: where it is, the leaves below it, and what it is in the proof."""

    x: int
    y: int
    kind: str
    leaves: str
    hash: str

    @property
    def middle(self) -> int:
        return self.x + BOX // 2

    @property
    def upper(self) -> int:
        return self.y + 15

    @property
    def lower(self) -> int:
        return self.y + 29


class Line(NamedTuple):
    """The line from a box up to the one over it."""

    x1: int
    y1: int
    x2: int
    y2: int


class Picture(NamedTuple):
    """Boxes and lines, in a picture of this height."""

    boxes: list[Box]
    lines: list[Line]
    height: int
    box_width: int = BOX
    box_height: int = HIGH

    @property
    def view(self) -> str:
        """The part that is seen: all, and the borders of the outermost boxes."""
        return f"-1 -1 {WIDTH + 2} {self.height + 2}"


def draw(steps: Sequence[Step]) -> Picture | None:
    """Return the picture of a path; None for a log with one leaf, which has no path."""
    if not steps:
        return None
    root = _box(_CENTER, 0, "root", steps[-1].parent)
    boxes, lines, over = [root], [], root
    for row, step in enumerate(reversed(steps), 1):
        y = row * (HIGH + GAP)
        kind = "leaf" if row == len(steps) else "path"
        node = _box(_LEFT if step.is_right else _RIGHT, y, kind, step.node)
        sibling = _box(_RIGHT if step.is_right else _LEFT, y, "sibling", step.sibling)
        boxes += [node, sibling]
        lines += [Line(box.middle, y, over.middle, over.y + HIGH) for box in (node, sibling)]
        over = node
    return Picture(boxes, lines, over.y + HIGH)


def name_leaves(node: Node) -> str:
    """Return the leaves below a node."""
    if node.first == node.last:
        return f"Leaf {node.first:,}"
    return f"Leaves {node.first:,}–{node.last:,}"


def _box(x: int, y: int, kind: str, node: Node) -> Box:
    return Box(x, y, kind, name_leaves(node), node.hash.hex()[:_DIGITS])
