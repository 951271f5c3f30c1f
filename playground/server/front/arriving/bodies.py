"""Limits of unfinished bodies, and how fast they must arrive.

An unfinished body uses a little memory and a file, but no thread. Their number is limited: for all
clients, for those without a key or a session, and for each one. Over the limit, the oldest body of
the client that has most is given up for a new one.
"""

import time
from dataclasses import dataclass, field

from playground.server.front.arriving.spool import Spool
from playground.server.front.callers import Caller
from playground.server.front.refusals import Refusal, Refused

GRACE = 10.0
"""Seconds before the minimum rate applies to a body."""
SPOOLED = 2 * 1024**3
"""Bytes in the files of all bodies."""
RETRY = 5
_MINE = "You have too many unfinished requests. Finish some of them, then try again."
_ALL = "Too many requests are arriving at once. Try again."
_DISK = "The server cannot receive another large request now. Try again later."


@dataclass(eq=False)
class Body:
    """A body that is arriving."""

    caller: Caller
    spool: Spool
    limit: int
    began: float = field(default_factory=time.monotonic)
    late: Refusal | None = None
    """The reason for giving it up."""
    cut: bool = False
    """Whether the connection ended before the body."""
    filed: int = 0
    """Bytes of the body in a file."""


class Bodies:
    """The bodies that are arriving. Only the event loop uses it."""

    def __init__(self, places: int, *, seconds: int, rate: int) -> None:
        self._places = places
        self._seconds = seconds
        self._rate = rate
        self._open: dict[str, list[Body]] = {}
        self.count = 0
        self._strangers = 0
        self.spooled = 0
        """Bytes in files."""

    def add(self, body: Body) -> Body | None:
        """Take a place, and return the body that is given up for it, if any. Raises Refused."""
        caller = body.caller
        mine = self._open.get(caller.name, [])
        if len(mine) >= self._share(caller):
            raise Refused(Refusal(429, _MINE, RETRY))
        if self.spooled > SPOOLED:
            raise Refused(Refusal(503, _DISK, RETRY))
        given_up = None
        taken, places = self._taken(caller)
        if taken >= places:
            given_up = self._most(caller, len(mine))
            if given_up is None:
                raise Refused(Refusal(503, _ALL, RETRY))
            given_up.late = Refusal(503, _ALL, RETRY)
            self.remove(given_up)
        self._open.setdefault(caller.name, []).append(body)
        self.count += 1
        self._strangers += not caller.member
        return given_up

    def remove(self, body: Body) -> None:
        """Release the place. Do nothing if it was released before."""
        mine = self._open.get(body.caller.name, [])
        if body not in mine:
            return
        mine.remove(body)
        if not mine:
            del self._open[body.caller.name]
        self.count -= 1
        self._strangers -= not body.caller.member

    def is_late(self, body: Body, now: float) -> Refusal | None:
        """Return the refusal of a body that arrives too slowly or takes too long."""
        taken = now - body.began
        if taken > self._seconds:
            return Refusal(408, f"The body did not arrive within {self._seconds} s.")
        if taken > GRACE and body.spool.size < (taken - GRACE) * self._rate:
            return Refusal(
                408,
                f"The body arrived too slowly. Send at least {self._rate:,} bytes a second.",
            )
        return None

    def keys(self) -> list[str]:
        """Return the IDs of the keys whose bodies are arriving."""
        found = {each[0].caller.key_id for each in self._open.values()}
        return [key for key in found if key is not None]

    def of_key(self, key_id: str) -> list[Body]:
        return [*self._open.get(f"key:{key_id}", ())]

    def _share(self, caller: Caller) -> int:
        return max(1, self._places // (4 if caller.member else 8))

    def _taken(self, caller: Caller) -> tuple[int, int]:
        """Return how many of the caller's possible places are taken, and how many there are."""
        if caller.member:
            return self.count, self._places
        return max(self._strangers, self.count - self._places // 2), self._places // 2

    def _most(self, caller: Caller, mine: int) -> Body | None:
        """Return the oldest body of the client that has most, among the caller's competitors."""
        rivals = [
            each for each in self._open.values() if caller.member or not each[0].caller.member
        ]
        most = max(rivals, key=len, default=None)
        return most[0] if most is not None and len(most) > mine + 1 else None
