"""The states of messages over time ("4. Operational Directives": "Track or update ``state``").

A message and those that answer it in a chain belong to one history. What a history may do next is in `NEXT`: a message
that has ended stays ended.
"""

from collections.abc import Iterable

from msgspec import Struct

from protocols.message import Message

NEXT: dict[str, tuple[str, ...]] = {
    "PENDING": ("IN_PROGRESS", "DONE", "FAILED"),
    "IN_PROGRESS": ("DONE", "FAILED"),
    "DONE": (),
    "FAILED": ("PENDING", "IN_PROGRESS"),
}
"""A failed message may be tried again; one that is done may not."""


class Move(Struct, frozen=True):
    """A state, and the number of the message that reported it, from 0. ``reason`` says what was wrong with it."""

    state: str
    message: int
    reason: str | None = None


class History(Struct, frozen=True):
    """The states of one task in their order; ``name`` is the id of its first message, or else its goal."""

    name: str
    moves: tuple[Move, ...]

    @property
    def state(self) -> str:
        return self.moves[-1].state


def track(messages: Iterable[Message]) -> tuple[History, ...]:
    """The histories of a transcript, as far as states are told in it."""
    messages = tuple(messages)
    moves: dict[str, list[Move]] = {}
    for index, (message, task) in enumerate(zip(messages, sort_tasks(messages), strict=True)):
        state = message.values.get("state")
        if task is None or state not in NEXT:
            continue
        before = moves.setdefault(task, [])
        if not before or before[-1].state != state:
            before.append(Move(state, index, _refuse(before[-1].state, state) if before else None))
    return tuple(History(name, tuple(steps)) for name, steps in moves.items())


def sort_tasks(messages: Iterable[Message]) -> list[str | None]:
    """The task of each message by the name of its history; None for other protocols.

    Messages are tied by their ids. One without any belongs to the latest task of its goal, and a reply to the latest.
    """
    roots: dict[str, str] = {}
    of_goals: dict[str, str] = {}
    latest: str | None = None
    found: list[str | None] = []
    for message in messages:
        if message.protocol != "sacp":
            found.append(None)
            continue
        own, above, goal = (_text(message.values.get(key)) for key in ("msg_id", "reply_to", "g"))
        name = above or own
        if name is not None:
            latest = roots.get(name, name)
        elif goal is not None:
            latest = of_goals.get(goal, goal)
        for key, table in ((own, roots), (goal, of_goals)):
            if key is not None and latest is not None:
                table[key] = latest
        found.append(latest)
    return found


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _refuse(before: str, state: str) -> str | None:
    if state in NEXT[before]:
        return None
    return f"{state} cannot follow {before}" + ("." if NEXT[before] else ": the message had ended.")
