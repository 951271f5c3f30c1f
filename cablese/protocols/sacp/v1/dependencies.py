"""What the steps of SACP 1.0 wait for: ``depends_on`` as a graph (1.0: "6.3 Execution Rules").

Works on plans with anything wrong in them: what is no step, no id or no name of a step counts for
nothing, and steps in a circle come last.
"""

from collections.abc import Sequence
from typing import Any


def is_plan_10(steps: Any) -> bool:
    """Whether a plan is one of 1.0: its steps have ids."""
    return isinstance(steps, list) and any(isinstance(one, dict) and "id" in one for one in steps)


def find_waits(steps: Sequence[Any]) -> list[tuple[int, ...]]:
    """For each step the indexes of those it waits for."""
    known: dict[str, int] = {}
    for index, one in enumerate(steps):
        name = one.get("id") if isinstance(one, dict) else None
        if isinstance(name, str):
            known.setdefault(name, index)
    found = []
    for one in steps:
        names = one.get("depends_on") if isinstance(one, dict) else None
        named = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        found.append(tuple(dict.fromkeys(known[name] for name in named if name in known)))
    return found


def sort_levels(waits: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """The steps in waves: each as soon as all that it waits for are over. Those in a circle, or
    behind one, are left out.
    """
    following: list[list[int]] = [[] for _ in waits]
    for index, before in enumerate(waits):
        for one in before:
            following[one].append(index)
    open_waits = [len(before) for before in waits]
    wave = [index for index, many in enumerate(open_waits) if not many]
    levels = []
    while wave:
        levels.append(wave)
        after = []
        for index in wave:
            for one in following[index]:
                open_waits[one] -= 1
                if not open_waits[one]:
                    after.append(one)
        wave = sorted(after)
    return levels


def find_cycle(waits: Sequence[tuple[int, ...]]) -> list[int]:
    """The indexes of one circle, in the order in which they wait, from its first step on; empty
    when there is none.
    """
    free = {index for level in sort_levels(waits) for index in level}
    stuck = next((index for index in range(len(waits)) if index not in free), None)
    path: list[int] = []
    seen: dict[int, int] = {}
    while stuck is not None and stuck not in seen:
        seen[stuck] = len(path)
        path.append(stuck)
        stuck = next(one for one in waits[stuck] if one not in free)
    if stuck is None:
        return []
    circle = path[seen[stuck] :]
    first = circle.index(min(circle))
    return circle[first:] + circle[:first]


def find_stands_in(steps: Sequence[Any]) -> dict[int, int]:
    """The index of each step that is a fallback, with that of the first step it stands in for."""
    names = {
        one.get("id"): index for index, one in reversed(list(enumerate(steps))) if _has_id(one)
    }
    found: dict[int, int] = {}
    for index, one in enumerate(steps):
        if isinstance(one, dict) and one.get("on_error") == "fallback":
            name = one.get("fallback_step")
            at = names.get(name) if isinstance(name, str) else None
            if at is not None and at != index:
                found.setdefault(at, index)
    return found


def _has_id(step: Any) -> bool:
    return isinstance(step, dict) and isinstance(step.get("id"), str)
