"""Read the plan of a SACP message: steps ``[verb, tool, params]``, and ``{"parallel":[steps]}``
before a join.

"2. Syntax Rules" and "8. Message Validator". Steps are counted from 1. Each item of the array gives
one step of the ``values``, with whatever could be read of it, so that both have the same numbers.
"""

from typing import Any

from cablese.json import jsontext
from cablese.json.jsontext import Node
from cablese.message import Fix, Span
from cablese.protocols.sacp.findings import Findings, found_in, is_text
from cablese.protocols.sacp.rules import RULES

PARTS: tuple[str, ...] = ("verb", "tool", "params")
FORM = 'expected [verb, tool, params] or {"parallel":[steps]}'


class PlanReader(Findings):
    """Reads the plans of one text."""

    def plan(self, node: Node) -> list[Any] | None:
        """Return the steps of a plan, or None when it is not an array."""
        if node.kind != "array":
            if node.kind != "bad":
                self.tell(
                    RULES["bad-plan"],
                    node.span,
                    f"The plan must be an array of steps; {found_in(node)}.",
                )
            return None
        if not node.items and self.is_complete:
            self.tell(
                RULES["empty-plan"], node.span, "The plan has no steps. The answer is REQ_CLARIFY."
            )
        if [item.kind for item in node.items] == ["string", "string", "object"]:
            text = "The plan contains the parts of a single step. Expected an array of steps."
            fix = (
                Fix(node.span, f"[{self.wire[slice(*node.span)]}]", safe=True)
                if node.span.end > node.inner.end
                else None
            )
            self.tell(RULES["bad-step"], node.span, f"Step 1: {text}", fix)
            return [self._step(node, 1)]
        items = [item for item in node.items if item.span.start < self.end and not item.is_missing]
        steps = [self._step(item, index) for index, item in enumerate(items, 1)]
        self._joins(items)
        return steps

    def _joins(self, items: list[Node]) -> None:
        neighbors = zip((None, *items), items, (*items[1:], None), strict=False)
        for number, (before, step, after) in enumerate(neighbors, 1):
            with self.inside(f"step {number}"):
                joined = after and _verb(after) == "join"
                if _is_parallel(step) and not joined and (after or self.is_complete):
                    self.tell(
                        RULES["missing-join"], step.span, "Missing join after the parallel steps."
                    )
                if _verb(step) == "join" and not (before and _is_parallel(before)):
                    self.tell(
                        RULES["join-without-parallel"],
                        step.span,
                        "Unexpected join: there is no parallel before it.",
                    )

    def _step(self, node: Node, number: int, *, branch: bool = False) -> dict[str, Any]:
        with self.inside(f"{'branch' if branch else 'step'} {number}"):
            if node.kind == "array":
                return self._triple(node)
            if node.kind == "object" and node.member("parallel"):
                return self._parallel(node)
            if node.kind == "object":
                return self._object(node)
            if node.kind != "bad":
                self.tell(
                    RULES["bad-step"],
                    node.span,
                    f"{node.kind_name.capitalize()} is not a step; {FORM}.",
                )
        return {}

    def _triple(self, node: Node) -> dict[str, Any]:
        items = [item for item in node.items if not item.is_missing]
        if len(items) == 2 and items[1].kind == "object":
            self.tell(RULES["bad-step"], node.span, f"Missing tool; {FORM}.")
            return self._parts({"verb": items[0], "params": items[1]})
        if len(items) < 3:
            missing = ("verb, tool, and params", "tool and params", "params")[len(items)]
            fix = None
            if len(items) == 2 and node.span.end > node.inner.end:
                fix = Fix(Span(items[1].span.end, items[1].span.end), ",{}")
            self.tell(RULES["bad-step"], node.span, f"Missing {missing}; {FORM}.", fix)
        elif len(items) > 3:
            self.tell(
                RULES["bad-step"],
                Span(items[3].span.start, items[-1].span.end),
                f"The step has {len(items)} parts; {FORM}.",
            )
        return self._parts(dict(zip(PARTS, items, strict=False)))

    def _parts(self, parts: dict[str, Node]) -> dict[str, Any]:
        for name in ("verb", "tool"):
            node = parts.get(name)
            if node and node.kind != "bad" and not is_text(node):
                self.tell(
                    RULES["bad-step"],
                    node.span,
                    f"The {name} must be non-empty text; {found_in(node)}.",
                )
        params = parts.get("params")
        if params and params.kind not in ("object", "bad"):
            empty = params.kind == "null" or (
                params.kind == "array" and not self.wire[slice(*params.inner)].strip()
            )
            self.tell(
                RULES["bad-params"],
                params.span,
                f"The params must be an object; found {params.kind_name}.",
                Fix(params.span, "{}") if empty else None,
            )
        elif params:
            self._nulls(params)
        return {name: part.value for name, part in parts.items()}

    def _nulls(self, params: Node) -> None:
        nulls = [node.span for _, _, node in jsontext.leaves(params) if node.kind == "null"]
        if nulls:
            more = f" ({len(nulls)} of them)" if len(nulls) > 1 else ""
            self.tell(
                RULES["null-param"],
                nulls[0],
                f"A param is null{more}. Expected text, a number, a boolean, a list, or an object.",
            )

    def _parallel(self, node: Node) -> dict[str, Any]:
        member = node.member("parallel")
        assert member is not None
        other = next((member for member in node.members if member.key != "parallel"), None)
        if other:
            self.tell(
                RULES["bad-step"], other.key_span, f"Unexpected key {other.key[:40]} with parallel."
            )
        branches = member.node
        if branches.kind != "array":
            if branches.kind != "bad":
                self.tell(
                    RULES["bad-step"],
                    branches.span,
                    f"parallel must be an array of steps; found {branches.kind_name}.",
                )
            return {"parallel": []}
        if not branches.items:
            self.tell(RULES["bad-step"], branches.span, "parallel has no steps.")
        items = [item for item in branches.items if not item.is_missing]
        return {
            "parallel": [
                self._step(item, number, branch=True) for number, item in enumerate(items, 1)
            ]
        }

    def _object(self, node: Node) -> dict[str, Any]:
        parts = {member.key: member.node for member in node.members if not member.node.is_missing}
        known: dict[str, Node] = {name: parts[name] for name in PARTS if name in parts}
        fix = None
        alone = len(known) == len(parts) == len(node.members) and node.span.end > node.inner.end
        if alone and {"verb", "tool"} <= known.keys():
            triple = [self.wire[slice(*part.span)] for part in known.values()]
            fix = Fix(
                node.span, f"[{','.join([*triple, '{}'][:3])}]", safe=len(triple) == len(PARTS)
            )
        self.tell(
            RULES["bad-step"], node.span, f"An object is not a step in SACP 0.1; {FORM}.", fix
        )
        return self._parts(known)


def _is_parallel(node: Node) -> bool:
    return node.kind == "object" and node.member("parallel") is not None


def _verb(node: Node) -> Any:
    if node.kind == "array":
        return node.items[0].value if node.items else None
    verb = node.member("verb")
    return verb.node.value if verb else None
