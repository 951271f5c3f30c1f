"""Decode a message of SACP 1.0 step by step: the flaws of ``envelope``, each with its span."""

from collections.abc import Iterator
from typing import Any

from cablese.json.jsontext import Member, Node
from cablese.message import Diagnostic, Fix, Span
from cablese.protocols.sacp import schema

from . import envelope
from .shape import Flaw, Path


def read(
    wire: str, root: Node, end: int, *, is_complete: bool
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """Return the values and diagnostics of the message ``root``, an object.

    ``end`` is where reading stops because there are too many fields. Without ``is_complete`` the
    text was not read to its end, and what seems to be missing may be there.
    """
    message = {
        member.key: member.node.value
        for member in root.members
        if member.key_span.start < end and not member.node.is_missing
    }
    teller = _Teller(wire, root, end, is_complete=is_complete)
    return shape_values(message), tuple(filter(None, map(teller.tell, envelope.check(message))))


def shape_values(message: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a message on the wire: the plan is called ``steps``, and ``out_fmt`` is
    always there.
    """
    values = {"out_fmt": "raw", **message}
    values.pop("steps", None)
    if isinstance(message.get("plan"), list):
        values["steps"] = message["plan"]
    return {key: values[key] for key in schema.ORDER_10 if key in values}


class _Teller:
    """Makes diagnostics of flaws. Members of an object are looked up once."""

    def __init__(self, wire: str, root: Node, end: int, *, is_complete: bool) -> None:
        self.wire = wire
        self.root = root
        self.end = end
        self.is_complete = is_complete
        self.members: dict[int, dict[str, Member]] = {}

    def tell(self, flaw: Flaw) -> Diagnostic | None:
        """Return the diagnostic of a flaw; None where the text is broken, which is reported
        already, or was not read.
        """
        trail = list(self._walk(flaw.path))
        member, node = trail[-1]
        checked = trail[:-1] if flaw.at == "key" else trail
        if any(part.kind == "bad" for _, part in checked) or (
            flaw.at == "object" and not self.is_complete
        ):
            return None
        span = node.inner if node.kind == "string" else node.span
        if flaw.at == "key":
            assert member is not None
            span = member.key_span
        elif flaw.at == "object":
            span = Span(node.span.start, min(node.span.start + 1, node.span.end))
        if span.start >= self.end:
            return None
        path = flaw.path
        step = f"Step {int(path[1]) + 1}: " if len(path) > 1 and path[0] == "plan" else ""
        return Diagnostic(
            flaw.rule.code,
            flaw.rule.severity,
            span,
            f"{step}{flaw.message}",
            flaw.section,
            self._fix(flaw, node, span),
        )

    def _fix(self, flaw: Flaw, node: Node, span: Span) -> Fix | None:
        at_key = flaw.at == "key"
        if flaw.fix is None or (at_key and self.wire[span.start - 1] != '"'):
            return None
        return Fix(span if at_key else node.span, flaw.fix, flaw.safe)

    def _walk(self, path: Path) -> Iterator[tuple[Member | None, Node]]:
        """Yield the root, and the member and node of each further step of the path."""
        node = self.root
        yield None, node
        for step in path:
            member = None
            if isinstance(step, int):
                node = node.items[step]
            else:
                member = self._member(node, step)
                node = member.node
            yield member, node

    def _member(self, node: Node, key: str) -> Member:
        known = self.members.get(id(node))
        if known is None:
            known = self.members[id(node)] = {member.key: member for member in node.members}
        return known[key]
