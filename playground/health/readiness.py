"""Readiness of this process: a writable database, free disk space, and a correct clock.

A thread checks every few seconds and stores the result, and the committer records each commit and
each failure (`auditlog.database.pulse`). `current` combines the two without I/O, so `/readyz` and
the banner on each page answer at once, whatever hangs. A thread that stops reporting is a problem
too.

Each check is a function in `CHECKS` that returns a `Problem` or None. A problem at level "error"
makes the process not ready; a "warning" is only shown.
"""

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from msgspec import Struct, structs

from auditlog.continuity import clock
from auditlog.database import database_file, faults, pulse
from auditlog.findings.following import position
from auditlog.log.leaf import format_time
from auditlog.tree import incidents
from playground.health import heartbeat

logger = logging.getLogger(__name__)

DATABASE = "database"
"""The name of the problem of failed commits, which the committer logs itself."""
EVERY = 5.0
"""Seconds between two checks."""
EVERY_IN_NEED = 1.0
"""Seconds between two checks while there is a problem."""
SILENCE = 20.0
"""Seconds after which a thread that has not finished a check counts as stuck."""
MEMORY = timedelta(seconds=15)
"""How long a failed commit outweighs a heartbeat, which needs less disk space than a packet."""
LITTLE_SPACE = 256 * 1024 * 1024
"""Bytes. Less free space is a warning."""
NO_SPACE = 64 * 1024
"""Bytes. With less free space, an I/O error counts as a full disk."""


Level = Literal["error", "warning"]


class Problem(Struct, frozen=True):
    """A problem in one sentence, and what to do about it."""

    name: str
    level: Level
    message: str
    advice: str
    since: datetime | None = None
    reason: str = ""
    """The error of the database: for the log, not for the response."""


class Readings(Struct, frozen=True):
    """The input of the checks, read once for all of them."""

    fault: faults.Fault | None = None
    free_bytes: int | None = None
    clock_state: clock.State | None = None
    findings_behind: int | None = None
    stopped: Sequence[incidents.Incident] = ()


class State(Struct, frozen=True):
    """The result of `current`. Times are UTC; `checked` is None until the first check ends."""

    problems: tuple[Problem, ...] = ()
    checked: datetime | None = None
    last_commit: datetime | None = None
    free_bytes: int | None = None
    newest_leaf: datetime | None = None
    findings_behind: int | None = None
    """Leaves of all logs that have no findings yet."""

    @property
    def ready(self) -> bool:
        return self.checked is not None and all(
            problem.level != "error" for problem in self.problems
        )


_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING}
Check = Callable[[Readings], Problem | None]


def of_fault(fault: faults.Fault) -> Problem:
    """Return a fault of the database as a problem."""
    return Problem(DATABASE, "error", fault.message, fault.advice, reason=fault.reason)


def check_database(readings: Readings) -> Problem | None:
    return of_fault(readings.fault) if readings.fault else None


def check_damage(_readings: Readings) -> Problem | None:
    """Report damage that a request found and the heartbeat may not touch."""
    damage = database_file.damage()
    return structs.replace(of_fault(damage), name="damage") if damage else None


def check_space(readings: Readings) -> Problem | None:
    if readings.free_bytes is None or readings.free_bytes >= LITTLE_SPACE:
        return None
    return Problem(
        "disk",
        "warning",
        f"The disk of the data directory has only {readings.free_bytes / 1024**2:,.0f} MiB"
        " of free space.",
        "Free up disk space soon.",
    )


def check_clock(readings: Readings) -> Problem | None:
    state = readings.clock_state
    if state is None:
        return None
    if state.behind:
        ahead = clock.long(state.ahead)
        sentence = (
            f'The newest leaf of the log "{state.log}" is {ahead} ahead of this machine\'s clock'
        )
        if not state.refused:
            return Problem(
                "clock",
                "warning",
                f"{sentence}. New packets get the time of that leaf.",
                clock.ADVICE,
            )
        level: Level = "error" if state.stopped else "warning"
        return Problem("clock", level, f"{sentence}, so that log accepts no packets.", clock.ADVICE)
    if state.step is not None:
        jump = clock.long(state.step.shown - state.step.expected)
        sentence = f"This machine's clock was set forward by {jump}."
        return Problem(
            "clock", "warning", sentence, "Check the clock before packets get a wrong receive time."
        )
    return None


