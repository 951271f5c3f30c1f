"""Create agents: the request, the listener's reply and registrations, and the retried plan."""

from dataclasses import dataclass

from cablese.message import Message
from cablese.protocols.sacp.agents import spawn
from cablese.protocols.sacp.agents.library import Library
from cablese.protocols.sacp.agents.registry import Agents
from cablese.protocols.sacp.agents.report import Outlook, look
from playground.sacp import store


@dataclass(frozen=True)
class Sent:
    """The SPAWN_AGENT messages with their replies. ``retried`` is None if the message itself was a
    SPAWN_AGENT message.
    """

    spawned: tuple[spawn.Spawned, ...]
    retried: Outlook | None


def send(message: Message, source_id: int | None) -> Sent:
    """Send a SPAWN_AGENT message to the listener; for other messages, send one for each tool that
    lacks an agent, then retry the message.

    Repeating this creates nothing new. Raises BadDefinition.
    """
    spawned: tuple[spawn.Spawned, ...] = ()

    def make(library: Library, agents: Agents) -> list[store.Defined]:
        nonlocal spawned
        spawned = _spawn(message, library, agents)
        return [definition for agent in spawned for definition in agent.defined]

    store.add_missing(make, source_id)
    return Sent(spawned, None if is_spawn(message) else look(message, *store.load_all()))


def is_spawn(message: Message) -> bool:
    return message.values.get("g") == spawn.GOAL


def _spawn(message: Message, library: Library, agents: Agents) -> tuple[spawn.Spawned, ...]:
    if is_spawn(message):
        return (spawn.listen(message, library, agents),)
    return spawn.retry(message, library, agents)[0]
