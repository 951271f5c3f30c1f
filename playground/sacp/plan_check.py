"""Check a plan for its page: the agents of each step, the dry run, and what is missing."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun, spawn
from cablese.protocols.sacp.agents.library import Library
from cablese.protocols.sacp.agents.registry import Agents
from cablese.protocols.sacp.agents.report import Gone, Outlook, Withdrawn, look, unfold
from cablese.protocols.sacp.codec import codec
from playground.sacp import spawning, store


@dataclass(frozen=True)
class Part:
    """A message or one of its subtasks. ``level`` is 0 for the message itself; ``run`` is None if
    it is invalid.
    """

    level: int
    goal: str
    outlook: Outlook
    run: dryrun.DryRun | None

    @property
    def place(self) -> str:
        """Return its name: ``Subtask of the subtask``."""
        return " of the ".join(["subtask"] * self.level).capitalize()

    @cached_property
    def withdrawn(self) -> list[tuple[Gone, store.Registered[object]]]:
        """Return the withdrawn definitions that its steps need, with who and when."""
        return [
            (definition, store.revisions(definition.kind, definition.name)[0])
            for definition in self.outlook.withdrawn
        ]


def plan(
    text: str,
    library: Library,
    agents: Agents,
    withdrawn: Withdrawn,
    failing: AbstractSet[str] = frozenset(),
) -> dict[str, Any]:
    """Check a message and dry-run it. Never raises.

    ``parts`` starts with the message itself. ``agents`` are all that a step can be assigned to, in
    step order. ``requests`` are the SPAWN_AGENT messages that would help; ``spawns`` is whether
    this is one that can be sent to the listener.
    """
    message = codec.decode(text)
    outlook = look(message, library, agents, withdrawn)
    parts = tuple(
        Part(level, str(task.values.get("g", "")), judged, _rehearse(task, judged, agents, failing))
        for level, (task, judged) in enumerate(zip(unfold(message), outlook.chain, strict=True))
    )
    missing = spawn.find_missing(message, outlook)
    assigned = [assignment for part in parts for assignment in part.outlook.assignments]
    return {
        "message": message,
        "outlook": outlook,
        "answer": jsontext.dump(outlook.answer),
        "parts": parts,
        "agents": list(dict.fromkeys(name for step in assigned for name in step.agents)),
        "requests": [codec.encode(spawn.ask(steps, library, agents)) for steps in missing],
        "spawns": outlook.answer["status"] == "VALID" and spawning.is_spawn(message),
    }


def _rehearse(
    message: Message, judged: Outlook, agents: Agents, failing: AbstractSet[str]
) -> dryrun.DryRun | None:
    return (
        dryrun.rehearse(message.values, agents, failing, proposed=judged.proposed)
        if judged.assignments
        else None
    )