def check_tree(readings: Readings) -> Problem | None:
    """Report incidents that stopped signing. Packets are stored all the same."""
    if not readings.stopped:
        return None
    messages = " ".join(one.message for one in readings.stopped)
    return Problem("tree", "warning", messages, f"{incidents.advise(readings.stopped)}.")


CHECKS: list[Check] = [check_database, check_damage, check_space, check_clock, check_tree]
"""Run in this order by each check; none of them may block."""


class Watch:
    """The thread that checks, and its last result. It starts on the first call of `current`."""

    def __init__(
        self,
        *,
        every: float = EVERY,
        in_need: float = EVERY_IN_NEED,
        checks: Sequence[Check] = CHECKS,
    ) -> None:
        self._every, self._in_need, self._checks = every, in_need, checks
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._state = State()
        self._logged: dict[str, Problem] = {}
        self._checked = time.monotonic()
        self.fault_count = 0
        """Checks that found a fault of the database, or its end."""

    def current(self) -> State:
        """Return the current state without I/O."""
        if self._thread is None:
            self._start()
        state, beat, now = self._state, pulse.read(), datetime.now(UTC)
        if state.checked is None:
            return state
        problems = state.problems
        failing = beat.fault if beat.failed is not None and now - beat.failed < MEMORY else None
        if failing is not None and not any(problem.name == DATABASE for problem in problems):
            problems = (structs.replace(of_fault(failing), since=beat.since), *problems)
        silent = time.monotonic() - self._checked
        if silent > SILENCE:
            sentence = f"The database has not answered for {silent:.0f} s."
            since = now - timedelta(seconds=silent)
            problems = (
                Problem("watch", "error", sentence, "Check the disk and the database.", since),
                *problems,
            )
        last = max(filter(None, (beat.committed, state.last_commit)), default=None)
        return structs.replace(state, problems=problems, last_commit=last)

    def stop(self) -> None:
        """Stop the thread and close its connection. The next call of `current` starts another."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            thread.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._stop = threading.Event()
                self._checked = time.monotonic()
                self._thread = threading.Thread(
                    target=self._run, args=(self._stop,), name="readiness", daemon=True
                )
                self._thread.start()

    def _run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            state = check_now(self._checks)
            before, problems = self._state.problems, _since(state.problems, self._state.problems)
            self._state = structs.replace(state, problems=problems)
            self.fault_count += any(problem.name == DATABASE for problem in (*before, *problems))
            self._log(problems)
            self._checked = time.monotonic()
            stop.wait(self._in_need if state.problems else self._every)

    def _log(self, problems: Sequence[Problem]) -> None:
        """Log new and resolved problems, except those that the committer has logged."""
        known = {DATABASE} if pulse.read().fault is not None else set()
        for problem in problems:
            if problem.name not in known and problem.name not in self._logged:
                self._logged[problem.name] = problem
                label = "Not ready" if problem.level == "error" else "Warning"
                reason = f" ({problem.reason})" if problem.reason else ""
                logger.log(
                    _LEVELS[problem.level],
                    "%s: %s %s%s",
                    label,
                    problem.message,
                    problem.advice,
                    reason,
                )
        for name in self._logged.keys() - {problem.name for problem in problems}:
            problem = self._logged.pop(name)
            seconds = (datetime.now(UTC) - (problem.since or datetime.now(UTC))).total_seconds()
            logger.warning("Resolved after %.0f s: %s", seconds, problem.message)


def check_now(checks: Sequence[Check] = CHECKS) -> State:
    """Check once, on this thread; wait for the database for a few seconds at most."""
    readings = _read()
    problems = tuple(filter(None, (check(readings) for check in checks)))
    newest = readings.clock_state.newest if readings.clock_state else None
    return State(
        problems,
        datetime.now(UTC),
        newest,
        readings.free_bytes,
        newest,
        findings_behind=readings.findings_behind,
    )


def report(state: State) -> dict[str, object]:
    """Return the body of `/readyz`. Ages are in seconds; unknown values are null.

    ``clock_ahead`` is negative if this machine's clock is behind the newest leaf.
    """
    now = datetime.now(UTC)
    status = "ready" if state.ready else "not ready"
    return {
        "status": status if state.checked else "starting",
        "checked": _written(state.checked),
        "last_commit": _written(state.last_commit),
        "last_commit_age": _seconds(now - state.last_commit) if state.last_commit else None,
        "free_bytes": state.free_bytes,
        "clock_ahead": _seconds(now - state.newest_leaf) if state.newest_leaf else None,
        "findings_behind": state.findings_behind,
        "problems": [
            {
                "name": problem.name,
                "level": problem.level,
                "message": problem.message,
                "advice": problem.advice,
                "since": format_time(problem.since or now),
            }
            for problem in state.problems
        ],
    }


def _read() -> Readings:
    """Write the heartbeat and read where the logs are, over a new connection; read the free
    space.
    """
    fault, state, behind, stopped = None, None, None, []
    began = datetime.now(UTC)
    try:
        heartbeat.beat()
        state = clock.state()
        behind = sum(progress.behind for progress in position.read_progress())
        stopped = incidents.find_current()
    except DatabaseError as error:
        fault = faults.find(error) or faults.Fault("failing", faults.describe(error))
    except Exception as error:  # noqa: BLE001 - the thread must not end, whatever a driver raises
        fault = faults.Fault("failing", faults.describe(error))
    finally:
        connection.close()
    heartbeat.expect(away=fault is not None and fault.kind == "unreachable")
    committed = pulse.read().committed
    if fault is not None and fault.kind == "locked" and committed is not None and committed > began:
        fault = None  # Our own committer held the lock and has written.
    free = _free_bytes()
    if fault is not None and fault.kind == "failing" and free is not None and free < NO_SPACE:
        # SQLite reports SQLITE_IOERR when its shared memory file cannot grow.
        fault = faults.Fault("full", fault.reason)
    return Readings(fault, free, state, behind, stopped)


def _free_bytes() -> int | None:
    """Return the lower free space of the disks of the data directory and the SQLite database."""
    places = [Path(settings.DATA)]
    if connection.vendor == "sqlite":
        places.append(Path(settings.DATABASES["default"]["NAME"]).parent)
    try:
        return min(shutil.disk_usage(place).free for place in places)
    except OSError:
        return None


def _since(problems: Sequence[Problem], before: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems with the time at which each was first seen."""
    known = {(problem.name, problem.level): problem.since for problem in before}
    now = datetime.now(UTC)
    return tuple(
        structs.replace(problem, since=known.get((problem.name, problem.level)) or now)
        for problem in problems
    )


def _written(moment: datetime | None) -> str | None:
    return format_time(moment) if moment else None


def _seconds(span: timedelta) -> float:
    return round(span.total_seconds(), 1)


_watch = Watch()


def _after_fork() -> None:
    global _watch
    _watch = Watch()


os.register_at_fork(after_in_child=_after_fork)


def current() -> State:
    """Return the current state at once. With `READINESS` off, as in tests, nothing is checked."""
    return _watch.current() if settings.READINESS else State(checked=datetime.now(UTC))


def to_templates(_request: HttpRequest) -> dict[str, Callable[[], tuple[Problem, ...]]]:
    """Context processor: the problems, looked up only if a template shows them."""
    return {"installation_problems": lambda: current().problems}


def count_faults() -> int:
    """Return a counter that changes with each fault of the database."""
    return _watch.fault_count


def stop() -> None:
    """Stop the thread: for tests, and before the process forks."""
    _watch.stop()
