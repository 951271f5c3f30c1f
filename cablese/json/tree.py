"""The parts of a JSON text: values, keys, and strays, with their places, and the faults."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from cablese.message import Fix, Span

SEPARATORS = "{}[],:\"'“” \t\r\n"
"""Characters between the keys, values, and strays of a document: ``separators`` of a codec."""
NAME_LIMIT = 1_000

Kind = Literal["object", "array", "string", "number", "true", "false", "null", "bad"]
WORDS: dict[Kind, str] = {
    "object": "an object",
    "array": "an array",
    "string": "text",
    "number": "a number",
    "bad": "unreadable text",
}
"""The kinds for people; true, false and null are called by their name."""
FaultKind = Literal[
    "syntax", "repeated-key", "too-deep", "too-many", "not-finite", "integer-range", "surrogate"
]  # fmt: skip

VALUE_FAULTS: frozenset[FaultKind] = frozenset(
    {"repeated-key", "not-finite", "integer-range", "surrogate"}
)
"""What is wrong with one key or value, and leaves the others as they are."""


class Node(Struct, frozen=True, gc=False):
    """One value and its place.

    ``span`` covers quotes or brackets, ``inner`` does not; for numbers and words both are the same.
    ``value`` is the Python value: of an object the last member of each key, of a ``bad`` node its
    text as written. Of a bad node a fault has told already, so a codec says nothing more of it. A
    value that is missing is a bad node with an empty span. An array has ``items``, an object
    ``members``.
    """

    kind: Kind
    value: Any
    span: Span
    inner: Span
    members: tuple["Member", ...] = ()
    items: tuple["Node", ...] = ()

    @property
    def is_missing(self) -> bool:
        return self.kind == "bad" and self.span.start == self.span.end

    @property
    def kind_name(self) -> str:
        """Return the kind in words: "found text"."""
        return WORDS.get(self.kind, self.kind)

    def member(self, key: str) -> "Member | None":
        """Return the member called ``key``; the last one if it is repeated, as in ``value``."""
        return next((member for member in reversed(self.members) if member.key == key), None)


class Member(Struct, frozen=True, gc=False):
    """A key, its place without quotes, and its value."""

    key: str
    key_span: Span
    node: Node


class Fault(Struct, frozen=True, gc=False):
    """A fault at one place, in words. ``fix`` removes one fault of this kind."""

    kind: FaultKind
    span: Span
    message: str
    fix: Fix | None = None


class Document(Struct, frozen=True, gc=False):
    """Everything found in a text.

    ``strays`` are the bad nodes that stand where no value belongs (comments, text before or after
    the value, what was not read any more); they are in no node. Together with the spans of the
    ``leaves`` they hold every character that is not in SEPARATORS. ``root`` is None when there is
    no value at all.
    """

    root: Node | None
    faults: tuple[Fault, ...]
    strays: tuple[Node, ...]

    @property
    def is_sure(self) -> bool:
        """Return whether the structure is unambiguous: each structural fault has a safe fix."""
        return all(
            fault.kind in VALUE_FAULTS or (fault.fix and fault.fix.safe) for fault in self.faults
        )


def leaves(node: Node, prefix: str = "") -> Iterator[tuple[str, Member | None, Node]]:
    """Yield each field below ``node`` in wire order: its dotted name, member, and node.

    Scalars, bad nodes, and empty objects and arrays; a member also when its value is an object or
    array with content, just before that content, so that its key is shown: give such a field an
    empty span at the start of ``inner``. ``prefix`` is the name of ``node`` itself: with "plan" the
    names are ``plan.0.1`` and so on. Names are cut at 1,000 characters, or a long key around many
    values would fill the memory.
    """
    if not (node.members or node.items):
        yield prefix, None, node
        return
    stack = [_below(node, prefix)]
    while stack:
        for name, member, below in stack[-1]:
            filled = below.members or below.items
            if member is not None or not filled:
                yield name, member, below
            if filled:
                stack.append(_below(below, name))
                break
        else:
            stack.pop()


def _below(node: Node, name: str) -> Iterator[tuple[str, Member | None, Node]]:
    dotted = f"{name}." if name else ""
    for at, item in enumerate(node.items):
        yield f"{dotted}{at}"[:NAME_LIMIT], None, item
    for member in node.members:
        yield f"{dotted}{member.key}"[:NAME_LIMIT], member, member.node
