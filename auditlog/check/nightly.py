"""Self-checks of a running server: every night, and when somebody asks.

A thread of the serving process looks for work. The work is done by a process of its own, which does
not take the time of requests, see `process`.
"""

import logging
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q

from auditlog.check import run
from auditlog.check.table import SelfCheck
from auditlog.database import database_file, faults
from auditlog.models import Log

logger = logging.getLogger(__name__)
POLL = 2.0
"""Seconds between two looks for work."""
AGAIN = 30.0
"""Seconds until a process that ended without an end of its work is started again."""
SILENCE = timedelta(minutes=2)
"""How long a self-check has stored nothing when another server has left it."""
_ROOT = Path(__file__).resolve().parents[2]
_COMMAND = (sys.executable, "-m", "auditlog.check.process")


def find_work(now: datetime) -> list[SelfCheck]:
    """Return the self-checks that were asked for, and those that did not end."""
    left = Q(began__isnull=False, ended__isnull=True)
    silent = Q(touched__lt=now - SILENCE)
    work = SelfCheck.objects.filter(Q(asked__isnull=False) | left & silent)
    return list(work.select_related("log").order_by("pk"))


def ask_nightly(now: datetime, hour: int) -> None:
    """Ask for a self-check of each log that had none since the last hour of the night."""
    night = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    if night > now or now - night > timedelta(hours=1):
        return
    checked = SelfCheck.objects.filter(Q(began__gte=night) | Q(asked__isnull=False))
    for log in Log.objects.exclude(pk__in=checked.values("pk")).filter(end__size__gt=0):
        run.ask(log, full=True)


def work(busy: float, rest: float) -> None:
    """Do all work there is, resting after each time of work."""
    done: set[int] = set()
    while rows := [row for row in find_work(datetime.now(UTC)) if row.pk not in done]:
        for row in rows:
            done.add(row.pk)
            try:
                _check(row, busy, rest)
            except run.Overtaken:
                continue  # Another server has it.
            except DatabaseError as error:
                logger.error("A self-check cannot continue: %s", faults.describe(error))


def _check(row: SelfCheck, busy: float, rest: float) -> None:
    began = time.monotonic()
    for _ in run.Run(row).steps():
        if time.monotonic() - began > busy:
            time.sleep(rest)
            began = time.monotonic()


class Child:
    """The process, and the thread that starts it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._next_start = 0.0
        """On the monotonic clock."""

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="selfcheck", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(POLL)
            if not self._is_running() and time.monotonic() >= self._next_start and _has_work():
                self._begin()

    def _is_running(self) -> bool:
        process = self._process
        if process is None:
            return False
        status = process.poll()
        if status is None:
            return True
        if status:
            logger.error("The process of the self-check ended with status %d.", status)
            self._next_start = time.monotonic() + AGAIN
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
        self._process = None
        return False

    def _begin(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                (*_COMMAND, database_file.identify()), cwd=_ROOT, stdin=subprocess.PIPE
            )
        except OSError as error:
            self._next_start = time.monotonic() + AGAIN
            logger.error("The process for a self-check cannot start: %s", error.strerror)


def _has_work() -> bool:
    try:
        now = datetime.now(UTC)
        if settings.SELFCHECK_HOUR is not None:
            ask_nightly(now, settings.SELFCHECK_HOUR)
        return bool(find_work(now))
    except DatabaseError:
        return False
    finally:
        connection.close()


_child = Child()


def start() -> None:
    """Let this process's logs be checked."""
    _child.start()
