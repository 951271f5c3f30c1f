"""Check a plan for its page: the agents of each step, the dry run, and what is missing."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

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
    found: Outlook
    run: dryrun.DryRun | None

    @property
    def place(self) -> str:
        """Return its name: ``Subtask of the subtask``."""
        return " of the ".join(["subtask"] * self.level).capitalize()

    @cached_property
    def gone(self) -> list[tuple[Gone, store.Registered[object]]]:
        """Return the withdrawn definitions that its steps need, with who and when."""
        return [(one, store.revisions(one.kind, one.name)[0]) for one in self.found.withdrawn]


@dataclass(frozen=True)
class Planning:
    """``asked`` lists SPAWN_AGENT messages that would help. ``parts`` starts with the message
    itself.
    """

    message: Message
    found: Outlook
    parts: tuple[Part, ...]
    asked: tuple[str, ...]

    @property
    def answer(self) -> str:
        """Return the reply as sent."""
        return jsontext.dump(self.found.answer)

    @property
    def agents(self) -> list[str]:
        """Return all agents that a step can be assigned to, in step order."""
        assigned = [one for part in self.parts for one in part.found.assignments]
        return list(dict.fromkeys(name for one in assigned for name in one.agents))

    @property
    def spawns(self) -> bool:
        """Return whether this is a SPAWN_AGENT message that can be sent to the listener."""
        return self.found.answer["status"] == "VALID" and spawning.is_spawn(self.message)


def plan(
    text: str,
    library: Library,
    agents: Agents,
    withdrawn: Withdrawn,
    failing: AbstractSet[str] = frozenset(),
) -> Planning:
    """Check a message and dry-run it. Never raises."""
    message = codec.decode(text)
    found = look(message, library, agents, withdrawn)
    parts = tuple(
        Part(level, str(one.values.get("g", "")), judged, _rehearse(one, judged, agents, failing))
        for level, (one, judged) in enumerate(zip(unfold(message), found.chain, strict=True))
    )
    missing = spawn.find_missing(message, found)
    return Planning(
        message,
        found,
        parts,
        tuple(codec.encode(spawn.ask(steps, library, agents)) for steps in missing),
    )


def _rehearse(
    message: Message, judged: Outlook, agents: Agents, failing: AbstractSet[str]
) -> dryrun.DryRun | None:
    return (
        dryrun.rehearse(message.values, agents, failing, proposed=judged.proposed)
        if judged.assignments
        else None
    )
