"""What a client may use per minute: processor seconds and bytes.

Each client has an account that refills at a constant rate. A cost is known only afterwards, so a
request may overdraw the account, and the client then waits until it is balanced. Accounts exist in
this process only. Over the limit, the least recently used are dropped. Only the event loop uses
them.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from playground.server.front.callers import Caller
from playground.server.front.refusals import Refusal

WINDOW = 60.0
"""Seconds in which an empty account refills."""
CLIENTS = 10_000
MEMBERS = 8
"""How many times the budget of an address a key or a person has."""


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
        """Return the seconds until the client may continue; 0 for now."""
        over = self._now(client, self._clock()) - self._amount
        return math.ceil(over * WINDOW / self._amount) if over > 0 else 0

    def _now(self, client: str, now: float) -> float:
        used, since = self._used.get(client, (0.0, now))
        return max(0.0, used - (now - since) * self._amount / WINDOW)


class Budgets:
    """Both budgets of every client."""

    def __init__(self, *, seconds: float, size: float) -> None:
        self._seconds = (Budget(seconds), Budget(seconds * MEMBERS))
        self._bytes = (Budget(size), Budget(size * MEMBERS))

    def work(self, caller: Caller, seconds: float) -> None:
        self._seconds[caller.member].spend(caller.name, seconds)

    def receive(self, caller: Caller, size: int) -> None:
        self._bytes[caller.member].spend(caller.name, size)

    def refuse(self, caller: Caller, *, is_page: bool = False) -> Refusal | None:
        """Return the refusal for a client that has used up a budget. Pages are still served."""
        if is_page:
            return None
        worked = self._seconds[caller.member].wait(caller.name)
        sent = self._bytes[caller.member].wait(caller.name)
        wait = max(worked, sent)
        if not wait:
            return None
        used = (
            "You have used all your processing time."
            if worked >= sent
            else "You have sent too much data."
        )
        way_out = "" if caller.member else " Sign in or use a key for more."
        return Refusal(429, f"{used} Try again in {wait} s.{way_out}", wait)
