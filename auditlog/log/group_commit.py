"""Group commit: one thread a process turns what many requests want to write into few transactions.

A commit that survives power loss costs a flush of the disk, whether it carries one row or five
hundred. So requests hand their rows to a queue and wait; the thread takes what has gathered there,
up to `GROUP` rows, and commits it at once. While it waits for the disk the next group gathers. An
error goes back to each request whose rows it concerns.

No wait is endless. While another program holds the database's lock the thread tries again in short
steps, and rows that have waited for long enough are given back: they were not begun, so nothing of
them is stored. From then on new rows are refused at once, until the lock is free. Only a commit
that hangs, or fails without saying how, has an unknown outcome, and the sender is told so.

What may be lost, the errands, is written when nothing else waits.

Inside a transaction of the caller there is no queue: the rows become part of that transaction and
share its fate.
"""

import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

from django.db import connection, transaction

from auditlog.database import faults, pulse
from auditlog.database.errands import Errand, Errands
from auditlog.database.faults import Fault
from auditlog.database.unavailable import Overloaded, Stuck
from auditlog.log import notify
from auditlog.log.commit import queue
from auditlog.log.commit.attempt import Failed, commit, hurry, tune
from auditlog.log.commit.queue import (
    SILENT,
    After,
    Backlog,
    Handler,
    Note,
    Pending,
    Result,
    Row,
    Work,
)

logger = logging.getLogger(__name__)
CAPACITY = 20_000
"""Rows in the queue and in the commit under way."""
PATIENCE = 4.0
"""Seconds that rows wait for a lock that another program holds."""
LONG = 30.0
"""The same for later pieces of a request, and how long these wait for room in the queue."""
LEISURE, AGAIN = 1.0, 5.0
"""Seconds that errands gather before they are written, and until they are tried again."""
TURN = 0.001
"""Seconds after which a busy thread of this process lets another run. The committer asks for its
turn after every statement, and with Python's 5 ms it would mostly wait while requests are decoded:
batches are a quarter faster so.
"""

_SPIN = 0.1


