"""The thread that makes findings after the commit, as detectors cost more than storing a packet.

It runs in a process of its own, see `process`. A commit wakes it. It gathers for a moment, makes
one piece a log, and lets this process's committer write it. While packets keep coming it rests four
times as long as it works, so that it takes little from those who send, and catches up later. It
continues where it was after any end.
"""

import logging
import threading
import time
from collections import OrderedDict

from django.db import DatabaseError, connection

from auditlog.database import faults
from auditlog.findings.following import position
from auditlog.findings.following.piece import Maker
from auditlog.log import notify
from auditlog.rollup import recount
from auditlog.search import merging

logger = logging.getLogger(__name__)
POLL = 1.0
"""Seconds after which it looks without a notification: another process may have written."""
GATHER = 0.2
"""Seconds between a commit and the work that it wakes."""
REST = 4.0
"""How many times as long as a piece took it rests while packets keep coming."""
AGAIN = 5.0
"""Seconds until it tries again after an error."""
LOGS = 8
"""Logs whose conversations are remembered."""


class Follower:
    """Makes findings until it is stopped, in a thread of its own."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._makers: OrderedDict[int, Maker] = OrderedDict()
        self._is_begun = self._is_failing = self._is_unmerged = False

    def start(self) -> None:
        """Start the thread. Does nothing if it runs."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="findings", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread after its current piece."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            notify.mark()  # It may wait for a commit.
            thread.join()

    def step(self) -> int:
        """Make one piece of each log that has something to do, and count one for the statistics.
        If there is none, merge for a moment. Returns how many it made.

        Raises the first error, after the other logs.
        """
        if not self._is_begun:
            position.begin()
            self._is_begun = True
        made, errors = 0, []
        for log_id in position.find_work():
            try:
                made += self._make(log_id)
            except Exception as error:  # noqa: BLE001 - one log must not stop another
                errors.append(error)
        for log_id in recount.find_work():
            try:
                made += recount.step(log_id)
            except Exception as error:  # noqa: BLE001 - one log must not stop another
                errors.append(error)
        if errors:
            raise errors[0]
        return made or self._merge()

    def _make(self, log_id: int) -> bool:
        with position.held(log_id) as held:
            if held is None:
                return False
            piece = self._maker(log_id).make(held)
            return piece is not None and position.store(piece)

    def _merge(self) -> bool:
        """Merge for a moment if that is due. Searches work without it, so an error is only logged,
        once.
        """
        try:
            merged = merging.step()
        except DatabaseError as error:
            if not self._is_unmerged:
                logger.error("The search index cannot be merged: %s", faults.describe(error))
            self._is_unmerged = True
            return False
        self._is_unmerged = False
        return merged

    def _maker(self, log_id: int) -> Maker:
        maker = self._makers.pop(log_id, None) or Maker(log_id)
        self._makers[log_id] = maker
        while len(self._makers) > LOGS:
            self._makers.popitem(last=False)
        return maker

    def _run(self) -> None:
        while not self._stop.is_set():
            seen, begun = notify.count(), time.monotonic()
            try:
                made = self.step()
                self._is_failing = False
            except Exception as error:  # noqa: BLE001 - packets come in all the same
                self._fail(error)
                made = 0
            finally:
                connection.close()
            self._wait(seen, time.monotonic() - begun, made)

    def _fail(self, error: Exception) -> None:
        if not self._is_failing:
            logger.error("Findings cannot be made now: %s", faults.describe(error))
        self._is_failing = True

    def _wait(self, seen: int, took: float, made: int) -> None:
        if self._is_failing:
            self._stop.wait(AGAIN)
        elif made:
            others = notify.count() - seen > made  # commits, beside its own
            self._stop.wait(took * REST if others else 0.0)
        elif notify.wait(seen, POLL) != seen:
            self._stop.wait(GATHER)
