"""A dry run ("5. Extensibility", ``test_mode``): the plan is walked against the registry, and nothing is done.

Every step is given to the best agent that fits. Steps inside a parallel share a wave; the join after them waits for
all. Where a step fails, because it is told to or because nobody fits, the fallbacks that its agents name are tried, one
after the other ("4. Operational Directives", "Recovery rules").
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct

from .library import is_built_in
from .registry import Agents, find_for_step, get
from .steps import Step, walk


class Event(Struct, frozen=True):
    """One change of state: of a step, or, when ``step`` is empty, of the message."""

    wave: int
    step: str
    state: str
    agent: str = ""
    note: str = ""


class DryRun(Struct, frozen=True):
    """How the message ends, everything that would happen on the way, and the steps that are never begun."""

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


def rehearse(values: dict[str, Any], agents: Agents, failing: AbstractSet[str] = frozenset()) -> DryRun:
    """Walk the plan of a valid message. ``failing`` holds names of agents that shall fail, to see what takes over."""
    events = [Event(0, "", "PENDING"), Event(0, "", "IN_PROGRESS")]
    waves = list(_waves(values["steps"]))
    for number, wave in enumerate(waves, 1):
        results = [list(_attempt(number, step, agents, failing)) for step in wave]
        events += [
            Event(number, step.number, "IN_PROGRESS", result[0].agent)
            for step, result in zip(wave, results, strict=True)
        ]
        events += [event for result in results for event in result]
        if any(result[-1].state == "FAILED" for result in results):
            left = tuple(step.number for later in waves[number:] for step in later)
            return DryRun("FAILED", (*events, Event(number, "", "FAILED")), left)
    return DryRun("DONE", (*events, Event(len(waves), "", "DONE")))


def _waves(steps: list[Any]) -> Iterator[list[Step]]:
    """Steps that run at the same time: all branches of a parallel, else one."""
    for index, one in enumerate(steps, 1):
        if "parallel" in one:
            yield list(walk(one["parallel"], (index,)))
        else:
            yield [Step((index,), one["verb"], one["tool"], one.get("params", {}))]


def _attempt(wave: int, step: Step, agents: Agents, failing: AbstractSet[str]) -> Iterator[Event]:
    if is_built_in(step.verb):
        yield Event(wave, step.number, "DONE", note="Built in; it needs no agent.")
        return
    fitting = find_for_step(agents, step.verb, step.tool)
    if not fitting:
        yield Event(wave, step.number, "FAILED", note="No agent fits; SPAWN_AGENT can ask for one.")
        return
    agent, tried, note = fitting[0], {fitting[0].agent_name}, ""
    while agent.agent_name in failing:
        following = get(agents, agent.fallback) if agent.fallback else None
        if following is not None and not following.fits(step.verb, step.tool):
            note, following = f"Its fallback {following.agent_name} cannot do this step.", None
        yield Event(wave, step.number, "FAILED", agent.agent_name, note or "Told to fail.")
        if following is None or following.agent_name in tried:
            return
        note = f"Takes over from {agent.agent_name}."
        tried.add(following.agent_name)
        agent = following
    yield Event(wave, step.number, "DONE", agent.agent_name, note)
