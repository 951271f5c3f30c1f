"""Convert plans of 0.1 and 1.0 to one form that both can say: layers of steps, each of which waits
for all layers before it.

    0.1   [a, {"parallel":[b, c]}, join]
    both  [[a], [b, c], [join]]
    1.0   s1 a; s2 b after s1; s3 c after s1; join after s2 and s3

What one version says beyond that is the rest, which a translation carries with the layers: from 0.1
how parallels are nested (``groups``); from 1.0 the IDs, the exact ``depends_on``, the order of the
array, and the other keys of a step, by the number of the step. Some plans have no layers, and so no
form in 0.1: a step that waits for only some of the steps before it, and a step that runs only when
another fails.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from cablese.protocols.sacp.schema import STEP_10
from cablese.text import quote
from cablese.translation.statement import Inexpressible

from .dependencies import find_waits, sort_levels

Layers = list[list[dict[str, Any]]]
Rest = dict[str, Any]
CORE = ("verb", "tool", "params")
ASIDE = tuple(key for key in STEP_10 if key not in ("id", *CORE))
RESTS_10 = ("id", "order", *ASIDE)
"""What the layers of a plan of 1.0 leave out; for a plan of 0.1 it is ``groups``."""


def split_01(steps: list[Any]) -> tuple[Layers, Rest]:
    """Return the layers of a valid plan of 0.1, and its rest."""
    layers = [list(_leaves(step)) for step in steps]
    if join_01(layers, {}) == steps:
        return layers, {}
    numbers = iter(range(sum(map(len, layers))))
    return layers, {"groups": [_group(step, numbers) for step in steps]}


def join_01(layers: Layers, rest: Rest) -> list[Any]:
    """Return the plan of 0.1 that ``split_01`` split."""
    groups = rest.get("groups")
    if groups is None:
        return [layer[0] if len(layer) == 1 else {"parallel": list(layer)} for layer in layers]
    flat = [step for layer in layers for step in layer]
    return [_ungroup(group, flat) for group in groups]


def split_10(steps: list[dict[str, Any]]) -> tuple[Layers, Rest]:
    """Return the layers of a valid plan of 1.0, and its rest. Raises Inexpressible for a plan that
    layers cannot express.
    """
    waits = find_waits(steps)
    levels = sort_levels(waits)
    _check(steps, waits, levels)
    order = [index for level in levels for index in level]
    rest: Rest = {}
    ids = [steps[index]["id"] for index in order]
    if ids != [f"s{number}" for number in range(1, len(ids) + 1)]:
        rest["id"] = ids
    if order != sorted(order):
        rest["order"] = [order.index(index) + 1 for index in range(len(order))]
    for key in ASIDE:
        expected = _expected(levels, steps) if key == "depends_on" else {}
        values = {
            str(number): steps[index][key]
            for number, index in enumerate(order, 1)
            if key in steps[index] and steps[index][key] != expected.get(index)
        }
        if values:
            rest[key] = values
    return [[{key: steps[index][key] for key in CORE} for index in level] for level in levels], rest


def join_10(layers: Layers, rest: Rest) -> list[dict[str, Any]]:
    """Return the plan of 1.0 that ``split_10`` split."""
    ids = rest.get("id", [f"s{number + 1}" for number in range(sum(map(len, layers)))])
    steps: list[dict[str, Any]] = []
    before: list[str] = []
    for layer in layers:
        own = ids[len(steps) : len(steps) + len(layer)]
        for name, step in zip(own, layer, strict=True):
            steps.append({"id": name, **step} | ({"depends_on": list(before)} if before else {}))
        before = own
    for key in ASIDE:
        for number, value in rest.get(key, {}).items():
            steps[int(number) - 1][key] = value
    return [steps[number - 1] for number in rest["order"]] if "order" in rest else steps


def is_rest(rest: Rest, layers: Layers) -> bool:
    """Return whether a rest, which anyone may have written, belongs to plans of these layers."""
    total = sum(map(len, layers))
    numbers = [str(number) for number in range(1, total + 1)]
    ids, groups = rest.get("id", numbers), rest.get("groups")
    order = rest.get("order", [*range(1, total + 1)])
    asides = (rest[key] for key in ASIDE if key in rest)
    return (
        isinstance(ids, list)
        and len(ids) == total
        and all(isinstance(name, str) for name in ids)
        and isinstance(order, list)
        and len(order) == total
        and sorted(filter(_is_number, order)) == [*range(1, total + 1)]
        and ("groups" not in rest or isinstance(groups, list))
        and ("groups" not in rest or list(_numbers(groups)) == [*range(total)])
        and all(isinstance(aside, dict) and aside.keys() <= set(numbers) for aside in asides)
    )


def _check(
    steps: list[dict[str, Any]], waits: list[tuple[int, ...]], levels: list[list[int]]
) -> None:
    for step in steps:
        if "fallback_step" in step:
            raise Inexpressible(
                f"Step {quote(step['id'])} falls back to step {quote(step['fallback_step'])}, "
                "which SACP 0.1 cannot express: it executes all steps."
            )
    above = [0] * len(steps)
    before: list[int] = []
    for level in levels:
        for index in level:
            for earlier in waits[index]:
                above[index] |= above[earlier] | 1 << earlier
            missing = next((earlier for earlier in before if not above[index] >> earlier & 1), None)
            if missing is not None:
                raise Inexpressible(
                    f"Step {quote(steps[index]['id'])} does not wait for step "
                    f"{quote(steps[missing]['id'])}, which SACP 0.1 cannot express: its steps "
                    "wait for all earlier ones."
                )
        before = level


def _expected(levels: list[list[int]], steps: list[dict[str, Any]]) -> dict[int, list[str]]:
    """Return ``depends_on`` of each step where it says no more than the layers."""
    return {
        index: [steps[index]["id"] for index in before]
        for before, level in pairwise(levels)
        for index in level
    }


def _leaves(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "parallel" in step:
        for branch in step["parallel"]:
            yield from _leaves(branch)
    else:
        yield step


def _group(step: dict[str, Any], numbers: Iterator[int]) -> Any:
    return (
        [_group(branch, numbers) for branch in step["parallel"]]
        if "parallel" in step
        else next(numbers)
    )


def _ungroup(group: Any, flat: list[dict[str, Any]]) -> dict[str, Any]:
    return (
        {"parallel": [_ungroup(member, flat) for member in group]}
        if isinstance(group, list)
        else flat[group]
    )


def _numbers(group: Any) -> Iterator[Any]:
    if isinstance(group, list) and group:
        for member in group:
            yield from _numbers(member)
    else:
        yield group if _is_number(group) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
