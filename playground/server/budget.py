"""What a client may use in a time: processor seconds, or bytes.

Each client has an account that fills up again at a steady pace. What something costs is known only
when it is done, so an account may be overdrawn once; until it is balanced again the client waits.
Accounts are kept in this process alone, and those that were not used for longest are forgotten.
Only the event loop uses them.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

WINDOW = 60.0
"""Seconds in which an empty account fills up."""
CLIENTS = 10_000


class Budget:
    def __init__(self, amount: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._amount = amount
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, client: str, amount: float) -> None:
        now = self._clock()
        used = self._now(client, now) + amount
        self._used[client] = (used, now)
        self._used.move_to_end(client)
        while len(self._used) > CLIENTS:
            self._used.popitem(last=False)

    def wait(self, client: str) -> int:
        """Return the seconds until the client may go on; 0 when it may now."""
        over = self._now(client, self._clock()) - self._amount
        return math.ceil(over * WINDOW / self._amount) if over > 0 else 0

    def _now(self, client: str, now: float) -> float:
        used, since = self._used.get(client, (0.0, now))
        return max(0.0, used - (now - since) * self._amount / WINDOW)
