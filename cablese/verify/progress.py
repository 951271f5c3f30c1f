"""How far a long verification is, on a terminal."""

import sys
import time
from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Takes how many leaves, or packets, are done, of how many."""
_EVERY = 0.5
"""Seconds."""


def show() -> Progress | None:
    """Return what shows the progress; None if there is no terminal."""
    return _make() if sys.stderr.isatty() else None


def _make() -> Progress:
    shown = 0.0

    def write(done: int, size: int) -> None:
        nonlocal shown
        if done == size or time.monotonic() - shown > _EVERY:
            shown = time.monotonic()
            end = "\n" if done == size else ""
            sys.stderr.write(f"\r{done:,} of {size:,} leaves{end}")
            sys.stderr.flush()

    return write
