"""What a timeline has states of, and the ledger in which they change."""

from collections.abc import Hashable
from typing import Literal

from msgspec import Struct

from .transitions import State

Kind = Literal["goal", "task", "step", "agent"]


class Subject(Struct, frozen=True, gc=False):
    """A goal, a task, a step of a task, or an agent.

    ``part_of`` is the place of a task's goal or of a step's task in ``Timeline.subjects``. With
    ``inferred``, no wire states the name of the agent.
    """

    kind: Kind
    name: str
    words: str = ""
    part_of: int | None = None
    inferred: bool = False


class Change(Struct, frozen=True, gc=False):
    """A new state of a subject. With ``assumed``, the message does not say what it is about."""

    subject: int
    before: State | None
    state: State
    assumed: bool = False


class StateSince(Struct, frozen=True, gc=False):
    """The state of a subject, and the message that brought it."""

    state: State
    since: int
    assumed: bool = False


class Ledger:
    """The states now, and the changes since the last message. Subjects are known by their keys."""

    def __init__(self) -> None:
        self.subjects: list[Subject] = []
        self._places: dict[Hashable, int] = {}
        self._states: list[State | None] = []
        self._changed: dict[int, Change] = {}

    def find(self, key: Hashable) -> int | None:
        """Return the place of a subject."""
        return self._places.get(key)

    def enter(self, key: Hashable, subject: Subject) -> int:
        """Return the place of a subject, which is new if its key is."""
        place = self._places.setdefault(key, len(self.subjects))
        if place == len(self.subjects):
            self.subjects.append(subject)
            self._states.append(None)
        return place

    def state(self, place: int) -> State | None:
        return self._states[place]

    def set(self, place: int, state: State | None, *, assumed: bool = False) -> None:
        """Change a state. None, and the state that it has, change nothing."""
        if state is None or state == self._states[place]:
            return
        earlier = self._changed.get(place)
        before = self._states[place] if earlier is None else earlier.before
        self._changed[place] = Change(place, before, state, assumed)
        self._states[place] = state

    def close(self) -> tuple[Change, ...]:
        """Return the changes of one message, and begin the next."""
        changes = tuple(
            change for _, change in sorted(self._changed.items()) if change.before != change.state
        )
        self._changed = {}
        return changes
