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
    """The states of one task in their order; ``name`` is the id of its first message."""

    name: str
    moves: tuple[Move, ...]

    @property
    def state(self) -> str:
        return self.moves[-1].state


def track(messages: Iterable[Message]) -> tuple[History, ...]:
    """The histories of a transcript. Messages of other protocols, and those without a state or an id, are passed."""
    roots: dict[str, str] = {}
    moves: dict[str, list[Move]] = {}
    for index, message in enumerate(messages):
        own, above = message.values.get("msg_id"), message.values.get("reply_to")
        if message.protocol != "sacp" or not (isinstance(own, str) or isinstance(above, str)):
            continue
        root = roots.get(above, above) if isinstance(above, str) else roots.get(str(own), str(own))
        if isinstance(own, str):
            roots.setdefault(own, root)
        state = message.values.get("state")
        if state not in NEXT:
            continue
        before = moves.setdefault(root, [])
        if not before or before[-1].state != state:
            before.append(Move(state, index, _refuse(before[-1].state, state) if before else None))
    return tuple(History(name, tuple(steps)) for name, steps in moves.items() if steps)


def _refuse(before: str, state: str) -> str | None:
    if state in NEXT[before]:
        return None
    return f"{state} cannot follow {before}" + ("." if NEXT[before] else ": the message had ended.")
