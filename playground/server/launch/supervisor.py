"""Runs a list of processes as one: the first to end ends them all.

`manage.py up` is this. It serves until it is told to stop (SIGINT, SIGTERM) and then stops what it
started, or until one of them dies by itself, which is a failure however politely it went.
"""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

_GRACE = 35.0
"""Seconds for a program to stop. A server takes 30 at most, in which a batch ends with its
receipts.
"""
_TICK = 0.1


@dataclass(frozen=True)
class Program:
    name: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """A program that ended without being told to."""

    program: Program
    status: int


def supervise(
    programs: Sequence[Program],
    *,
    folder: Path,
    is_ready: Callable[[], bool],
    ready: Callable[[], None],
) -> Ended | None:
    """Runs all programs in `folder` until a signal (None) or until one ends by itself (which one);
    calls `ready` once.

    Each gets a session of its own, so that a terminal's ^C reaches only us and everything stops in
    our order.
    """
    stopping = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    running: list[tuple[Program, subprocess.Popen[bytes]]] = []
    told = False
    try:
        running += ((program, _start(program, folder)) for program in programs)
        while not stopping:
            for program, process in running:
                if (status := process.poll()) is not None:
                    return Ended(program, status)
            if not told and is_ready():
                told = True
                ready()
            time.sleep(_TICK)
        return None
    finally:
        _stop([process for _, process in running])
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(program: Program, folder: Path) -> subprocess.Popen[bytes]:
    # The other end of its input is ours, so it learns of our end even when we are killed.
    return subprocess.Popen(  # noqa: S603  (our own words)
        program.command, cwd=folder, start_new_session=True, stdin=subprocess.PIPE
    )


def _stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + _GRACE
    for process in processes:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdin is not None:
            process.stdin.close()
