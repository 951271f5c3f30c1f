"""The machine's clock, and whether its time is plausible.

A leaf is never earlier than the one before it. So if the clock is behind the newest leaf, new
leaves get that leaf's time. That is harmless for a second, but wrong for years after a clock that
was once in the future. So a log records such a change in its own leaf (see `log_end`), rejects new
leaves if its newest leaf is too far ahead, and uses the machine's time again in a new segment once
a person has confirmed the clock (see `segments`).

A clock that is set forward looks like one that was wrong before, so that is only recorded.
"""

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from auditlog.database.unavailable import Unavailable
from auditlog.models import Log

TOLERANCE = timedelta(seconds=5)
"""Smaller differences are not recorded, because clocks are often corrected by a second."""
LATER = 3_600
"""The limit of seconds after which a client is told to try again."""
ADVICE = 'Correct the clock. If it is correct, run "manage.py clock accept".'
REPORTED = timedelta(hours=1)
"""How long a step forward is reported."""


class Behind(Unavailable):
    """The newest leaf of a log is further ahead of the clock than the limit. Nothing was stored."""

    def __init__(self, log: str, ahead: timedelta) -> None:
        super().__init__(
            f'The newest leaf of the log "{log}" is {long(ahead)} ahead of this machine\'s clock. '
            f"The limit is {long(limit())}.",
            f"None of this was stored. {ADVICE}",
        )
        self.retry_after = max(1, min(LATER, int((ahead - limit()).total_seconds()) + 1))


class Step(NamedTuple):
    """The clock was set forward: the expected time, and the time shown."""

    expected: datetime
    shown: datetime


class State(NamedTuple):
    """The clock against the log whose newest leaf is the latest. None while all logs are empty."""

    log: str | None
    ahead: timedelta
    """How far that leaf is ahead of the clock; normally negative."""
    refused: bool
    """Whether the log therefore accepts no new leaves."""
    stopped: bool
    """Whether no log accepts any."""
    step: Step | None
    """The last step forward, for an hour."""
    newest: datetime | None = None
    """The time of that leaf."""

    @property
    def behind(self) -> bool:
        return self.ahead > TOLERANCE


class Watch:
    """Compares the clock with the boot clock, which cannot be set, on each reading."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._offset: float | None = None
        self.step: Step | None = None

    def read(self) -> datetime:
        now = system()
        offset = now.timestamp() - steady()
        with self._lock:
            before, self._offset = self._offset, offset
            if before is not None and offset - before > limit().total_seconds():
                self.step = Step(now - timedelta(seconds=offset - before), now)
        return now


def system() -> datetime:
    return datetime.now(UTC)


def steady() -> float:
    """Return the seconds of the boot clock. It runs while the machine sleeps, where there
    is one.
    """
    return time.clock_gettime(_STEADY)


_STEADY: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_watch = Watch()


def read() -> datetime:
    """Return the time of the machine's clock."""
    return _watch.read()


def step() -> Step | None:
    """Return the last step forward that this process has seen."""
    return _watch.step


def limit() -> timedelta:
    """Return how far a newest leaf may be ahead of the clock."""
    return timedelta(seconds=settings.CLOCK_LIMIT)


def state() -> State:
    """Compare the clock with the newest leaf of each log. Waits for no writer."""
    now = read()
    seen = step()
    recent = seen if seen is not None and abs(now - seen.shown) < REPORTED else None
    logs = list(Log.objects.values_list("slug", "end__received"))
    newest = {slug: received for slug, received in logs if received is not None}
    if not newest:
        return State(None, timedelta(), refused=False, stopped=False, step=recent)
    slug = max(newest, key=newest.__getitem__)
    ahead = newest[slug] - now
    stopped = len(newest) == len(logs) and min(newest.values()) - now > limit()
    return State(
        slug, ahead, refused=ahead > limit(), stopped=stopped, step=recent, newest=newest[slug]
    )


def long(span: timedelta) -> str:
    """Write a length of time in its largest unit of which there are at least two."""
    seconds = int(span.total_seconds())
    for size, unit in ((31_557_600, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size:,} {unit}"
    return f"{seconds} s"
