"""A plan of SACP as its page shows it: who would carry out each step, how it would go, and what is
missing.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun, spawn
from cablese.protocols.sacp.agents.dryrun import DryRun
from cablese.protocols.sacp.agents.library import Library
from cablese.protocols.sacp.agents.registry import Agents
from cablese.protocols.sacp.agents.report import Gone, Outlook, Withdrawn, look, unfold
from cablese.protocols.sacp.codec import codec
from playground.sacp import spawning, store
from playground.sacp.store import Registered

DEPTH = 5
"""How many messages, one inside the other, a page shows."""


@dataclass(frozen=True)
class Part:
    """A message or a subtask in it. ``level`` is 0 for the message itself; ``run`` is none when it
    is wrong.
    """

    level: int
    goal: str
    found: Outlook
    run: DryRun | None

    @property
    def place(self) -> str:
        """What it is: ``Subtask of the subtask``."""
        return " of the ".join(["subtask"] * self.level).capitalize()

    @cached_property
    def gone(self) -> list[tuple[Gone, Registered[object]]]:
        """What its steps need and somebody withdrew, with who and when."""
        return [(one, store.revisions(one.kind, one.name)[0]) for one in self.found.withdrawn]


@dataclass(frozen=True)
class Planning:
    """``asked`` are the SPAWN_AGENT messages that would help. ``parts`` begin with the message
    itself.
    """

    message: Message
    found: Outlook
    parts: tuple[Part, ...]
    asked: tuple[str, ...]

    @property
    def shown(self) -> tuple[Part, ...]:
        return self.parts[:DEPTH]

    @property
    def left(self) -> int:
        """Subtasks that are judged and not shown."""
        return len(self.parts) - len(self.shown)

    @property
    def answer(self) -> str:
        """The reply as it goes over the wire."""
        return jsontext.dump(self.found.answer)

    @property
    def carried(self) -> str:
        """The wire as a JSON string, which a form hands on as it is."""
        return jsontext.dump(self.message.wire)

    @property
    def agents(self) -> list[str]:
        """Everyone whom a step may be given to, in the order of the steps."""
        assigned = [one for part in self.parts for one in part.found.assignments]
        return list(dict.fromkeys(name for one in assigned for name in one.agents))

    @property
    def spawns(self) -> bool:
        """True for a SPAWN_AGENT message that the listener could be sent."""
        return self.found.answer["status"] == "VALID" and spawning.is_spawn(self.message)


def plan(
    text: str,
    library: Library,
    agents: Agents,
    withdrawn: Withdrawn,
    failing: AbstractSet[str] = frozenset(),
) -> Planning:
    """Judge a message and rehearse it. Never raises."""
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
) -> DryRun | None:
    return (
        dryrun.rehearse(message.values, agents, failing, proposed=judged.proposed)
        if judged.assignments
        else None
    )
