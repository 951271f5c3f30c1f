"""Buckets of requests: what anybody may ask without a key, at a pace that leaves room for others.

Each caller has a bucket that holds `BURST` requests and gets `PACE` of them back a second. Buckets
are kept in this process alone, and those of the callers that were not heard for longest are
forgotten first.
"""

import math
import time
from collections import OrderedDict
from threading import Lock

from playground.http.proxy import network_of

BURST = 60
PACE = 1.0
CALLERS = 10_000


class Throttle:
    def __init__(self, *, burst: int = BURST, pace: float = PACE, callers: int = CALLERS) -> None:
        self._burst = burst
        self._pace = pace
        self._callers = callers
        self._lock = Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, caller: str, *, now: float | None = None) -> int:
        """Take one request out of the caller's bucket: 0, or when it is empty the seconds until
        there is one.

        Addresses of one IPv6 network share a bucket: one customer has all of them.
        """
        caller = network_of(caller)
        now = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._buckets.pop(caller, (float(self._burst), now))
            left = min(self._burst, left + (now - since) * self._pace)
            taken = left >= 1
            self._buckets[caller] = (left - 1 if taken else left, now)
            while len(self._buckets) > self._callers:
                self._buckets.popitem(last=False)
        return 0 if taken else math.ceil((1 - left) / self._pace)
