"""Run the server as a process of `manage.py up`, until a signal comes or the server ends by itself.

A server that ends without being told to has failed, whatever its status.
"""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

_GRACE = 35.0
"""Seconds for the server to stop. It takes 30 at most, in which a batch ends with its receipts."""
_TICK = 0.1


def supervise(
    command: Sequence[str],
    *,
    folder: Path,
    is_ready: Callable[[], bool],
    ready: Callable[[], None],
) -> int | None:
    """Run a command in `folder`. Return None after SIGINT or SIGTERM, or its status if it ends by
    itself. Call `ready` once.
    """
    stopping = Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stopping.set()) for number in signals]
    try:
        return _watch(command, folder, stopping, is_ready, ready)
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


def _watch(
    command: Sequence[str],
    folder: Path,
    stopping: Event,
    is_ready: Callable[[], bool],
    ready: Callable[[], None],
) -> int | None:
    # A session of its own, so that Ctrl-C in a terminal reaches only us. The other end of its input
    # is ours, so it learns of our end even if we are killed.
    process = subprocess.Popen(  # noqa: S603  (our own command)
        command, cwd=folder, start_new_session=True, stdin=subprocess.PIPE
    )
    was_ready = False
    try:
        while not stopping.is_set():
            if (status := process.poll()) is not None:
                return status
            if not was_ready and is_ready():
                was_ready = True
                ready()
            # Not a wait for the event: its lock could be held when a signal sets it.
            time.sleep(_TICK)
        return None
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        process.stdin.close()
