"""Group commit: one thread per process writes the rows of many requests in few transactions.

A commit that survives power loss costs a flush of the disk, for one row or for five hundred. So
requests put their rows in a queue and wait. The thread takes up to `GROUP` rows and commits them
together, and the next group gathers while it waits for the disk. Each request gets the errors of
its own rows.

Every wait has a limit. While another program holds the database's lock, the thread retries in short
steps, and returns rows that have waited too long: nothing of them is stored. Until the lock is
free, new rows are rejected at once. Only a commit that hangs, or fails without a known cause, has
an unknown outcome, and the sender is told so.

Errands, which may be lost, are written when nothing else waits.

Inside a transaction of the caller, there is no queue: the rows become part of that transaction.
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
from auditlog.database.unavailable import Overloaded, Stuck
from auditlog.log import notify
from auditlog.log.commit import queue, tuning
from auditlog.log.commit.attempt import Failed, commit, hurry
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
"""The limit of rows in the queue and in the current commit."""
PATIENCE = 4.0
"""Seconds that rows wait for a lock that another program holds."""
LONG = 30.0
"""The same for later pieces of a request, which also wait this long for room in the queue."""
LEISURE, AGAIN = 1.0, 5.0
"""Seconds that errands gather before they are written, and until they are retried."""
TURN = 0.001
"""Seconds after which a busy thread lets another one run. The committer needs a turn after every
statement. With Python's default of 5 ms, it would mostly wait for requests that are decoded, and
batches would be a quarter slower.
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
        """When the current attempt began, on the monotonic clock."""
        self._locked: tuple[float, faults.Fault] | None = None
        """Since when, on that clock, another program holds the lock, and the fault."""

    def submit(
        self,
        handler: Handler[Row, Result],
        rows: Sequence[Row],
        *,
        wait: bool = False,
        after: After[Result] | None = None,
    ) -> Pending[Result]:
        """Queue rows. The result is available once they are committed.

        Raises Overloaded if there is no room, and Stuck while the database accepts no writes. With
        `wait`, it waits for both, for later pieces of a request whose first ones are committed.
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
        """Queue an errand. It may be lost. Nothing is raised, and the caller does not wait."""
        if self._errands.add(errand, about, value):
            self._due = time.monotonic() + LEISURE
            with self._room:
                self._start()
            self._queue.put("errands")

    def stop(self) -> None:
        """Commit what is queued, stop the thread, and close its connection. Later rows start a new
        thread.
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
        """Raise Stuck if earlier rows have already waited for long."""
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
        """Commit a group, or each of its works alone if one of them fails."""
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
                tuning.copy()
            self._began = None
            return

    def _wait(self, group: list[Work], backlog: Backlog, fault: faults.Fault) -> list[Work]:
        """Return what to retry while another program holds the lock. Works that waited too long
        go back to their requests.

        Without works, the attempts continue until the lock is free.
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
            time.sleep(_SPIN)  # Some locks fail at once.
        return group or backlog.take()

    def _give(self, group: list[Work], written: list[tuple[Work, Sequence[Any]]]) -> None:
        self._locked = None
        pulse.succeed(committed=bool(written))
        for work, result in written:
            work.done.set_result(result)
        notify.mark()
        self._release(group)

    def _give_back(self, works: list[Work], error: Callable[[], BaseException]) -> None:
        """Give each request its own error, because a traceback belongs to one thread."""
        for work in works:
            if work.claim():
                work.done.set_exception(error())
        self._release(works)

    def _release(self, works: list[Work]) -> None:
        with self._room:
            self._pending -= sum(len(work.rows) for work in works)
            self._room.notify_all()

    def _run_errands(self) -> None:
        """Write the errands, and retry only after a fault of the database."""
        taken = self._errands.take()
        if not taken:
            return
        try:
            tuning.tune()
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
    """Queue rows for this process's committer. There is one result per row once they are on disk.

    The caller can prepare its next rows in the meantime. Raises Overloaded and Stuck.
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
    """Queue an errand for this process's committer, which writes it later. Nothing is raised."""
    if not connection.in_atomic_block:
        _committer.run(errand, about, value)
        return
    with connection.cursor() as cursor:
        errand.write(cursor, {about: value})


def stop() -> None:
    """Stop this process's thread, for tests and for commands that need its connection closed."""
    _committer.stop()
