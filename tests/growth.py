"""How the time of an act grows with its input: wide enough to tell a quadratic act from a linear
one on a busy machine.

Four times the input takes a linear act four times as long and a quadratic one sixteen times.
"""

import time
from collections.abc import Callable

TIMES = 4
MOST = 9.0
"""Between four and sixteen."""
_FLOOR = 0.02
"""Seconds. What takes less is too short to be compared."""


def assert_linear(act: Callable[[int], object], size: int) -> None:
    """`act` makes its input of about `size` and works on it. A quadratic act takes some seconds at
    `TIMES * size`.
    """
    act(min(size, 100))
    small = _seconds(act, size)
    large = _seconds(act, TIMES * size)
    if large > MOST * max(small, _FLOOR):  # perhaps the machine was busy
        small, large = max(small, _seconds(act, size)), min(large, _seconds(act, TIMES * size))
    assert large <= MOST * max(small, _FLOOR), (
        f"{size}: {small:.2f} s, {TIMES * size}: {large:.2f} s"
    )


def _seconds(act: Callable[[int], object], size: int) -> float:
    begun = time.thread_time()
    act(size)
    return time.thread_time() - begun
