"""How far a long verification is, on a terminal."""

import sys
import time
from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Takes how many leaves, or packets, are done, of how many."""
_EVERY = 0.5
"""Seconds."""


def show(what: str = "leaves") -> Progress | None:
    """Return a function that shows the progress in leaves or packets; None without a terminal."""
    return _make(what) if sys.stderr.isatty() else None


def _make(what: str) -> Progress:
    shown, is_done = 0.0, False

    def write(done: int, size: int) -> None:
        nonlocal shown, is_done
        if is_done:
            return
        is_done = done == size
        if is_done or time.monotonic() - shown > _EVERY:
            shown = time.monotonic()
            end = "\n" if is_done else ""
            sys.stderr.write(f"\r{done:,} of {size:,} {what}{end}")
            sys.stderr.flush()

    return write
