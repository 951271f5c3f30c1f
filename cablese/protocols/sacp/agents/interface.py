"""What an Interface agent does with a wish ("10. Verb/Tool Library", end): a message of goal,
context and known pairs.

Only pairs that are registered get into a plan, so that what is assembled is feasible from the
start.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from cablese.protocols.sacp.v0.steps import walk

from .definition import BadDefinition
from .feasible import find_obstacles
from .library import Library
from .registry import Agents


class Pair(Struct, frozen=True):
    """A step to be: a registered verb with a tool, and the parameters."""

    verb: str
    tool: str
    params: dict[str, Any] = {}


class Group(Struct, frozen=True):
    """Pairs that run side by side, and the tool that the join after them works with."""

    branches: tuple[Pair, ...]
    join: str = "MERGE"


def find_pairs(library: Library, agents: Agents) -> tuple[tuple[str, str], ...]:
    """Every pair of verb and tool that a step may hold, in the order of their names."""
    of_tools = {(verb, tool.id) for tool in library.tools for verb in tool.supported_verbs}
    defined = {tool.id for tool in library.tools}
    of_agents = {
        (verb, tool)
        for agent in agents
        for tool in agent.supported_tools
        if tool not in defined
        for verb in agent.supported_verbs
    }
    return tuple(sorted(of_tools | of_agents))


def arrange(rows: Iterable[tuple[Pair, str]], join: str = "MERGE") -> list[Pair | Group]:
    """Pairs, each with the name of its group, as the items of a plan: a group stands where its
    first pair stands.

    A pair whose name is empty stands alone.
    """
    placed: dict[str | int, list[Pair]] = {}
    for at, (pair, group) in enumerate(rows):
        placed.setdefault(group or at, []).append(pair)
    return [
        Group(tuple(pairs), join) if isinstance(name, str) else pairs[0]
        for name, pairs in placed.items()
    ]


def assemble(
    goal: str,
    context: dict[str, Any],
    pairs: Sequence[Pair | Group],
    library: Library,
    agents: Agents,
    *,
    out_fmt: str = "raw",
    more: Iterable[tuple[str, Any]] = (),
) -> dict[str, Any]:
    """The values of a message. Raises BadDefinition for a step that cannot be carried out here, or
    for no steps.

    ``more`` holds other fields of the message, such as ``msg_id`` and ``test_mode``.
    """
    if not pairs:
        raise BadDefinition("/steps", "A plan must have at least one step.")
    steps = [step for one in pairs for step in _lay(one)]
    obstacle = next(find_obstacles(list(walk(steps)), library, agents), None)
    if obstacle:
        raise BadDefinition(f"/steps/{int(obstacle.step.partition('.')[0]) - 1}", obstacle.details)
    values: dict[str, Any] = {"g": goal, "ctx": context} if context else {"g": goal}
    return values | dict(more) | {"out_fmt": out_fmt, "state": "PENDING", "steps": steps}


def _lay(one: Pair | Group) -> list[dict[str, Any]]:
    """The steps of the plan that a pair, or a group with its join, becomes."""
    if isinstance(one, Pair):
        return [{"verb": one.verb, "tool": one.tool, "params": one.params}]
    if len(one.branches) < 2:
        raise BadDefinition(
            "/steps", "A group must have at least two steps, which run in parallel."
        )
    branches = [step for branch in one.branches for step in _lay(branch)]
    return [{"parallel": branches}, {"verb": "join", "tool": one.join, "params": {}}]
