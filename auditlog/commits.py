"""Group commit: one thread a process turns what many requests want to write into few transactions.

A commit that survives power loss costs a flush of the disk, whether it carries one row or five hundred. So requests
hand their rows to a queue and wait; the thread takes what has gathered there, up to `GROUP` rows, and commits it at
once. While it waits for the disk the next group gathers. An error goes back to each request whose rows it concerns.

Inside a transaction of the caller there is no queue: the rows become part of that transaction and share its fate.
"""

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog import arrivals, faults, pulse

GROUP = 500
"""Rows in one commit, unless a single request brings more."""
CAPACITY = 20_000
"""Rows in the queue and in the commit under way."""
PATIENCE = 30.0
"""Seconds to wait for room in the queue."""
TURN = 0.001
"""Seconds after which a busy thread of this process lets another run. The committer asks for its turn after every
statement, and with Python's 5 ms it would mostly wait while requests are decoded: batches are a quarter faster so."""

Row = TypeVar("Row")
Result = TypeVar("Result")
Handler = Callable[[CursorWrapper, Sequence[Row]], Sequence[Result]]
"""Writes rows inside a transaction and gives one result a row, in order."""
After = Callable[[CursorWrapper, Sequence[Result]], None]
"""Runs in the same transaction once a request's own rows are written. What it raises goes to that request alone."""


class Overloaded(Exception):
    """The queue is full. Nothing of what was handed over is written; the client may try again."""

    retry_after = 1
    """Seconds after which it is worth trying."""


@dataclass(frozen=True, slots=True)
class _Work:
    handler: Handler[Any, Any]
    rows: Sequence[Any]
    after: After[Any] | None = None
    done: Future[Sequence[Any]] = field(default_factory=Future)


class Committer:
    """The queue and its thread, which starts with the first rows and has a database connection of its own."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._queue: SimpleQueue[_Work | None] = SimpleQueue()
        self._room = threading.Condition()
        self._pending = 0
        self._thread: threading.Thread | None = None

    def submit(
        self,
        handler: Handler[Row, Result],
        rows: Sequence[Row],
        *,
        wait: bool = False,
        after: After[Result] | None = None,
    ) -> Future[Sequence[Result]]:
        """Hand rows over; the future holds one result a row once they are committed.

        Raises Overloaded when there is no room, with `wait` only after `PATIENCE` seconds. For the later pieces of a
        request whose first are committed already, waiting is better than refusing.
        """
        work = _Work(handler, rows, after)
        with self._room:
            while self._pending and self._pending + len(rows) > self._capacity:
                if not (wait and self._room.wait(PATIENCE)):
                    raise Overloaded
            self._pending += len(rows)
            if self._thread is None:
                sys.setswitchinterval(TURN)
                self._thread = threading.Thread(target=self._run, name="auditlog-committer", daemon=True)
                self._thread.start()
        self._queue.put(work)
        return work.done

    def stop(self) -> None:
        """Commit what is queued, end the thread and close its connection. Rows submitted later start a new one."""
        with self._room:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(None)
            thread.join()

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            group, last = self._gather(work)
            self._settle(group)
            if last:
                break
        connection.close()

    def _gather(self, work: _Work) -> tuple[list[_Work], bool]:
        group, rows = [work], len(work.rows)
        while rows < GROUP:
            try:
                more = self._queue.get_nowait()
            except Empty:
                break
            if more is None:
                return group, True
            group.append(more)
            rows += len(more.rows)
        return group, False

    def _settle(self, group: list[_Work]) -> None:
        """Commit a group, or each of its works alone when one of them spoils it for the others."""
        try:
            written = False
            with transaction.atomic():
                results = _write(group)
                written = True
        except BaseException as error:  # noqa: BLE001 - it belongs to the requests that wait, whatever it is
            connection.close()
            if len(group) > 1 and not written:
                for work in group:
                    self._settle([work])
                return
            if fault := faults.find(error):
                pulse.fail(fault)
            # A COMMIT that fails may have happened all the same, so it is never tried again.
            for work in group:
                work.done.set_exception(error)
        else:
            pulse.succeed()
            for work, result in zip(group, results, strict=True):
                work.done.set_result(result)
            arrivals.mark()
        with self._room:
            self._pending -= sum(len(work.rows) for work in group)
            self._room.notify_all()


def _write(group: list[_Work]) -> list[Sequence[Any]]:
    """Call each handler once, for all of its rows in the group."""
    by_handler: dict[Handler[Any, Any], list[_Work]] = {}
    for work in group:
        by_handler.setdefault(work.handler, []).append(work)
    results: dict[int, Sequence[Any]] = {}
    with connection.cursor() as cursor:
        for handler, works in by_handler.items():
            written = handler(cursor, [row for work in works for row in work.rows])
            at = 0
            for work in works:
                results[id(work)] = written[at : at + len(work.rows)]
                at += len(work.rows)
        for work in group:
            if work.after is not None:
                work.after(cursor, results[id(work)])
    return [results[id(work)] for work in group]


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
) -> Future[Sequence[Result]]:
    """Hand rows to this process's committer; the future holds one result a row once they are safe on disk.

    The caller can prepare its next rows meanwhile. Raises Overloaded; the future raises what the handler raised.
    """
    if not connection.in_atomic_block:
        return _committer.submit(handler, rows, wait=wait, after=after)
    done: Future[Sequence[Result]] = Future()
    with transaction.atomic(), connection.cursor() as cursor:
        results = handler(cursor, rows)
        if after is not None:
            after(cursor, results)
    done.set_result(results)
    return done


def stop() -> None:
    """End this process's thread: for tests, and for commands that want their connection closed."""
    _committer.stop()
