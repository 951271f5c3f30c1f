"""Report on a message and everything inside it: its plan, the plans of its subtasks ("5.
Extensibility": "Nested messages allowed via `subtask` field"), and withdrawn definitions.

A message is feasible when its own plan and every plan inside it are. An answer about a subtask says
so, as diagnostics do: "Subtask, step 2: …".
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct, structs

from cablese.message import Message
from cablese.protocols.sacp.aliases import expand_verb
from cablese.protocols.sacp.v0.steps import Step, walk

from .feasible import Feasibility, Obstacle, check
from .library import Library, Tool, Verb
from .registry import Agents, find_for_step


class Withdrawn(Struct, frozen=True):
    """Definitions that were withdrawn."""

    verbs: tuple[Verb, ...] = ()
    tools: tuple[Tool, ...] = ()
    agents: Agents = ()


NOTHING: Final = Withdrawn()


class Gone(Struct, frozen=True, order=True):
    """A withdrawn definition that a step needs."""

    step: str
    kind: Literal["verb", "tool", "agent"]
    name: str


class Outlook(Feasibility, frozen=True):
    """The feasibility of a message and of everything inside it; ``answer`` and ``feasible`` cover
    the whole.
    """

    withdrawn: tuple[Gone, ...] = ()
    subtask: "Outlook | None" = None

    @property
    def chain(self) -> "tuple[Outlook, ...]":
        """Return this report, that of its subtask, and so on."""
        return (self, *(self.subtask.chain if self.subtask else ()))


def look(
    message: Message, library: Library, agents: Agents, withdrawn: Withdrawn = NOTHING
) -> Outlook:
    """Judge a message and everything inside it. Never raises."""
    inside: Outlook | None = None
    for level in reversed(unfold(message)):
        inside = _look(level, library, agents, withdrawn, inside)
    assert inside is not None
    return inside


def unfold(message: Message) -> tuple[Message, ...]:
    """Return a message and its subtasks, the outermost first. Subtasks of an invalid message are
    ignored.
    """
    messages = [message]
    while (
        message.protocol == "sacp"
        and messages[0].valid
        and isinstance(inside := messages[-1].values.get("subtask"), dict)
    ):
        messages.append(structs.replace(message, values=inside))
    return tuple(messages)


def _look(
    message: Message, library: Library, agents: Agents, withdrawn: Withdrawn, inside: Outlook | None
) -> Outlook:
    own = check(message, library, agents)
    steps = list(walk(message.values["steps"])) if own.assignments else []
    nobody = {
        assignment.step
        for assignment in own.assignments
        if not assignment.agents and not assignment.built_in
    }
    gone = sorted({item for step in steps for item in _find_gone(step, withdrawn, nobody)})
    obstacles = tuple(_explain(obstacle, gone) for obstacle in own.obstacles)
    answer = own.answer
    if obstacles:
        answer = answer | {"details": obstacles[0].details}
    elif inside and inside.answer["status"] != "VALID":
        details = inside.answer["details"]
        answer = inside.answer | {"details": f"Subtask, {details[:1].lower()}{details[1:]}"}
    return Outlook(
        answer,
        own.feasible and (inside is None or inside.feasible),
        obstacles,
        own.assignments,
        own.parameters,
        tuple(gone),
        inside,
    )


def _find_gone(step: Step, withdrawn: Withdrawn, nobody: set[str]) -> Iterator[Gone]:
    verb = expand_verb(step.verb)
    if any(expand_verb(known.name) == verb for known in withdrawn.verbs):
        yield Gone(step.number, "verb", verb)
    if any(tool.id == step.tool for tool in withdrawn.tools):
        yield Gone(step.number, "tool", step.tool)
    if step.number in nobody:
        for agent in find_for_step(withdrawn.agents, step.verb, step.tool):
            yield Gone(step.number, "agent", agent.agent_name)


def _explain(obstacle: Obstacle, gone: Sequence[Gone]) -> Obstacle:
    kind = {"UNKNOWN_VERB": "verb", "UNKNOWN_TOOL": "tool"}.get(obstacle.code)
    if not any(each.step == obstacle.step and each.kind == kind for each in gone):
        return obstacle
    return structs.replace(
        obstacle, details=f"{obstacle.details.removesuffix('.')}: it was withdrawn."
    )
