"""Rate limits for requests without a key, as one token bucket per caller.

A bucket holds `BURST` requests and regains `PACE` per second. Buckets exist in this process only.
Over `CALLERS`, the least recently used are dropped.
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
        """Take a request from the caller's bucket; return 0, or seconds to wait if it is empty.

        All addresses of an IPv6 /64 network share a bucket, because one customer has all of them.
        """
        caller = network_of(caller)
        now = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._buckets.pop(caller, (float(self._burst), now))
            left = min(self._burst, left + (now - since) * self._pace)
            allowed = left >= 1
            self._buckets[caller] = (left - 1 if allowed else left, now)
            while len(self._buckets) > self._callers:
                self._buckets.popitem(last=False)
        return 0 if allowed else math.ceil((1 - left) / self._pace)
