"""Diagnostics as they are met, each with the place in the plan that it speaks of."""

from cablese.json.jsontext import Node
from cablese.message import Diagnostic, Fix, Rule, Span


class Findings:
    """Collects diagnostics. ``where`` is the place that the next ones speak of, such as "Subtask,
    step 2".
    """

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.where = ""

    def tell(self, rule: Rule, at: Span, words: str, fix: Fix | None = None) -> None:
        self.found.append(rule.at(at, f"{self.where}: {words}" if self.where else words, fix))

    def enter(self, place: str) -> str:
        """Speak of ``place``, inside the present one, from now on; gives the present one, to go
        back to.
        """
        before = self.where
        self.where = f"{before}, {place}" if before else place[:1].upper() + place[1:]
        return before


def is_text(node: Node) -> bool:
    """True for text that says something."""
    return node.kind == "string" and bool(node.value.strip())


def found_in(node: Node) -> str:
    """What stands there, in words."""
    return (
        "found empty text" if node.kind == "string" and not is_text(node) else f"found {node.what}"
    )
