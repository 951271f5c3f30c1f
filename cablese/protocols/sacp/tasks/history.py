"""Follow each task of a transcript ("4. Operational Directives"): its states, the replies to it,
and the agents that take over where it failed.

    {"g":"FIND_HOTEL","msg_id":"a","plan":[…],"state":"PENDING"}        PENDING
    {"status":"ERR","code":"BAD_PARAM","details":"Step 1: …",…}         ERR, step 1
    {"g":"FIND_HOTEL","reply_to":"a","plan":[…],"state":"FAILED"}       FAILED; a fallback follows

`states` says which move may follow which. Fallbacks are those of the registered agents, tried as a
dry run tries them.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun
from cablese.protocols.sacp.agents.library import is_built_in
from cablese.protocols.sacp.agents.registry import Agents, find_for_step
from cablese.protocols.sacp.schema import STATES_10
from cablese.protocols.sacp.v0.steps import Step, walk

from . import states
from .plan_steps import find_numbers

STEPS = 20
"""Steps of one failure for which takeovers are found."""


class Takeover(Struct, frozen=True):
    """A step, its agent, and the agent that takes over if that one fails; empty if there is
    none.
    """

    step: str
    verb: str
    tool: str
    agent: str
    fallback: str
    note: str = ""


class Event(Struct, frozen=True):
    """A change of state, or a reply with its status, and the index of its message.

    ``reason`` says why a change is invalid. ``certain`` is false if nothing says which step failed.
    """

    message: int
    state: str = ""
    status: str = ""
    words: str = ""
    reason: str | None = None
    takeovers: tuple[Takeover, ...] = ()
    certain: bool = True


class Course(Struct, frozen=True):
    """A task: its name as in ``states``, its goal, and its events in order."""

    name: str
    goal: str
    events: tuple[Event, ...]

    @property
    def state(self) -> str:
        """Return the last state, or ERR if that came after it; empty without either."""
        reported = (event.state or event.status for event in reversed(self.events))
        return next((state for state in reported if state in (*STATES_10, "ERR")), "")

    @property
    def illegal(self) -> int:
        return sum(event.reason is not None for event in self.events)


def follow(
    messages: Sequence[Message], agents: Agents, groups: Sequence[Sequence[int]] = ()
) -> tuple[Course, ...]:
    """Return the course of each task that has a state or a reply. ``groups`` are the indexes of the
    messages of each conversation, if they are known. Never raises.
    """
    histories = states.track(messages, groups)
    moves = {move.message: move for history in histories for move in history.moves}
    tasks: dict[str, list[int]] = {}
    for index, task in enumerate(states.sort_tasks(messages, groups)):
        if task is not None:
            tasks.setdefault(task, []).append(index)
    courses = (_follow(task, indexes, messages, moves, agents) for task, indexes in tasks.items())
    return tuple(course for course in courses if course.events)


def _follow(
    task: str,
    indexes: Iterable[int],
    messages: Sequence[Message],
    moves: dict[int, states.Move],
    agents: Agents,
) -> Course:
    goal = ""
    named: tuple[Step, ...] = ()
    plan: list[Step] = []
    events: list[Event] = []
    for index in indexes:
        values = messages[index].values
        goal = goal or str(values.get("g") or "")
        if messages[index].valid and values.get("steps"):
            plan = list(walk(values["steps"]))
        if values.get("status") in ("ERR", "VALID", "REQ_CLARIFY"):
            details = str(values.get("details") or "")
            named = tuple(_find_named(details, plan)) if values["status"] == "ERR" else ()
            events.append(
                Event(
                    index,
                    status=values["status"],
                    words=f"{values.get('code', '')} {details}".strip(),
                    takeovers=_find_takeovers(named, agents),
                )
            )
        if index in moves:
            move = moves[index]
            failed = plan if move.state == "FAILED" and not named else ()
            takeovers = _find_takeovers(failed, agents)
            certain = not takeovers or len(plan) == 1
            events.append(Event(index, move.state, "", "", move.reason, takeovers, certain))
            named = ()
    return Course(task, goal, tuple(events))


def _find_takeovers(steps: Sequence[Step], agents: Agents) -> tuple[Takeover, ...]:
    return tuple(filter(None, (find_takeover(step, agents) for step in steps[:STEPS])))


def find_takeover(step: Step, agents: Agents) -> Takeover | None:
    """Return the agent that takes a step over when the best agent for it fails; None if no agent
    fits.
    """
    fitting = find_for_step(agents, step.verb, step.tool)
    if not fitting or is_built_in(step.verb):
        return None
    first = fitting[0]
    run = dryrun.rehearse(
        {"steps": [{"verb": step.verb, "tool": step.tool, "params": step.params}]},
        agents,
        {first.agent_name},
    )
    last = [event for event in run.events if event.step][-1]
    done = last.state == "DONE"
    note = last.note if first.fallback is not None else "It has no fallback."
    return Takeover(
        step.number,
        step.verb,
        step.tool,
        first.agent_name,
        last.agent if done else "",
        "" if done else note,
    )


def _find_named(details: str, plan: list[Step]) -> Iterator[Step]:
    """Yield the steps of the plan that an ERR names. A parallel step stands for its branches."""
    for at in find_numbers(details):
        yield from (step for step in plan if step.at[: len(at)] == at)
