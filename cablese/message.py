"""The frozen values that every codec decodes to.

A :class:`Message` is made from any text. What could be read is in ``values`` and ``fields``; what
is wrong is in ``diagnostics``. Spans are half-open offsets into the wire, in
code points. For ``REQ/TSK|g=42``:

    fields       act [0:3]  frame [4:7]  g [10:12], its name at [8:9]
    tiles        value 0:3, separator 3:4, value 4:7, separator 7:8,
                 name 8:9, separator 9:10, value 10:12
"""

from collections.abc import Callable, Container, Iterator
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The worst first."""
TileKind = Literal["name", "value", "separator", "bad"]


def worst_of(severities: Container[str]) -> Severity | Literal[""]:
    """Return the worst severity that is in ``severities``, or an empty text."""
    worst: Iterator[Severity] = (severity for severity in SEVERITIES if severity in severities)
    return next(worst, "")


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class Field(Struct, frozen=True, gc=False):
    """A part of a message: its name on the wire, its label, its text, and both places.

    ``value`` is the decoded text. ``name_span`` is None for positional fields. A part that could
    not be decoded is a field without a name, so its characters are shown, never lost.
    """

    name: str
    label: str
    value: str
    name_span: Span | None
    span: Span


class Fix(Struct, frozen=True, gc=False):
    """A replacement that removes one diagnostic and causes no new error.

    ``safe`` if it cannot change what the sender meant: it corrects spelling, and adds, drops, or
    renames nothing that has meaning. Any other fix is a suggestion for a person to decide on.
    """

    span: Span
    text: str
    safe: bool = False


class Doubt(NamedTuple):
    """A doubt about where a message ends: what is reported of it, and when."""

    text: str
    summary: str


DOUBTS = {
    "cut_off": Doubt(
        "The message may be cut off here.",
        "The text around a message shows that it may have been longer.",
    ),
    "next_columns": Doubt(
        "The last value may include the next columns of its row.",
        "The row of a message does not show whether its last value includes the columns after it.",
    ),
}
"""By the name of its metadata: reported by who knows the text around a message, not by a codec."""


class Diagnostic(Struct, frozen=True, gc=False):
    """A problem at one place, in one sentence, with the section of the specification."""

    code: str
    severity: Severity
    span: Span
    message: str
    section: str
    fix: Fix | None = None


class Rule(Struct, frozen=True, gc=False):
    """A rule that a codec can report: its stable code, severity, and requirement.

    ``summary`` is its text on the reference page; :meth:`at` reports it at one place. ``costly`` if
    it advises to save tokens by omitting the marked field: pages then say how many.
    """

    code: str
    severity: Severity
    section: str
    requirement: str
    summary: str
    costly: bool = False

    def at(self, span: Span, message: str, fix: Fix | None = None) -> Diagnostic:
        return Diagnostic(self.code, self.severity, span, message, self.section, fix)


def by_code(*rules: Rule) -> dict[str, Rule]:
    """Return rules by their codes without the protocol: ``unknown-act``."""
    return {rule.code.partition(".")[2]: rule for rule in rules}


class Piece(Struct, frozen=True, gc=False):
    """A part of a description, and the field that it describes."""

    text: str
    field: str | None = None


class Tile(Struct, frozen=True, gc=False):
    """A part of the wire: of a field (with its index), a separator, or unreadable text."""

    kind: TileKind
    span: Span
    field: int | None = None


class Message(Struct, frozen=True, gc=False):
    """A wire and everything that was decoded from it.

    ``values`` is the protocol's plain JSON reading. Fields are built by ``scan`` when asked for
    (keep them if you need them twice), because a log that takes thousands of messages a second
    never looks at them.
    """

    protocol: str
    dialect: str
    wire: str
    values: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...]
    scan: Callable[[str], tuple[Field, ...]]

    @property
    def valid(self) -> bool:
        """Return whether no diagnostic is an error."""
        return not self.diagnostics or all(
            diagnostic.severity != "error" for diagnostic in self.diagnostics
        )

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return all fields in wire order, repeated and unreadable ones included."""
        return self.scan(self.wire)


def tiles(wire: str, fields: tuple[Field, ...]) -> tuple[Tile, ...]:
    """Cover the wire once, without gap or overlap: names, values, unreadable pieces, and separators
    between them.

    Raises AssertionError when the fields overlap: that is a codec's bug.
    """
    return tuple(_tiles(wire, fields))


def _tiles(wire: str, fields: tuple[Field, ...]) -> Iterator[Tile]:
    at = 0
    for start, end, kind, index in sorted(_claims(fields)):
        assert at <= start <= end <= len(wire), f"field {index} overlaps its neighbor"
        if at < start:
            yield Tile("separator", Span(at, start))
        if start < end:
            yield Tile(kind, Span(start, end), index)
        at = end
    if at < len(wire):
        yield Tile("separator", Span(at, len(wire)))


def _claims(fields: tuple[Field, ...]) -> Iterator[tuple[int, int, TileKind, int]]:
    for index, field in enumerate(fields):
        if field.name_span is not None:
            yield (*field.name_span, "name", index)
        yield (*field.span, "value" if field.name else "bad", index)
