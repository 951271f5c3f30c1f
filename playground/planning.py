"""A plan of SACP as its page shows it: who would carry out each step, how it would go, and what is missing."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from protocols import jsontext
from protocols.message import Message
from protocols.sacp import dryrun, feasible, spawn
from protocols.sacp.codec import codec
from protocols.sacp.dryrun import DryRun
from protocols.sacp.feasible import Feasibility
from protocols.sacp.library import Library
from protocols.sacp.registry import Agents
from protocols.sacp.steps import walk


@dataclass(frozen=True)
class Planning:
    """``run`` is none for a message that is wrong in itself; ``asked`` are the SPAWN_AGENT messages that would help."""

    message: Message
    found: Feasibility
    run: DryRun | None
    asked: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The reply as it goes over the wire."""
        return jsontext.dump(self.found.answer)

    @property
    def agents(self) -> list[str]:
        """Everyone whom a step may be given to, in the order of the steps."""
        return list(dict.fromkeys(name for one in self.found.assignments for name in one.agents))


def plan(text: str, library: Library, agents: Agents, failing: AbstractSet[str] = frozenset()) -> Planning:
    """Judge a message and rehearse it. Never raises."""
    message = codec.decode(text)
    found = feasible.check(message, library, agents)
    if not found.assignments:
        return Planning(message, found, None, ())
    values: dict[str, Any] = message.values
    missing = spawn.find_missing(found, list(walk(values["steps"])))
    asked = tuple(codec.encode(spawn.ask(step, library, agents)) for step in missing)
    return Planning(message, found, dryrun.rehearse(values, agents, failing), asked)