class Committer:
    """The queue and its thread, which starts with the first rows and has a database connection of
    its own.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._queue: SimpleQueue[Work | Note] = SimpleQueue()
        self._room = threading.Condition()
        self._pending = 0
        self._thread: threading.Thread | None = None
        self._errands = Errands()
        self._due = 0.0
        """When errands are written, on the monotonic clock."""
        self._began: float | None = None
        """When the attempt under way began, on the monotonic clock."""
        self._locked: tuple[float, Fault] | None = None
        """Since when, on that clock, the lock has been somebody else's."""

    def submit(
        self,
        handler: Handler[Row, Result],
        rows: Sequence[Row],
        *,
        wait: bool = False,
        after: After[Result] | None = None,
    ) -> Pending[Result]:
        """Hand rows over; the result is there once they are committed.

        Raises Overloaded when there is no room, and Stuck while the database is known to take no
        writes. With `wait` it waits for both: for the later pieces of a request whose first are
        committed already, waiting is better than refusing.
        """
        if not wait:
            self._require_writable()
        work = Work(handler, rows, after, time.monotonic() + (LONG if wait else PATIENCE))
        with self._room:
            while self._pending and self._pending + len(rows) > self._capacity:
                if not (wait and self._room.wait(LONG)):
                    raise Overloaded
            self._pending += len(rows)
            self._start()
        self._queue.put(work)
        return Pending(work.done, work.until)

    def run(self, errand: Errand, about: Any, value: Any) -> None:
        """Hand an errand over. Nothing is raised, and nothing waits; it may be lost."""
        if self._errands.add(errand, about, value):
            self._due = time.monotonic() + LEISURE
            with self._room:
                self._start()
            self._queue.put("errands")

    def stop(self) -> None:
        """Commit what is queued, end the thread and close its connection. Rows submitted later
        start a new one.
        """
        with self._room:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put("stop")
            thread.join()

    def _start(self) -> None:
        if self._thread is None:
            sys.setswitchinterval(TURN)
            self._thread = threading.Thread(
                target=self._run, name="auditlog-committer", daemon=True
            )
            self._thread.start()

    def _require_writable(self) -> None:
        """Raises Stuck when others have waited for long already."""
        locked, began, now = self._locked, self._began, time.monotonic()
        fault = None
        if locked is not None and now - locked[0] > PATIENCE:
            fault = locked[1]
        elif began is not None and now - began > queue.HANGING:
            fault = SILENT
        if fault is not None:
            pulse.fail(fault)
            raise Stuck(fault)

    def _run(self) -> None:
        backlog = Backlog(self._queue)
        while backlog.works or not backlog.ended:
            seconds = max(0.0, self._due - time.monotonic()) if self._errands else None
            backlog.pull(wait=not backlog.works, seconds=seconds)
            if group := backlog.take():
                self._settle(group, backlog)
            if self._errands and time.monotonic() >= self._due:
                self._run_errands()
        self._run_errands()
        connection.close()

    def _settle(self, group: list[Work], backlog: Backlog) -> None:
        """Commit a group, or each of its works alone when one of them spoils it for the others."""
        while True:
            self._began = time.monotonic()
            try:
                written = commit(group)
            except Failed as failed:
                if failed.is_stale:
                    continue
                if failed.is_lock and failed.fault is not None:
                    group = self._wait(group, backlog, failed.fault)
                    if group or not backlog.ended:
                        continue
                elif failed.stage == "write" and failed.fault is None and len(group) > 1:
                    for work in group:
                        self._settle([work], backlog)
                else:
                    self._locked = None
                    if failed.fault is not None:
                        pulse.fail(failed.fault)
                    self._give_back(group, failed.answer)
            else:
                self._give(group, written)
            self._began = None
            return

    def _wait(self, group: list[Work], backlog: Backlog, fault: Fault) -> list[Work]:
        """What to try next, since the lock is somebody else's: what has waited for long enough is
        given back.

        With nothing left to write, the attempts go on until the lock is free.
        """
        now = time.monotonic()
        if self._locked is None:
            self._locked = (self._began or now, fault)
        backlog.pull(wait=False)
        late = [work for work in (*group, *backlog.works) if work.until <= now]
        if late:
            pulse.fail(fault)
            self._give_back(late, lambda: Stuck(fault))
        group = [work for work in group if work.until > now]
        backlog.works = deque(work for work in backlog.works if work.until > now)
        if now - (self._began or now) < _SPIN:
            time.sleep(_SPIN)  # Some locks are refused at once.
        return group or backlog.take()

    def _give(self, group: list[Work], written: list[tuple[Work, Sequence[Any]]]) -> None:
        self._locked = None
        pulse.succeed(committed=bool(written))
        for work, result in written:
            work.done.set_result(result)
        notify.mark()
        self._release(group)

    def _give_back(self, works: list[Work], error: Callable[[], BaseException]) -> None:
        """Let each request raise an error of its own: a traceback belongs to one thread."""
        for work in works:
            if work.claim():
                work.done.set_exception(error())
        self._release(works)

    def _release(self, works: list[Work]) -> None:
        with self._room:
            self._pending -= sum(len(work.rows) for work in works)
            self._room.notify_all()

    def _run_errands(self) -> None:
        """Write the errands. Those that meet a fault of the database are tried again, and no
        others.
        """
        taken = self._errands.take()
        if not taken:
            return
        try:
            tune()
            with transaction.atomic(), connection.cursor() as cursor:
                hurry(cursor)
                for errand, values in taken.items():
                    errand.write(cursor, values)
        except Exception as error:  # noqa: BLE001 - no request waits for an errand
            connection.close()
            if faults.find(error) is not None:
                self._errands.put_back(taken)
                self._due = time.monotonic() + AGAIN
            else:
                logger.error("Errands were lost: %s", faults.describe(error))


_committer = Committer()


def _after_fork() -> None:
    global _committer
    _committer = Committer()


os.register_at_fork(after_in_child=_after_fork)


def submit(
    handler: Handler[Row, Result],
    rows: Sequence[Row],
    *,
    wait: bool = False,
    after: After[Result] | None = None,
) -> Pending[Result]:
    """Hand rows to this process's committer; there is one result a row once they are safe on disk.

    The caller can prepare its next rows meanwhile. Raises Overloaded and Stuck.
    """
    if not connection.in_atomic_block:
        return _committer.submit(handler, rows, wait=wait, after=after)
    done: Future[Sequence[Result]] = Future()
    with transaction.atomic(), connection.cursor() as cursor:
        results = handler(cursor, rows)
        if after is not None:
            after(cursor, results)
    done.set_result(results)
    return Pending(done)


def run(errand: Errand, about: Any, value: Any) -> None:
    """Hand an errand to this process's committer, which writes it when it finds the time. Nothing
    is raised.
    """
    if not connection.in_atomic_block:
        _committer.run(errand, about, value)
        return
    with connection.cursor() as cursor:
        errand.write(cursor, {about: value})


def stop() -> None:
    """End this process's thread: for tests, and for commands that want their connection closed."""
    _committer.stop()
