"""Children of a process: what they say before they end, and for how long they may run."""

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

PASSED, FAILED, UNFIT, LATE = 0, 1, 77, -1
"""How a child ends. It is unfit when a mutant changes more than functions."""


def fork(run: Callable[[int], NoReturn], limit: float) -> tuple[int, str]:
    """Run a function in a child, and pass it the number of an open file to write to.

    Return how the child ended and what it wrote. After `limit` seconds it is killed.
    """
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        _be_silent()
        os.setpgid(0, 0)
        os.close(out)
        try:
            run(into)
        except BaseException as error:  # noqa: BLE001  (a child must not become a second server)
            os.write(into, f"{type(error).__name__}: {error}"[:500].encode())
            os._exit(FAILED)
    os.close(into)
    try:
        return _wait(child, out, limit)
    finally:
        os.close(out)


def spent() -> float:
    """Return the seconds of the processor that ended children of this process took."""
    times = os.times()
    return times.children_user + times.children_system


def _be_silent() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


def _wait(child: int, out: int, limit: float) -> tuple[int, str]:
    """Wait for a child to write or to end, and make sure that nothing of it is left."""
    ready, _, _ = select.select([out], [], [], limit)
    said = os.read(out, 4096).decode() if ready else ""
    if not ready:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return (os.waitstatus_to_exitcode(status) if ready else LATE), said
