"""Track the states of messages ("4. Operational Directives": "Track or update ``state``").

A message and its chain of answers are one history. `NEXT` says which states may follow: a message
that has ended stays ended. 1.0 has its own table ("5.2 Allowed Transitions"), where nothing follows
a failure.
"""

from collections.abc import Iterable

from msgspec import Struct

from cablese.message import Message
from cablese.protocols.sacp.schema import V10

NEXT: dict[str, tuple[str, ...]] = {
    "PENDING": ("IN_PROGRESS", "DONE", "FAILED"),
    "IN_PROGRESS": ("DONE", "FAILED"),
    "DONE": (),
    "FAILED": ("PENDING", "IN_PROGRESS"),
}
"""A failed message may be tried again; one that is done may not be."""


NEXT_10: dict[str, tuple[str, ...]] = {
    "PENDING": ("ACCEPTED", "FAILED", "CANCELLED"),
    "ACCEPTED": ("IN_PROGRESS", "FAILED", "CANCELLED"),
    "IN_PROGRESS": ("WAITING", "DONE", "FAILED", "CANCELLED"),
    "WAITING": ("IN_PROGRESS", "FAILED", "CANCELLED"),
    "DONE": (),
    "FAILED": (),
    "CANCELLED": (),
}

Groups = Iterable[Iterable[int]]
"""The indexes of the messages of each conversation, if it is known."""


class Move(Struct, frozen=True):
    """A state, and the number of the message that reported it, from 0. ``reason`` says why it is
    invalid.
    """

    state: str
    message: int
    reason: str | None = None


class History(Struct, frozen=True):
    """The states of one task in order. ``name`` is the ID of its first message, or else its
    goal.
    """

    name: str
    moves: tuple[Move, ...]

    @property
    def state(self) -> str:
        return self.moves[-1].state


def track(messages: Iterable[Message], groups: Groups = ()) -> tuple[History, ...]:
    """Return the histories of a transcript, as far as it reports states."""
    messages = tuple(messages)
    moves: dict[str, list[Move]] = {}
    tasks = sort_tasks(messages, groups)
    for index, (message, task) in enumerate(zip(messages, tasks, strict=True)):
        following = NEXT_10 if message.dialect == V10 else NEXT
        state = _text(message.values.get("state"))
        if task is None or state is None or state not in following:
            continue
        before = moves.setdefault(task, [])
        if not before or before[-1].state != state:
            before.append(
                Move(state, index, _refuse(before[-1].state, state, following) if before else None)
            )
    return tuple(History(name, tuple(steps)) for name, steps in moves.items())


def sort_tasks(messages: Iterable[Message], groups: Groups = ()) -> list[str | None]:
    """Return the task of each message by the name of its history; None for other protocols.

    IDs tie messages. Without any, a message belongs to the latest task of its goal, and a reply to
    the latest task, or that of its group.
    """
    places = {index: place for place, group in enumerate(groups) for index in group}
    roots: dict[str, str] = {}
    of_goals: dict[str, str] = {}
    newest: dict[int | None, str] = {}
    tasks: list[str | None] = []
    for index, message in enumerate(messages):
        if message.protocol != "sacp":
            tasks.append(None)
            continue
        own, above, goal = (_text(message.values.get(key)) for key in ("msg_id", "reply_to", "g"))
        name, latest = above or own, newest.get(places.get(index))
        if name is not None:
            latest = roots.get(name, name)
        elif goal is not None:
            latest = of_goals.get(goal, goal)
        if latest is not None:
            newest[places.get(index)] = latest
            for key, table in ((own, roots), (goal, of_goals)):
                if key is not None:
                    table[key] = latest
        tasks.append(latest)
    return tasks


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _refuse(before: str, state: str, following: dict[str, tuple[str, ...]]) -> str | None:
    """Return why ``state`` cannot follow in the version of its message; None if it can. A state of
    1.0 ends none of 0.1.
    """
    allowed = following.get(before)
    if allowed is None or state in allowed:
        return None
    if not allowed:
        return f"{state} cannot follow {before}: the message has ended."
    between = next((middle for middle in allowed if state in following[middle]), None)
    through = f"; expected {between} in between." if between and following is NEXT_10 else "."
    return f"{state} cannot follow {before}{through}"
