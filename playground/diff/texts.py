"""Two texts, message by message.

Equal messages are found first. Between them, messages of the same act about the same thing are two
versions of one message, then those of the same act, then those in the same place that are about the
same thing or alone there. Everything else was added or removed.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import Literal

from playground.diff.alignment import Pair, match
from playground.diff.sides import PARTS, Part, Side
from playground.workbench.compare import Line, compare_fields
from playground.workbench.document import MESSAGES

CONTEXT = 2
SHOWN = 400
FIELDS = 40
CUT = (
    f"Only the first {MESSAGES:,} messages of each text are compared. "
    f"With other lines, the limit is {PARTS:,}."
)
Kind = Literal["same", "rewritten", "changed", "removed", "added"]
SYMBOLS: dict[Kind, str] = {
    "same": "=", "rewritten": "≈", "changed": "≠", "removed": "−", "added": "+",
}  # fmt: skip
LABELS: dict[Kind, str] = {
    "same": "Same",
    "rewritten": "Same meaning",
    "changed": "Changed",
    "removed": "Removed",
    "added": "Added",
}


@dataclass(frozen=True)
class Row:
    """A part of one text, or of both."""

    left: Part | None
    right: Part | None

    @property
    def kind(self) -> Kind:
        if self.left is None:
            return "added"
        if self.right is None:
            return "removed"
        if self.left.key != self.right.key:
            return "changed"
        return "same" if self.left.text == self.right.text else "rewritten"

    @property
    def differs(self) -> bool:
        return self.kind not in ("same", "rewritten")

    @property
    def is_message(self) -> bool:
        return any(part is not None and part.message is not None for part in self.sides)

    @property
    def sides(self) -> tuple[Part | None, Part | None]:
        return self.left, self.right

    @property
    def symbol(self) -> str:
        return SYMBOLS[self.kind]

    @property
    def label(self) -> str:
        return LABELS[self.kind]

    @cached_property
    def fields(self) -> list[Line]:
        """Return what differs, field by field, if both are messages."""
        left, right = (part.message if part else None for part in self.sides)
        if left is None or right is None or self.kind != "changed":
            return []
        terms, values = compare_fields(left, right)
        changed = values or [line for line in terms if line.kind != "same"]
        return changed[:FIELDS]


@dataclass(frozen=True, slots=True)
class Fold:
    """Equal parts in a row that are not shown."""

    count: int
    left: tuple[int, int]
    right: tuple[int, int]
    """The first and the last line."""


class Texts:
    """The comparison of two texts."""

    def __init__(self, left: Side, right: Side) -> None:
        self.identical = left.reading.text == right.reading.text
        self.rows = [
            Row(
                None if one is None else left.parts[one],
                None if other is None else right.parts[other],
            )
            for one, other in _align(left.parts, right.parts)
        ]
        self.is_cut = left.is_cut or right.is_cut

    @cached_property
    def differing(self) -> int:
        return sum(row.differs for row in self.rows)

    @property
    def summary(self) -> str:
        """Return the result in a sentence or two."""
        messages = [row for row in self.rows if row.is_message]
        others = [row for row in self.rows if not row.is_message]
        told = [
            tell
            for tell in (_tell(messages, "message"), _tell(others, "other line"))
            if tell is not None
        ]
        if self.identical:
            return " ".join(("The texts are identical.", *told))
        if not told:
            return "Neither text contains a message."
        return " ".join((*told, CUT) if self.is_cut else told)

    @cached_property
    def shown(self) -> list[Row | Fold]:
        """Return the rows that differ with equal ones around them, and folds for the others."""
        return list(islice(self._fold(), SHOWN))

    @cached_property
    def hidden(self) -> int:
        """Return how many differing rows are not shown."""
        shown = sum(isinstance(row, Row) and row.differs for row in self.shown)
        return self.differing - shown

    def _fold(self) -> Iterator[Row | Fold]:
        near = {
            at + distance
            for at, row in enumerate(self.rows)
            if row.differs
            for distance in range(-CONTEXT, CONTEXT + 1)
        }
        run: list[Row] = []
        for at, row in enumerate(self.rows):
            if at not in near and row.kind == "same":
                run.append(row)
                continue
            yield from _folded(run)
            run = []
            yield row
        yield from _folded(run)


def _folded(run: Sequence[Row]) -> Iterator[Row | Fold]:
    if len(run) < 2:
        yield from run
        return
    lefts, rights = (
        [part.line for part in side if part] for side in zip(*_sides(run), strict=True)
    )
    yield Fold(len(run), (lefts[0], lefts[-1]), (rights[0], rights[-1]))


def _sides(run: Sequence[Row]) -> Iterator[tuple[Part | None, Part | None]]:
    return (row.sides for row in run)


def _tell(rows: Sequence[Row], noun: str) -> str | None:
    if not rows:
        return None
    counts = Counter(row.kind for row in rows)
    kinds: tuple[Kind, ...] = ("added", "removed", "changed")
    parts = [f"{counts[kind]:,} {kind}" for kind in kinds if counts[kind]]
    total, differing = len(rows), sum(counts[kind] for kind in kinds)
    again = (
        f"{counts['rewritten']:,} {'is' if counts['rewritten'] == 1 else 'are'} written differently"
    )
    if not differing:
        every = f"The {noun} is the same" if total == 1 else f"All {total:,} {noun}s are the same"
        return f"{every} in meaning: {again}." if counts["rewritten"] else f"{every}."
    plural = "" if total == 1 else "s"
    verb = "differs" if differing == 1 else "differ"
    tell = f"{differing:,} of {total:,} {noun}{plural} {verb}: {', '.join(parts)}."
    return f"{tell} {again} with the same meaning." if counts["rewritten"] else tell


def _align(left: Sequence[Part], right: Sequence[Part]) -> Iterator[tuple[int | None, int | None]]:
    """Yield the indexes of each row: None where a text has no such part."""
    keys: tuple[Callable[[Part], Hashable], ...] = (
        lambda part: part.key,
        lambda part: part.kin,
        lambda part: part.act,
    )
    pairs: list[Pair] = []
    for key in keys:
        pairs = sorted((*pairs, *_match_between(left, right, pairs, key)))
    yield from _rows(left, right, pairs)


def _gaps(
    left: Sequence[Part], right: Sequence[Part], pairs: Sequence[Pair]
) -> Iterator[tuple[range, range]]:
    """Yield the indexes before each pair that are in no pair, and those after the last one."""
    one = other = 0
    for end, other_end in (*pairs, (len(left), len(right))):
        yield range(one, end), range(other, other_end)
        one, other = end + 1, other_end + 1


def _match_between(
    left: Sequence[Part],
    right: Sequence[Part],
    pairs: Sequence[Pair],
    key: Callable[[Part], Hashable],
) -> Iterator[Pair]:
    for lefts, rights in _gaps(left, right, pairs):
        found = match([key(left[at]) for at in lefts], [key(right[at]) for at in rights])
        yield from ((lefts[one], rights[other]) for one, other in found)


def _rows(
    left: Sequence[Part], right: Sequence[Part], pairs: Sequence[Pair]
) -> Iterator[tuple[int | None, int | None]]:
    after: Iterator[Pair | None] = iter((*pairs, None))
    for lefts, rights in _gaps(left, right, pairs):
        alone = len(lefts) == len(rights) == 1
        for one, other in zip_longest(lefts, rights):
            if one is None or other is None or _are_alike(left[one], right[other], alone=alone):
                yield one, other
            else:
                yield one, None
                yield None, other
        if (pair := next(after)) is not None:
            yield pair


def _are_alike(one: Part, other: Part, *, alone: bool) -> bool:
    """Return whether two parts in the same place are two versions: by what they are about, or
    because each is ``alone`` there.
    """
    if (one.message is None) != (other.message is None):
        return False
    return alone or one.about == other.about
