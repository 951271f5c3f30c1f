"""A self-check on a terminal: two bars, and what it found."""

import time
from collections.abc import Iterable

from django.core.management.base import OutputWrapper

from auditlog.check.made import again
from auditlog.check.run import BARS, Progress
from auditlog.check.table import SelfCheck
from cablese.amount import count, leaves

_WIDTH = 30
_EVERY = 0.5
"""Seconds between two states of a bar."""


def show(steps: Iterable[Progress], out: OutputWrapper) -> None:
    """Draw the bars while the steps are done; in a file, a line for each bar."""
    shown, bar, last = 0.0, None, None
    for last in steps:
        now = time.monotonic()
        if bar not in (None, last.bar):
            out.write("\n")
        if last.bar != bar or last.done == last.total or now - shown > _EVERY:
            if out.isatty():
                out.write(f"\r{_draw(last)}", ending="")
            elif last.done == last.total:
                out.write(_draw(last), ending="")
            shown = now
        bar = last.bar
    if last is not None:
        out.write("\n")


def _draw(progress: Progress) -> str:
    full = _WIDTH * progress.done // max(1, progress.total)
    bar = "█" * full + "░" * (_WIDTH - full)
    title = BARS[progress.bar]
    return f"{progress.log}: {title:40} {bar} {progress.done:,} of {progress.total:,}"


def summarize(row: SelfCheck) -> str:
    """Return the result in a sentence or two."""
    faults = count(row.faults, "fault") if row.faults else "no faults"
    what = BARS["leaves"] + (f"; {again.name_compared(row.size)}" if row.full else "")
    skipped = (
        f" The terms of {count(row.skipped, 'packet')} are from another version and were not"
        " compared."
        if row.skipped
        else ""
    )
    return f"{row.log.slug}: {faults} in {leaves(row.size)} ({what}).{skipped}"
