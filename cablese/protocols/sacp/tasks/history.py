"""What became of each task of a transcript ("4. Operational Directives"): its states, the replies
to it, and, where it failed, who takes over.

    {"g":"FIND_HOTEL","msg_id":"a","plan":[…],"state":"PENDING"}        PENDING
    {"status":"ERR","code":"BAD_PARAM","details":"Step 1: …",…}         ERR, step 1
    {"g":"FIND_HOTEL","reply_to":"a","plan":[…],"state":"FAILED"}       FAILED; a fallback follows

`states` says which move may follow which. Fallbacks are those that the registered agents name,
tried in the way that a dry run tries them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun
from cablese.protocols.sacp.agents.library import is_built_in
from cablese.protocols.sacp.agents.registry import Agents, find_for_step
from cablese.protocols.sacp.schema import STATES_10
from cablese.protocols.sacp.v0.steps import Step, walk

from . import states

NAMED = re.compile(r"\bstep\s+([0-9]{1,4})(?:(?:,\s*branch\s+|\.)([0-9]{1,4}))?", re.IGNORECASE)
"""``step 2``, ``step 2, branch 1`` and ``step 2.1``."""
STEPS = 20
"""Steps of one failure that takeovers are looked for."""


ERR = "ERR"


class Takeover(Struct, frozen=True):
    """A step, its agent, and the agent that takes over if that one fails; empty if there is none."""

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
        """The last one told, or ERR when that came after it; empty when none was."""
        told = (event.state or event.status for event in reversed(self.events))
        return next((one for one in told if one in STATES_10 or one == ERR), "")

    @property
    def illegal(self) -> int:
        return sum(event.reason is not None for event in self.events)


def follow(messages: Sequence[Message], agents: Agents) -> tuple[Course, ...]:
    """The course of each task that has a state or a reply. Never raises."""
    moves = {move.message: move for history in states.track(messages) for move in history.moves}
    tasks: dict[str, list[int]] = {}
    for index, task in enumerate(states.sort_tasks(messages)):
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
        plan = _read_plan(messages[index]) or plan
        if values.get("status") in ("ERR", "VALID", "REQ_CLARIFY"):
            told = str(values.get("details") or "")
            named = tuple(_find_named(told, plan)) if values["status"] == "ERR" else ()
            events.append(
                Event(
                    index, status=values["status"], words=f"{values.get('code', '')} {told}".strip()
                )
            )
            if named:
                events[-1] = _with_takeovers(events[-1], named, agents)
        if index in moves:
            move = moves[index]
            event = Event(index, state=move.state, reason=move.reason)
            if move.state == "FAILED" and not named:
                event = _with_takeovers(event, plan, agents, certain=len(plan) == 1)
            events.append(event)
            named = ()
    return Course(task, goal, tuple(events))


def _with_takeovers(
    event: Event, steps: Iterable[Step], agents: Agents, *, certain: bool = True
) -> Event:
    found = tuple(one for step in list(steps)[:STEPS] if (one := find_takeover(step, agents)))
    return Event(
        event.message,
        event.state,
        event.status,
        event.words,
        event.reason,
        found,
        certain or not found,
    )


def find_takeover(step: Step, agents: Agents) -> Takeover | None:
    """Who takes a step over when the best agent for it fails; None when there is no agent for it at
    all.
    """
    fitting = find_for_step(agents, step.verb, step.tool)
    if not fitting or is_built_in(step.verb):
        return None
    first = fitting[0]
    values: dict[str, Any] = {
        "steps": [{"verb": step.verb, "tool": step.tool, "params": step.params}]
    }
    tried = [one for one in dryrun.rehearse(values, agents, {first.agent_name}).events if one.step]
    last = tried[-1]
    takes = last.agent if last.state == "DONE" else ""
    if takes:
        return Takeover(step.number, step.verb, step.tool, first.agent_name, takes)
    note = "It has no fallback." if first.fallback is None else last.note
    return Takeover(step.number, step.verb, step.tool, first.agent_name, "", note)


def _read_plan(message: Message) -> list[Step]:
    return (
        list(walk(message.values["steps"])) if message.valid and message.values.get("steps") else []
    )


def _find_named(words: str, plan: list[Step]) -> Iterator[Step]:
    """The steps of the plan that an ERR speaks of; a step that is parallel means its branches."""
    for found in dict.fromkeys(match.groups() for match in NAMED.finditer(words[:1000])):
        at = tuple(int(number) for number in found if number)
        yield from (step for step in plan if step.at[: len(at)] == at)
