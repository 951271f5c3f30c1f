"""Rows on their way to the committer: what waits, for how long, and who hears what came of it."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Generic, Literal, TypeVar

from django.db.backends.utils import CursorWrapper

from auditlog.database.faults import Fault
from auditlog.database.unavailable import Stuck, Unknown

GROUP = 500
"""Rows in one commit, unless a single request brings more."""
HANGING = 20.0
"""Seconds after which a commit under way counts as hanging."""

Row = TypeVar("Row")
Result = TypeVar("Result")
Handler = Callable[[CursorWrapper, Sequence[Row]], Sequence[Result]]
"""Writes rows inside a transaction and gives one result a row, in order."""
After = Callable[[CursorWrapper, Sequence[Result]], None]
"""Runs in the same transaction once a request's own rows are written. What it raises goes to that
request alone.
"""

Note = Literal["errands", "stop"]
SILENT = Fault("silent", "a commit hangs")


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    handler: Handler[Any, Any]
    rows: Sequence[Any]
    after: After[Any] | None
    until: float
    """When it has waited long enough, on the monotonic clock."""
    done: Future[Sequence[Any]] = field(default_factory=Future)

    def claim(self) -> bool:
        """Begin with it; False when its request has given up."""
        return self.done.running() or self.done.set_running_or_notify_cancel()


class Pending(Generic[Result]):
    """Rows on their way to the disk."""

    def __init__(self, done: Future[Sequence[Result]], until: float = 0.0) -> None:
        self._done = done
        self._until = until

    def result(self) -> Sequence[Result]:
        """One result a row once they are safe on disk. Raises Stuck, Unknown, and what the handler
        raised.
        """
        with suppress(TimeoutError):
            return self._done.result(max(0.0, self._until - time.monotonic()) + HANGING)
        if self._done.cancel():
            raise Stuck(SILENT)
        if not self._done.done():
            raise Unknown(SILENT)
        return self._done.result()


class Backlog:
    """What the thread has taken from the queue. It ends with the note that says stop."""

    def __init__(self, queue: "SimpleQueue[Work | Note]") -> None:
        self._queue = queue
        self.works: deque[Work] = deque()
        self.ended = False

    def pull(self, *, wait: bool, seconds: float | None = None) -> None:
        """Take over what is in the queue; with `wait` at least one thing, unless none comes in so
        many seconds.
        """
        with suppress(Empty):
            while not self.ended:
                found = self._queue.get(wait, seconds)
                wait = False
                if isinstance(found, Work):
                    self.works.append(found)
                self.ended = found == "stop"

    def take(self) -> list[Work]:
        """The works that come next, up to `GROUP` rows."""
        group: list[Work] = []
        rows = 0
        while self.works and rows < GROUP:
            group.append(self.works.popleft())
            rows += len(group[-1].rows)
        return group
