"""The process that makes findings, from the side of the serving process.

It is a process of its own, because detectors would hold Python's global lock against requests. It
starts with the first work for it, and starts again if it ends.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from django.db import DatabaseError, connection

from auditlog.database import database_file
from auditlog.findings.following import position
from auditlog.log import notify
from auditlog.rollup import recount

logger = logging.getLogger(__name__)
GATHER = 0.05
"""Seconds in which several commits wake it once."""
POLL = 5.0
"""Seconds after which this looks for work of other processes while no child runs."""
AGAIN = 5.0
"""Seconds between two starts."""
_ROOT = Path(__file__).resolve().parents[3]
_COMMAND = (sys.executable, "-m", "auditlog.findings.following.process")


class Child:
    """The process, and the thread that wakes it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._next_start = 0.0
        """On the monotonic clock."""

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="findings", daemon=True).start()

    def _run(self) -> None:
        seen = -1
        while True:
            commits = notify.wait(seen, POLL)
            if self._is_running():
                self._wake()
            elif time.monotonic() >= self._next_start and _has_work():
                self._begin()
            seen = commits
            time.sleep(GATHER)

    def _is_running(self) -> bool:
        process = self._process
        if process is None:
            return False
        status = process.poll()
        if status is None:
            return True
        logger.error("The process that makes findings ended with status %d.", status)
        self._close()
        return False

    def _begin(self) -> None:
        self._next_start = time.monotonic() + AGAIN
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                (*_COMMAND, database_file.identify()), cwd=_ROOT, stdin=subprocess.PIPE
            )
        except OSError as error:
            logger.error("Findings cannot be made: no process can start: %s", error.strerror)
            return
        assert self._process.stdin is not None, "it is a pipe"
        os.set_blocking(self._process.stdin.fileno(), False)

    def _wake(self) -> None:
        assert self._process is not None, "it is running"
        assert self._process.stdin is not None, "it is a pipe"
        # A full pipe wakes it anyway, and a broken one is noticed next time.
        with suppress(OSError):
            os.write(self._process.stdin.fileno(), b".")

    def _close(self) -> None:
        assert self._process is not None, "it has ended"
        assert self._process.stdin is not None, "it is a pipe"
        with suppress(OSError):
            self._process.stdin.close()
        self._process = None


def _has_work() -> bool:
    try:
        return position.is_behind() or bool(recount.find_work())
    except DatabaseError:
        return False  # Packets that wait for the database bring the next commit.
    finally:
        connection.close()


_child = Child()


def start() -> None:
    """Let this process's findings be made."""
    _child.start()
