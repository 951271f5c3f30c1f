"""The states of goals, tasks, and steps.

A goal with one task has its state. With several it has failed if one has, is done when all are, and
otherwise has the state that a task which is not done took last.
"""

from collections import Counter
from typing import Final

from .model import Plan, Turn
from .subjects import Ledger, Subject
from .transitions import Effect, State

STEPS: Final = 20
"""The steps of a task that are followed."""
FAILED: Final = ("failed", "cancelled")
DONE: Final = ("done", "evaluated")


class Tasks:
    """Fold messages into the goals, tasks, and steps of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.latest: int | None = None
        self.by_message: dict[int, int] = {}
        self.steps: dict[int, dict[str, int]] = {}
        self.tallies: dict[int, Counter[State]] = {}

    def take(self, turn: Turn, effect: Effect, answered: int | None, plan: Plan) -> str:
        """Change what a message is about. Return why nothing changed, or an empty text."""
        meaning = turn.known
        goal = self._goal(meaning.goal)
        task = self._find(turn, effect, answered, goal)
        assumed = task is None and goal is None and meaning.reply_to is None
        if assumed:
            task = self.latest
        if task is None:
            return self._change_goal(goal, effect, unknown=meaning.reply_to is not None)
        self.latest = self.by_message[turn.index] = task
        self._take_steps(task, effect, plan)
        before = self.ledger.state(task)
        after = effect.change(before)
        if after is None:
            return "" if effect.to == before else f"The task stays {word(before)}."
        self._set(task, after, assumed=assumed)
        return ""

    def _goal(self, name: str | None) -> int | None:
        return None if name is None else self.ledger.enter(("goal", name), Subject("goal", name))

    def _find(
        self, turn: Turn, effect: Effect, answered: int | None, goal: int | None
    ) -> int | None:
        meaning = turn.known
        if meaning.task is not None:
            key: tuple[object, ...] = ("task", meaning.goal, meaning.task)
            return self.ledger.enter(key, Subject("task", meaning.task, part_of=goal))
        if answered in self.by_message:
            return self.by_message[answered]
        thread = turn.meaning.thread
        if goal is None and thread is not None:
            return self.ledger.enter(("thread", thread), Subject("task", thread))
        if not (effect.asks or effect.instructs):
            return None
        about = " ".join(filter(None, (meaning.topic, meaning.object)))
        if meaning.id is not None:
            return self.ledger.enter(
                ("id", meaning.id), Subject("task", meaning.id, about, part_of=goal)
            )
        if goal is not None or not about:
            return None
        return self.ledger.enter(("about", meaning.topic, meaning.object), Subject("task", about))

    def _change_goal(self, goal: int | None, effect: Effect, *, unknown: bool) -> str:
        if goal is None:
            return (
                "It replies to an unknown message, so no task changes."
                if unknown
                else "It names no goal and no task."
            )
        before = self.ledger.state(goal)
        after = effect.change(before)
        self.ledger.set(goal, after)
        return "" if after or effect.to == before else f"The goal stays {word(before)}."

    def _set(self, task: int, after: State, *, assumed: bool) -> None:
        before = self.ledger.state(task)
        self.ledger.set(task, after, assumed=assumed)
        goal = self.ledger.subjects[task].part_of
        if goal is None:
            return
        tally = self.tallies.setdefault(goal, Counter())
        tally[after] = tally.pop(after, 0) + 1
        if before is not None:
            tally[before] -= 1
        self.ledger.set(goal, _sum_up(tally), assumed=assumed)

    def _take_steps(self, task: int, effect: Effect, plan: Plan) -> None:
        steps = self.steps.setdefault(task, {})
        for name, words in plan.steps[:STEPS]:
            if name in steps or len(steps) < STEPS:
                steps[name] = self.ledger.enter(
                    ("step", task, name), Subject("step", name, words, part_of=task)
                )
        for name, place in steps.items():
            if plan.failed or effect.to in FAILED:
                # Without a name, nothing says which step failed.
                if any(name == each or name.startswith(f"{each}.") for each in plan.failed):
                    self.ledger.set(place, "failed")
            else:
                self.ledger.set(place, effect.change(self.ledger.state(place)))


def _sum_up(tally: Counter[State]) -> State:
    """Return the state of a goal by the states of its tasks, of which the latest is the last."""
    states = [state for state in reversed(tally) if tally[state]]
    if tally.total() == 1:
        return states[0]
    if any(state in FAILED for state in states):
        return "failed"
    return next((state for state in states if state not in DONE), "done")


def word(state: State | None) -> str:
    """Return a state as words: ``in progress``."""
    return (state or "").replace("_", " ")
