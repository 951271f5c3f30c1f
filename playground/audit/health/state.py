"""What the page of a log's health shows."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from auditlog.check import fault
from auditlog.check.fault import Fault
from auditlog.check.made import again
from auditlog.check.run import BARS
from auditlog.check.table import SelfCheck
from auditlog.erasure import find as erasures
from auditlog.erasure import purging
from auditlog.findings.following import position
from auditlog.models import Checkpoint, Log, LogEnd, TreeSettings, Witness
from auditlog.tree import checkpoints, events, incidents

SHOWN = 50
"""Faults that the page lists."""


class Bar(NamedTuple):
    """How far a part of a self-check is."""

    title: str
    done: int
    total: int


class Checked(NamedTuple):
    """The running or last self-check of a log."""

    row: SelfCheck
    bars: tuple[Bar, ...]
    faults: tuple[Fault, ...]

    @property
    def is_waiting(self) -> bool:
        return self.row.asked is not None

    @property
    def is_running(self) -> bool:
        return self.is_waiting or (self.row.began is not None and self.row.ended is None)

    @property
    def compared(self) -> str:
        """What it compared beside the leaves, if it was a full one."""
        return again.name_compared(self.row.size)

    @property
    def more(self) -> int:
        """Faults that are not listed."""
        return self.row.faults - len(self.faults)


class Signed(NamedTuple):
    """The newest checkpoint of a log, its age in seconds, and the leaves after it."""

    checkpoint: Checkpoint
    seconds: float
    after: int


def read_check(log: Log) -> Checked | None:
    """Return the self-check of a log; None if there never was one."""
    row = SelfCheck.objects.filter(log=log).first()
    if row is None:
        return None
    places = {"leaves": row.leaves, "terms": row.terms}
    parts = BARS if row.full else {"leaves": BARS["leaves"]}
    bars = tuple(Bar(title, places[name], row.size) for name, title in parts.items())
    return Checked(row, bars, tuple(fault.read(row.faults, row.found).named[:SHOWN]))


def read(log: Log) -> dict[str, Any]:
    """Return the context of the page."""
    end = LogEnd.objects.get(log=log)
    left = [one for one in position.read_progress() if one.log == log.slug]
    return {
        "end": end,
        "signed": _read_signed(log, end.size),
        "required": TreeSettings.objects.filter(log=log).values_list("required", flat=True).first(),
        "witnesses": list(Witness.objects.filter(log=log).order_by("pk")),
        "checked": read_check(log),
        "incident": incidents.current(log),
        "incidents": events.read(log.pk, "incident"),
        "erased": erasures.count(log, 0, end.size),
        "unpurged": purging.is_pending(log),
        "behind": sum(one.behind for one in left),
        "again": sum(one.again for one in left),
    }


def _read_signed(log: Log, size: int) -> Signed | None:
    newest = checkpoints.latest(log)
    if newest is None:
        return None
    seconds = (datetime.now(UTC) - newest.signed).total_seconds()
    return Signed(newest, seconds, size - newest.size)
