"""Which state a message brings a goal, a task, or an agent to: the one table of transitions.

    REQ/TSK|g=42,t=1             requested     by its act
    INF/OBS|g=42,t=1,s=blocked   blocked       by its status
    INF/OBS|g=42,t=1,s=failed    failed        by its outcome
    QRY/TSK|g=42,t=1             failed        a query leaves a state as it is

An outcome has precedence over a status, and a status over an act. What asks reports neither, unless
every message of the protocol is an instruction (as in ``checks``).
"""

from typing import Final, Literal

from msgspec import Struct

from cablese.codec import Codec
from cablese.meaning import Act

from .checks import ANSWERED_BY, RETRIES, RULES
from .model import Turn

State = Literal[
    "requested", "queried", "proposed", "accepted", "rejected", "informed", "evaluated",
    "confirmed", "answered", "in_progress", "waiting", "blocked", "partial", "done", "failed",
    "cancelled", "asked", "ready", "notified",
]  # fmt: skip
"""``waiting`` (for an answer), ``asked`` (to answer), ``ready`` (nothing is open), and ``notified``
are states of an agent. Its others say what it did last.
"""

BY_ACT: Final[dict[Act, State]] = {
    "request": "requested",
    "command": "requested",
    "query": "queried",
    "propose": "proposed",
    "accept": "accepted",
    "reject": "rejected",
    "inform": "informed",
    "state": "informed",
    "data": "informed",
    "evaluate": "evaluated",
    "confirm": "confirmed",
    "answer": "answered",
    "error": "failed",
}
BY_STATUS: Final[dict[str, State]] = {
    "accepted": "accepted",
    "in_progress": "in_progress",
    "waiting": "waiting",
    "blocked": "blocked",
    "partial": "partial",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
}
"""A pending task has the state of its act."""

_ASIDE: Final[frozenset[Act]] = frozenset(("query", "confirm"))
_TELLS: Final[frozenset[Act]] = _ASIDE | {"inform", "state", "data", "answer"}
_WHILE_OPEN: Final[frozenset[Act]] = _TELLS | {"evaluate"}
_AFTER_DONE: Final[frozenset[Act]] = _TELLS | {"accept"}
_AFTER_FAILURE: Final[frozenset[Act]] = _AFTER_DONE | {"evaluate"}
KEEPS: Final[dict[State, frozenset[Act]]] = {
    "requested": frozenset(("query",)),
    "proposed": frozenset(("query",)),
    "accepted": _ASIDE,
    "rejected": _ASIDE,
    "informed": _ASIDE,
    "confirmed": _ASIDE,
    "answered": _ASIDE,
    "in_progress": _WHILE_OPEN,
    "waiting": _WHILE_OPEN,
    "blocked": _WHILE_OPEN,
    "partial": _WHILE_OPEN,
    "done": _AFTER_DONE,
    "evaluated": _AFTER_DONE,
    "failed": _AFTER_FAILURE,
    "cancelled": _AFTER_FAILURE,
}
"""For each state, the acts that leave it as it is, unless the message has a status or an outcome.

An evaluation judges what was done so far: it ends no task and undoes no failure.
"""


class Effect(Struct, frozen=True, gc=False):
    """What a message does to states. Without a state ``to``, a ``reason`` says why it does nothing.

    ``stated`` is true if a status or an outcome says it, which every state gives way to.
    """

    act: Act
    to: State | None
    stated: bool = False
    asks: bool = False
    instructs: bool = False
    """Whether every message of the protocol is an instruction, so that none asks once more."""
    reason: str = ""

    def change(self, before: State | None) -> State | None:
        """Return the state after ``before``; None if nothing changes."""
        if self.to is None or self.to == before:
            return None
        if self.stated or before is None:
            return self.to
        if self.act in KEEPS.get(before, ()):
            return None
        retried = self.instructs and self.act in RETRIES and before in ("failed", "cancelled")
        return None if retried else self.to


def read(turn: Turn, codec: Codec) -> Effect:
    """Return what a message does to the states of what it is about."""
    act = turn.meaning.act
    if act == "data" and "data" not in codec.acts.values():
        return Effect(act, None, reason="The act is unknown, so no state changes.")
    instructs = RULES["unmatched-request"].code in codec.exempt
    if act in ANSWERED_BY and not instructs:
        return Effect(act, BY_ACT[act], asks=True)
    stated = _stated(turn, codec)
    if stated is not None:
        return Effect(act, stated, stated=True, instructs=instructs)
    if act not in BY_ACT:
        return Effect(act, None, reason=f"A {act} message changes no state.")
    return Effect(act, BY_ACT[act], instructs=instructs)


def _stated(turn: Turn, codec: Codec) -> State | None:
    status = turn.meaning.status or ""
    state = BY_STATUS.get(codec.statuses.get(status, status))
    if turn.outcome == "failed":
        return "cancelled" if state == "cancelled" else "failed"
    if turn.outcome == "done":
        return None if turn.meaning.act == "evaluate" else "done"
    return state
