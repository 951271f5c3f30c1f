"""What helpers have used of the processor for the request on this thread, whose sender has a
budget.
"""

import threading


class _Local(threading.local):
    seconds = 0.0


_local = _Local()


def add(seconds: float) -> None:
    _local.seconds += seconds


def take() -> float:
    """Return the seconds since the last call on this thread."""
    seconds, _local.seconds = _local.seconds, 0.0
    return seconds
