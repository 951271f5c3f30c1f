"""The fields of a message as rows, and as a tree."""

from collections.abc import Sequence
from dataclasses import dataclass

from cablese import detection, registry
from cablese.message import Field, Message
from playground.display.glyphs import visible

DEPTH = 20
"""Deeper fields are not indented further."""
VALUE_LENGTH = 400
EDIT_LENGTH = 2_000
"""Longer values are edited in the text."""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """``mark`` is the name as `data-f` has it everywhere the field is drawn, ``place`` its columns
    in the wire. Rows are numbered from 1.
    """

    number: int
    mark: str
    name: str
    label: str
    value: str
    hue: int | None
    readable: bool
    place: str
    raw: str | None
    """The value itself if the field is editable."""

    @property
    def id(self) -> str:
        return f"field-{self.number}"

    @property
    def key(self) -> str:
        """Return everything that is shown of it."""
        return repr(self)

    @property
    def plain(self) -> bool:
        """Return whether the value is shown exactly."""
        return self.raw is not None and self.value == self.raw and len(self.raw) <= VALUE_LENGTH


@dataclass(frozen=True, slots=True)
class Branch:
    """A part of a message with its own parts; ``row`` is None if it has only a name, such as a step
    of a plan.
    """

    name: str
    row: FieldRow | None
    index: int
    below: list["Branch"]


def grow(message: Message, fields: Sequence[Field], rows: Sequence[FieldRow]) -> list[Branch]:
    """Return rows as a tree: in JSON ``plan.0.1`` is below ``plan``, in others a field is below the
    value that contains it.
    """
    root = Branch("", None, 0, [])
    branches: dict[str, tuple[Branch, int]] = {"": (root, 0)}
    for index, (field, row) in enumerate(zip(fields, rows, strict=True), 1):
        holder, steps = _steps(message, field, branches)
        branch, depth = branches.setdefault(holder, (Branch(visible(holder), None, 0, []), 1))
        if depth == 1 and branch not in root.below:
            root.below.append(branch)
        for step in steps[:-1]:
            holder = f"{holder}.{step}" if holder else step
            if holder not in branches:
                branches[holder] = (Branch(visible(step), None, 0, []), depth + 1)
                branch.below.append(branches[holder][0])
            branch, depth = branches[holder]
        leaf = Branch(visible(steps[-1]), row, index, [])
        branch.below.append(leaf)
        if field.name and not field.value and depth < DEPTH:
            branches.setdefault(field.name, (leaf, depth + 1))
    return root.below


def _steps(
    message: Message, field: Field, branches: dict[str, tuple[Branch, int]]
) -> tuple[str, list[str]]:
    """Return the holder of a field, and the steps from there. A key can contain periods, so the
    holder is one of ``branches``.
    """
    if not field.name or message.protocol == detection.UNKNOWN:
        return "", [field.name]
    if registry.get(message.protocol).form == "line":
        holders = (
            key
            for key, value in message.values.items()
            if isinstance(value, dict) and field.name in value
        )
        return next(holders, ""), [field.name]
    parts = field.name.split(".")
    met = next((at for at in range(len(parts) - 1, 0, -1) if ".".join(parts[:at]) in branches), 0)
    rest, steps = parts[met:], list[str]()
    while len(rest) > 1 and rest[0].isdecimal() and len(steps) < DEPTH - met:
        steps.append(rest.pop(0))
    return ".".join(parts[:met]), [*steps, ".".join(rest)]
