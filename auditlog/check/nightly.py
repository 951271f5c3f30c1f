"""Self-checks of a running server: every night, and when somebody asks.

A thread of the serving process looks for work. The work is done by a process of its own, which does
not take the time of requests, see `process`.
"""

import logging
import threading
import time
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q

from auditlog.background.child import Child
from auditlog.check import run
from auditlog.check.table import SelfCheck
from auditlog.database import faults
from auditlog.models import Log

logger = logging.getLogger(__name__)
POLL = 2.0
"""Seconds between two looks for work."""
AGAIN = 30.0
"""Seconds between two starts of a process that ended without an end of its work."""
SILENCE = timedelta(minutes=2)
"""How long a self-check has stored nothing when another server has left it."""


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


def start() -> None:
    """Let the logs be checked from this process."""
    threading.Thread(target=_run, name="selfcheck", daemon=True).start()


def _run() -> None:
    child = Child("auditlog.check.process", does="checks logs", has_work=_has_work, again=AGAIN)
    while True:
        time.sleep(POLL)
        child.attend()


def _has_work() -> bool:
    now = datetime.now(UTC)
    if settings.SELFCHECK_HOUR is not None:
        ask_nightly(now, settings.SELFCHECK_HOUR)
    return bool(find_work(now))
