"""A dry run ("5. Extensibility", ``test_mode``): the plan is walked against the registry, and
nothing is done.

Every step is given to the best agent that fits. Steps inside a parallel share a wave; the join
after them waits for all. Where a step fails, because it is told to or because nobody fits, the
fallbacks that its agents name are tried, one after the other ("4. Operational Directives",
"Recovery rules").

The steps of 1.0 begin as soon as all that they wait for are done (1.0: "6.3 Execution Rules"). What
a step that failed does to the others, its ``on_error`` says (1.0: "6.4 Error Policy Rules"):
``fail_fast``, which we take where nothing is said, ends the message; ``continue`` leaves out only
what waits for it; ``fallback`` tries its ``fallback_step`` once.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct

from cablese.protocols.sacp.v0.steps import Step, walk
from cablese.protocols.sacp.v1.dependencies import find_stands_in, find_waits, is_plan_10

from .library import is_built_in
from .registry import Agents, find_for_step, get

Proposed = Mapping[str, tuple[str, ...]]


class Event(Struct, frozen=True):
    """One change of state: of a step, or, when ``step`` is empty, of the message."""

    wave: int
    step: str
    state: str
    agent: str = ""
    note: str = ""


class DryRun(Struct, frozen=True):
    """How the message ends, everything that would happen on the way, and the steps that are never
    begun.
    """

    state: str
    events: tuple[Event, ...]
    not_begun: tuple[str, ...] = ()

    @property
    def history(self) -> tuple[str, ...]:
        """The states of the message, in their order."""
        return tuple(event.state for event in self.events if not event.step)


def is_test(values: dict[str, Any]) -> bool:
    """Whether a message asks for a dry run, at the top or in its context."""
    return bool(values.get("test_mode", values.get("ctx", {}).get("test_mode", False)))


def rehearse(
    values: dict[str, Any],
    agents: Agents,
    failing: AbstractSet[str] = frozenset(),
    *,
    proposed: Proposed | None = None,
) -> DryRun:
    """Walk the plan of a valid message. ``failing`` holds names of agents that shall fail, to see
    what takes over.

    With ``proposed`` a step is given to these agents only, by its number.
    """
    if is_plan_10(values["steps"]):
        return _Run(values["steps"], agents, failing, proposed).go()
    events = [Event(0, "", "PENDING"), Event(0, "", "IN_PROGRESS")]
    waves = list(_waves(values["steps"]))
    for number, wave in enumerate(waves, 1):
        results = [list(_attempt(number, step, agents, failing, proposed)) for step in wave]
        events += [
            Event(number, step.number, "IN_PROGRESS", result[0].agent)
            for step, result in zip(wave, results, strict=True)
        ]
        events += [event for result in results for event in result]
        if any(result[-1].state == "FAILED" for result in results):
            left = tuple(step.number for later in waves[number:] for step in later)
            return DryRun("FAILED", (*events, Event(number, "", "FAILED")), left)
    return DryRun("DONE", (*events, Event(len(waves), "", "DONE")))


class _Run:
    """A dry run of a plan of 1.0, wave by wave."""

    def __init__(
        self, plan: list[Any], agents: Agents, failing: AbstractSet[str], proposed: Proposed | None
    ) -> None:
        self.plan = plan
        self.steps = list(walk(plan))
        self.waits = find_waits(plan)
        self.stands_in = find_stands_in(plan)
        self.agents = agents
        self.failing = failing
        self.proposed = proposed
        self.events = [Event(0, "", state) for state in ("PENDING", "ACCEPTED", "IN_PROGRESS")]
        self.done: set[int] = set()
        self.tried: set[int] = set()

    def go(self) -> DryRun:
        wave = 0
        while begun := self._next():
            wave += 1
            if not self._carry_out(begun, wave):
                return self._end("FAILED", wave)
        return self._end("DONE", wave)

    def _next(self) -> list[int]:
        """The steps that may begin now. A fallback does not begin by itself."""
        waiting = (
            index
            for index in range(len(self.plan))
            if index not in self.tried and index not in self.stands_in
        )
        return [index for index in waiting if self.done.issuperset(self.waits[index])]

    def _carry_out(self, begun: list[int], wave: int) -> bool:
        """Whether the message goes on after this wave."""
        results = [
            list(_attempt(wave, self.steps[index], self.agents, self.failing, self.proposed))
            for index in begun
        ]
        for index, result in zip(begun, results, strict=True):
            self.events.append(
                Event(wave, self.steps[index].number, "IN_PROGRESS", result[0].agent)
            )
        goes_on = True
        for index, result in zip(begun, results, strict=True):
            self.events += result
            self.tried.add(index)
            if result[-1].state == "DONE" or self._fall_back(index, wave):
                self.done.add(index)
            elif self.plan[index].get("on_error") != "continue":
                goes_on = False
        return goes_on

    def _fall_back(self, index: int, wave: int) -> bool:
        """Whether the fallback of a step that failed was there, not used before, and succeeded."""
        step = self.plan[index]
        name = step.get("fallback_step") if step.get("on_error") == "fallback" else None
        other = next((at for at, one in enumerate(self.plan) if one["id"] == name), None)
        if other is None or other in self.tried:
            return False
        self.tried.add(other)
        result = list(_attempt(wave, self.steps[other], self.agents, self.failing, self.proposed))
        note = f"The fallback of step {self.steps[index].number}."
        self.events.append(
            Event(wave, self.steps[other].number, "IN_PROGRESS", result[0].agent, note)
        )
        self.events += result
        if result[-1].state == "DONE":
            self.done.add(other)
        return result[-1].state == "DONE"

    def _end(self, state: str, wave: int) -> DryRun:
        idle = state == "DONE"
        left = (
            index
            for index in range(len(self.plan))
            if index not in self.tried and not (idle and index in self.stands_in)
        )
        return DryRun(
            state,
            (*self.events, Event(wave, "", state)),
            tuple(self.steps[index].number for index in left),
        )


def _waves(steps: list[Any]) -> Iterator[list[Step]]:
    """Steps that run at the same time: all branches of a parallel, else one."""
    for index, one in enumerate(steps, 1):
        if "parallel" in one:
            yield list(walk(one["parallel"], (index,)))
        else:
            yield [Step((index,), one["verb"], one["tool"], one.get("params", {}))]


def _attempt(
    wave: int, step: Step, agents: Agents, failing: AbstractSet[str], proposed: Proposed | None
) -> Iterator[Event]:
    if is_built_in(step.verb):
        yield Event(wave, step.number, "DONE", note="Built in; no agent needed.")
        return
    fitting = find_for_step(agents, step.verb, step.tool)
    if proposed is not None:
        fitting = tuple(one for one in fitting if one.agent_name in proposed.get(step.number, ()))
    if not fitting:
        yield Event(
            wave, step.number, "FAILED", note=("No agent fits. Request one with SPAWN_AGENT.")
        )
        return
    agent, tried, note = fitting[0], {fitting[0].agent_name}, ""
    while agent.agent_name in failing:
        following = get(agents, agent.fallback) if agent.fallback else None
        if following is not None and following not in fitting:
            note, following = f"Its fallback {following.agent_name} cannot execute this step.", None
        yield Event(wave, step.number, "FAILED", agent.agent_name, note or "Set to fail.")
        if following is None or following.agent_name in tried:
            return
        note = f"Replaces {agent.agent_name}."
        tried.add(following.agent_name)
        agent = following
    yield Event(wave, step.number, "DONE", agent.agent_name, note)
