"""Dry-run a plan against the registry ("5. Extensibility", ``test_mode``): nothing is executed.

Every step goes to the best agent that fits. The branches of a parallel share a wave; the join after
them waits for all. Where a step fails, because it is set to fail or because no agent fits, the
fallbacks of its agents are tried one after the other ("4. Operational Directives", "Recovery
rules").

The steps of 1.0 begin as soon as all steps that they wait for are done (1.0: "6.3 Execution
Rules"). Their ``on_error`` says what a failed step does to the others (1.0: "6.4 Error Policy
Rules"): ``fail_fast``, the default, ends the message; ``continue`` skips only what waits for it;
``fallback`` tries its ``fallback_step`` once. A plan of 0.1 runs as the plan of 1.0 that says the
same, so its waves wait for each other and the first failure ends the message.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from msgspec import Struct

from cablese.protocols.sacp.v0.steps import Step, walk
from cablese.protocols.sacp.v1.dependencies import find_stands_in, find_waits, is_plan_10
from cablese.protocols.sacp.v1.stages import join_10, split_01

from .library import is_built_in
from .registry import Agents, find_for_step, get


class Event(Struct, frozen=True):
    """A change of state of a step, or of the message if ``step`` is empty."""

    wave: int
    step: str
    state: str
    agent: str = ""
    note: str = ""


class DryRun(Struct, frozen=True):
    """The final state of the message, every event on the way, and the steps that never start."""

    state: str
    events: tuple[Event, ...]
    not_begun: tuple[str, ...] = ()

    @property
    def history(self) -> tuple[str, ...]:
        """Return the states of the message, in their order."""
        return tuple(event.state for event in self.events if not event.step)


def rehearse(
    values: dict[str, Any],
    agents: Agents,
    failing: Container[str] = frozenset(),
    *,
    proposed: Mapping[str, tuple[str, ...]] | None = None,
) -> DryRun:
    """Return what the plan of a valid message would do. The agents named in ``failing`` fail, to
    show what takes over.

    With ``proposed``, a step is given only to these agents, by its number.
    """
    run = _Run(values["steps"], agents, failing, proposed)
    wave = 0
    while begun := run.next_steps():
        wave += 1
        if not run.carry_out(begun, wave):
            return run.end("FAILED", wave)
    return run.end("DONE", wave)


class _Run:
    """A dry run, wave by wave."""

    def __init__(
        self,
        plan: list[Any],
        agents: Agents,
        failing: Container[str],
        proposed: Mapping[str, tuple[str, ...]] | None,
    ) -> None:
        self.steps = list(walk(plan))
        is_10 = is_plan_10(plan)
        self.plan = plan if is_10 else join_10(split_01(plan)[0], {})
        self.waits = find_waits(self.plan)
        self.stands_in = find_stands_in(self.plan)
        self.agents = agents
        self.failing = failing
        self.proposed = proposed
        accepted = ("ACCEPTED",) if is_10 else ()
        self.events = [Event(0, "", state) for state in ("PENDING", *accepted, "IN_PROGRESS")]
        self.done: set[int] = set()
        self.tried: set[int] = set()

    def next_steps(self) -> list[int]:
        """Return the steps that may begin now. A fallback does not begin by itself."""
        return [
            index
            for index in range(len(self.plan))
            if index not in self.tried
            and index not in self.stands_in
            and self.done.issuperset(self.waits[index])
        ]

    def carry_out(self, begun: list[int], wave: int) -> bool:
        """Run the steps of a wave, and return whether the message continues after it."""
        results = [list(self._attempt(wave, self.steps[index])) for index in begun]
        self.events += [
            Event(wave, self.steps[index].number, "IN_PROGRESS", result[0].agent)
            for index, result in zip(begun, results, strict=True)
        ]
        self.tried.update(begun)
        continues = True
        for index, result in zip(begun, results, strict=True):
            self.events += result
            if result[-1].state == "DONE" or self._fall_back(index, wave):
                self.done.add(index)
            elif self.plan[index].get("on_error") != "continue":
                continues = False
        return continues

    def _fall_back(self, index: int, wave: int) -> bool:
        """Return whether a failed step has an unused fallback, and that succeeds."""
        step = self.plan[index]
        name = step.get("fallback_step") if step.get("on_error") == "fallback" else None
        other = next((at for at, each in enumerate(self.plan) if each["id"] == name), None)
        if other is None or other in self.tried:
            return False
        self.tried.add(other)
        result = list(self._attempt(wave, self.steps[other]))
        self.events += [
            Event(
                wave,
                self.steps[other].number,
                "IN_PROGRESS",
                result[0].agent,
                f"The fallback of step {self.steps[index].number}.",
            ),
            *result,
        ]
        if result[-1].state == "DONE":
            self.done.add(other)
        return other in self.done

    def end(self, state: str, wave: int) -> DryRun:
        """Return the whole run, which ends in ``state``."""
        return DryRun(
            state,
            (*self.events, Event(wave, "", state)),
            tuple(
                step.number
                for index, step in enumerate(self.steps)
                if index not in self.tried and not (state == "DONE" and index in self.stands_in)
            ),
        )

    def _attempt(self, wave: int, step: Step) -> Iterator[Event]:
        if is_built_in(step.verb):
            yield Event(wave, step.number, "DONE", note="Built in; no agent needed.")
            return
        fitting = find_for_step(self.agents, step.verb, step.tool)
        if self.proposed is not None:
            fitting = tuple(
                agent for agent in fitting if agent.agent_name in self.proposed.get(step.number, ())
            )
        if not fitting:
            yield Event(
                wave,
                step.number,
                "FAILED",
                note="No agent fits. Request one with SPAWN_AGENT.",
            )
            return
        agent, tried, note = fitting[0], {fitting[0].agent_name}, ""
        while agent.agent_name in self.failing:
            following = get(self.agents, agent.fallback) if agent.fallback else None
            if following is not None and following not in fitting:
                note = f"Its fallback {following.agent_name} cannot execute this step."
                following = None
            yield Event(wave, step.number, "FAILED", agent.agent_name, note or "Set to fail.")
            if following is None or following.agent_name in tried:
                return
            note = f"Replaces {agent.agent_name}."
            tried.add(following.agent_name)
            agent = following
        yield Event(wave, step.number, "DONE", agent.agent_name, note)
