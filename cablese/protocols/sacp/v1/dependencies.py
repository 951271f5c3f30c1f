"""Read ``depends_on`` of the steps of SACP 1.0 as a graph (1.0: "6.3 Execution Rules").

Works on invalid plans too: what is not a step, an ID, or the name of a step is ignored, and steps
in a cycle come last.
"""

from collections.abc import Sequence
from typing import Any


def is_plan_10(steps: Any) -> bool:
    """Return whether a plan is one of 1.0: its steps have IDs."""
    return isinstance(steps, list) and any(
        isinstance(step, dict) and "id" in step for step in steps
    )


def find_waits(steps: Sequence[Any]) -> list[tuple[int, ...]]:
    """Return for each step the indexes of the steps that it waits for."""
    known = _index_ids(steps)
    waits = []
    for step in steps:
        names = step.get("depends_on") if isinstance(step, dict) else None
        named = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        waits.append(tuple(dict.fromkeys(known[name] for name in named if name in known)))
    return waits


def sort_levels(waits: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Return the steps in waves: each as soon as all that it waits for are done. Steps in a cycle,
    or after one, are left out.
    """
    following: list[list[int]] = [[] for _ in waits]
    for index, before in enumerate(waits):
        for needed in before:
            following[needed].append(index)
    open_waits = [len(before) for before in waits]
    wave = [index for index, many in enumerate(open_waits) if not many]
    levels = []
    while wave:
        levels.append(wave)
        after = []
        for index in wave:
            for other in following[index]:
                open_waits[other] -= 1
                if not open_waits[other]:
                    after.append(other)
        wave = sorted(after)
    return levels


def find_cycle(waits: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the indexes of one cycle, in the order in which they wait, from its first step on;
    empty without a cycle.
    """
    free = {index for level in sort_levels(waits) for index in level}
    stuck = next((index for index in range(len(waits)) if index not in free), None)
    path: list[int] = []
    seen: dict[int, int] = {}
    while stuck is not None and stuck not in seen:
        seen[stuck] = len(path)
        path.append(stuck)
        stuck = next(index for index in waits[stuck] if index not in free)
    if stuck is None:
        return []
    circle = path[seen[stuck] :]
    first = circle.index(min(circle))
    return circle[first:] + circle[:first]


def find_stands_in(steps: Sequence[Any]) -> dict[int, int]:
    """Return the index of each fallback step, with that of the first step that uses it."""
    names = _index_ids(steps)
    users: dict[int, int] = {}
    for index, step in enumerate(steps):
        if isinstance(step, dict) and step.get("on_error") == "fallback":
            name = step.get("fallback_step")
            at = names.get(name) if isinstance(name, str) else None
            if at is not None and at != index:
                users.setdefault(at, index)
    return users


def _index_ids(steps: Sequence[Any]) -> dict[str, int]:
    """Return the index of the first step with each ID."""
    index_of: dict[str, int] = {}
    for index, step in enumerate(steps):
        if isinstance(step, dict) and isinstance(step.get("id"), str):
            index_of.setdefault(step["id"], index)
    return index_of
