"""How many requests of a kind run at a time, and which one is next.

Each client has its own queue, and the clients take turns, so a client with a hundred requests
delays another by one request, not by a hundred. Only the event loop calls this, so there are no
locks.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(eq=False)
class Full(Exception):
    """The queue is full. `mine` tells whether the client itself has too many requests waiting."""

    mine: bool


@dataclass(eq=False, slots=True)
class Turn:
    """A place in a lane: wanted, then held."""

    client: str
    begin: Callable[[], None]
    """Called when the turn has come."""
    since: float = field(default_factory=time.monotonic)
    holding: bool = False


class Lane:
    """Places of one kind of work."""

    def __init__(
        self, places: int, *, each: int | None = None, waiting: int = 512, mine: int = 64
    ) -> None:
        """At most `each` places of one client, `waiting` turns in the queue, and `mine` of one
        client.
        """
        self._places = places
        self._each = each or places
        self._limits = (waiting, mine)
        self.held = 0
        """Places that are taken."""
        self._held_by: dict[str, int] = {}
        self._queues: OrderedDict[str, deque[Turn]] = OrderedDict()
        self.queued = 0
        """Turns in the queue."""

    def enter(self, turn: Turn, *, again: bool = False) -> None:
        """Begin the turn, or queue it. With `again`, it is next among those of its client.

        Raises Full, except for a turn that enters again.
        """
        turn.holding = False
        if self.held < self._places and self._may(turn.client) and turn.client not in self._queues:
            self._begin(turn)
            return
        queue = self._queues.get(turn.client)
        if not again:
            waiting, mine = self._limits
            if queue is not None and len(queue) >= mine:
                raise Full(mine=True)
            if self.queued >= waiting:
                raise Full(mine=False)
        if queue is None:
            queue = self._queues[turn.client] = deque()
        if again:
            queue.appendleft(turn)
        else:
            queue.append(turn)
        self.queued += 1

    def leave(self, turn: Turn) -> None:
        """Release the place, or stop waiting for it."""
        if turn.holding:
            turn.holding = False
            self.held -= 1
            self._held_by[turn.client] -= 1
            if not self._held_by[turn.client]:
                del self._held_by[turn.client]
            if self.queued:
                self._advance()
        elif turn in (queue := self._queues.get(turn.client, deque())):
            queue.remove(turn)
            self.queued -= 1
            if not queue:
                del self._queues[turn.client]

    def _may(self, client: str) -> bool:
        return self._held_by.get(client, 0) < self._each

    def _begin(self, turn: Turn) -> None:
        self.held += 1
        self._held_by[turn.client] = self._held_by.get(turn.client, 0) + 1
        turn.holding = True
        turn.begin()

    def _advance(self) -> None:
        while self.held < self._places:
            client = next((one for one in self._queues if self._may(one)), None)
            if client is None:
                return
            queue = self._queues[client]
            turn = queue.popleft()
            self.queued -= 1
            if queue:
                self._queues.move_to_end(client)
            else:
                del self._queues[client]
            self._begin(turn)
