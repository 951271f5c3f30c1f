"""Assemble a message as an Interface agent does ("10. Verb/Tool Library", end): a goal, a context,
and registered pairs.

A plan gets only registered pairs, so that the message is feasible from the start.
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
    """A future step: a registered verb with a tool, and the parameters."""

    verb: str
    tool: str
    params: dict[str, Any] = {}


class Group(Struct, frozen=True):
    """Pairs that run in parallel, and the tool of the join after them."""

    branches: tuple[Pair, ...]
    join: str = "MERGE"


def find_pairs(library: Library, agents: Agents) -> tuple[tuple[str, str], ...]:
    """Return every pair of verb and tool that a step may have, in alphabetical order."""
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
    """Return pairs, each with the name of its group, as the items of a plan. A group is in the
    place of its first pair; a pair without a name is alone.
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
    """Return the values of a message. Raises BadDefinition for a step that cannot be carried out
    here, or without steps.

    ``more`` has other fields of the message, such as ``msg_id`` and ``test_mode``.
    """
    if not pairs:
        raise BadDefinition("/steps", "A plan must have at least one step.")
    steps = [step for pair in pairs for step in _lay(pair)]
    obstacle = next(find_obstacles(list(walk(steps)), library, agents), None)
    if obstacle:
        raise BadDefinition(f"/steps/{int(obstacle.step.partition('.')[0]) - 1}", obstacle.details)
    values: dict[str, Any] = {"g": goal, "ctx": context} if context else {"g": goal}
    return values | dict(more) | {"out_fmt": out_fmt, "state": "PENDING", "steps": steps}


def _lay(item: Pair | Group) -> list[dict[str, Any]]:
    """Return the steps of a pair, or of a group with its join."""
    if isinstance(item, Pair):
        return [{"verb": item.verb, "tool": item.tool, "params": item.params}]
    if len(item.branches) < 2:
        raise BadDefinition(
            "/steps", "A group must have at least two steps, which run in parallel."
        )
    return [
        {"parallel": [step for branch in item.branches for step in _lay(branch)]},
        {"verb": "join", "tool": item.join, "params": {}},
    ]
