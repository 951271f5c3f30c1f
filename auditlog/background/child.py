"""A process of low priority, from the side of the serving process, see `background.process`.

It is a process of its own, because its work would hold Python's global lock against requests. It
starts when there is work for it, and starts again if it ends.
"""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.db import DatabaseError, connection

from auditlog.database import database_file

logger = logging.getLogger(__name__)
_ROOT = Path(__file__).resolve().parents[2]


class Child:
    """A process that runs a module. `does` is what it does, such as "checks logs", for errors.

    If it fails or cannot start, it starts again no sooner than `again` seconds after that start.
    """

    def __init__(
        self, module: str, *, does: str, has_work: Callable[[], bool], again: float
    ) -> None:
        self._command = (sys.executable, "-m", module)
        self._does = does
        self._has_work = has_work
        self._again = again
        self._process: subprocess.Popen[bytes] | None = None
        self._next_start = 0.0
        """On the monotonic clock."""

    def attend(self) -> None:
        """Wake the process, or start it if there is work and it does not run."""
        if self._is_running():
            self._wake()
        elif time.monotonic() >= self._next_start and self._is_needed():
            self._begin()

    def _is_running(self) -> bool:
        process = self._process
        if process is None:
            return False
        status = process.poll()
        if status is None:
            return True
        if status:
            logger.error("The process that %s ended with status %d.", self._does, status)
        else:
            self._next_start = 0.0
        assert process.stdin is not None, "it is a pipe"
        with suppress(OSError):
            process.stdin.close()
        self._process = None
        return False

    def _is_needed(self) -> bool:
        try:
            return self._has_work()
        except DatabaseError:
            return False  # It is asked again.
        finally:
            connection.close()

    def _begin(self) -> None:
        self._next_start = time.monotonic() + self._again
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                (*self._command, database_file.identify()), cwd=_ROOT, stdin=subprocess.PIPE
            )
        except OSError as error:
            logger.error("The process that %s cannot start: %s", self._does, error.strerror)
            return
        assert self._process.stdin is not None, "it is a pipe"
        os.set_blocking(self._process.stdin.fileno(), False)

    def _wake(self) -> None:
        assert self._process is not None, "it is running"
        assert self._process.stdin is not None, "it is a pipe"
        # A full pipe wakes it anyway, and a broken one is noticed next time.
        with suppress(OSError):
            os.write(self._process.stdin.fileno(), b".")
