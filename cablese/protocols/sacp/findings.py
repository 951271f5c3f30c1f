"""Collect diagnostics with the place in the plan that each is about."""

from collections.abc import Iterator
from contextlib import contextmanager

from cablese.json.jsontext import Node
from cablese.message import Diagnostic, Fix, Rule, Span


class Findings:
    """The diagnostics of one text.

    ``end`` is where reading stops because there are too many fields. Without ``is_complete`` the
    text was not read to its end, and what seems to be missing may be there. ``location`` is the
    place of the next diagnostics, such as "Subtask, step 2".
    """

    def __init__(self, wire: str, end: int, *, is_complete: bool) -> None:
        self.wire = wire
        self.end = end
        self.is_complete = is_complete
        self.diagnostics: list[Diagnostic] = []
        self.location = ""

    def tell(self, rule: Rule, at: Span, text: str, fix: Fix | None = None) -> None:
        self.diagnostics.append(
            rule.at(at, f"{self.location}: {text}" if self.location else text, fix)
        )

    @contextmanager
    def inside(self, place: str) -> Iterator[None]:
        """Add a place to the present one for the diagnostics of a block."""
        before = self.location
        self.location = f"{before}, {place}" if before else place[:1].upper() + place[1:]
        yield
        self.location = before


def is_text(node: Node) -> bool:
    """Return whether a node is text that is not blank."""
    return node.kind == "string" and bool(node.value.strip())


def found_in(node: Node) -> str:
    """Return what a node is, as the end of a sentence."""
    return (
        "found empty text"
        if node.kind == "string" and not is_text(node)
        else f"found {node.kind_name}"
    )
