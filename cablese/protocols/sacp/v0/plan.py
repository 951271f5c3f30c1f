"""Read the plan of a SACP message: steps ``[verb, tool, params]``, and ``{"parallel":[steps]}``
before a join.

"2. Syntax Rules" and "8. Message Validator". Steps are counted from 1. Each item of the array gives
one step of the ``values``, with whatever could be read of it, so that both have the same numbers.
"""

from typing import Any

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
        if not node.items and self.whole:
            self.tell(
                RULES["empty-plan"], node.span, "The plan has no steps. The answer is REQ_CLARIFY."
            )
        if [one.kind for one in node.items] == ["string", "string", "object"]:
            words = "The plan contains the parts of a single step. Expected an array of steps."
            closed = node.span.end > node.inner.end
            fix = Fix(node.span, f"[{self.wire[slice(*node.span)]}]", safe=True) if closed else None
            self.tell(RULES["bad-step"], node.span, f"Step 1: {words}", fix)
            return [self._step(node, 1)]
        items = [one for one in node.items if one.span.start < self.end and not one.is_missing]
        steps = [self._step(one, index) for index, one in enumerate(items, 1)]
        self._joins(items)
        return steps

    def _joins(self, items: list[Node]) -> None:
        for index, one in enumerate(items):
            after = items[index + 1] if index + 1 < len(items) else None
            before = items[index - 1] if index else None
            place = self.enter(f"step {index + 1}")
            if (
                _is_parallel(one)
                and not (after and _verb(after) == "join")
                and (after or self.whole)
            ):
                self.tell(RULES["missing-join"], one.span, "Missing join after the parallel steps.")
            if _verb(one) == "join" and not (before and _is_parallel(before)):
                self.tell(
                    RULES["join-without-parallel"],
                    one.span,
                    "Unexpected join: there is no parallel before it.",
                )
            self.where = place

    def _step(self, node: Node, number: int, *, branch: bool = False) -> dict[str, Any]:
        place = self.enter(f"{'branch' if branch else 'step'} {number}")
        if node.kind == "array":
            step = self._triple(node)
        elif node.kind == "object" and node.member("parallel"):
            step = self._parallel(node)
        elif node.kind == "object":
            step = self._object(node)
        else:
            step = {}
            if node.kind != "bad":
                self.tell(
                    RULES["bad-step"], node.span, f"{node.what.capitalize()} is not a step; {FORM}."
                )
        self.where = place
        return step

    def _triple(self, node: Node) -> dict[str, Any]:
        items = [one for one in node.items if not one.is_missing]
        if len(items) == 2 and items[1].kind == "object":
            self.tell(RULES["bad-step"], node.span, f"Missing tool; {FORM}.")
            return self._parts({"verb": items[0], "params": items[1]})
        if len(items) < 3:
            missing = ("verb, tool, and params", "tool and params", "params")[len(items)]
            fix = None
            if len(items) == 2 and node.span.end > node.inner.end:
                here = Span(items[1].span.end, items[1].span.end)
                fix = Fix(here, ",{}")
            self.tell(RULES["bad-step"], node.span, f"Missing {missing}; {FORM}.", fix)
        elif len(items) > 3:
            at = Span(items[3].span.start, items[-1].span.end)
            self.tell(RULES["bad-step"], at, f"The step has {len(items)} parts; {FORM}.")
        return self._parts(dict(zip(PARTS, items, strict=False)))

    def _parts(self, parts: dict[str, Node]) -> dict[str, Any]:
        for name in ("verb", "tool"):
            one = parts.get(name)
            if one and one.kind != "bad" and not is_text(one):
                self.tell(
                    RULES["bad-step"],
                    one.span,
                    f"The {name} must be non-empty text; {found_in(one)}.",
                )
        params = parts.get("params")
        if params and params.kind not in ("object", "bad"):
            empty = params.kind == "null" or (
                params.kind == "array" and not self.wire[slice(*params.inner)].strip()
            )
            self.tell(
                RULES["bad-params"],
                params.span,
                f"The params must be an object; found {params.what}.",
                Fix(params.span, "{}") if empty else None,
            )
        elif params:
            self._nulls(params)
        return {name: one.value for name, one in parts.items()}

    def _nulls(self, params: Node) -> None:
        rest, nulls = [params], []
        while rest:
            one = rest.pop()
            if one.kind == "null":
                nulls.append(one.span)
            rest.extend(below.node for below in one.members)
            rest.extend(one.items)
        if nulls:
            more = f" ({len(nulls)} of them)" if len(nulls) > 1 else ""
            self.tell(
                RULES["null-param"],
                min(nulls),
                f"A param is null{more}. Expected text, a number, a boolean, a list, or an object.",
            )

    def _parallel(self, node: Node) -> dict[str, Any]:
        member = node.member("parallel")
        assert member is not None
        other = next((one for one in node.members if one.key != "parallel"), None)
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
                    f"parallel must be an array of steps; found {branches.what}.",
                )
            return {"parallel": []}
        if not branches.items:
            self.tell(RULES["bad-step"], branches.span, "parallel has no steps.")
        items = [one for one in branches.items if not one.is_missing]
        steps = [self._step(one, number, branch=True) for number, one in enumerate(items, 1)]
        return {"parallel": steps}

    def _object(self, node: Node) -> dict[str, Any]:
        parts = {one.key: one.node for one in node.members if not one.node.is_missing}
        known: dict[str, Node] = {name: parts[name] for name in PARTS if name in parts}
        fix = None
        alone = len(known) == len(parts) == len(node.members) and node.span.end > node.inner.end
        if alone and {"verb", "tool"} <= known.keys():
            triple = [self.wire[slice(*one.span)] for one in known.values()]
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
    one = node.member("verb")
    return one.node.value if one else None
