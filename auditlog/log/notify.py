"""Tells those who wait that something was committed: a live view need not ask the database over and
over.

It speaks of commits of this process alone. Who waits asks the database again after some time
anyway, since another process or a command may have written too.
"""

from threading import Condition

_changed = Condition()
_commits = 0


def mark() -> None:
    """Something was committed."""
    global _commits
    with _changed:
        _commits += 1
        _changed.notify_all()


def count() -> int:
    """How many commits there were."""
    return _commits


def wait(seen: int, seconds: float) -> int:
    """The number of commits as soon as it is no longer `seen`, or after `seconds`."""
    with _changed:
        _changed.wait_for(lambda: _commits != seen, seconds)
        return _commits
