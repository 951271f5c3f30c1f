"""A thread of the serving process that wakes the process that makes findings, see `process`."""

import threading
import time

from auditlog.background.child import Child
from auditlog.findings.following import position
from auditlog.log import notify
from auditlog.rollup import recount
from auditlog.search import merging

GATHER = 0.05
"""Seconds in which several commits wake it once."""
POLL = 5.0
"""Seconds after which this looks for work of other processes while no child runs."""
AGAIN = 5.0
"""Seconds between two starts."""


def start() -> None:
    """Let this process's findings be made."""
    threading.Thread(target=_run, name="findings", daemon=True).start()


def _run() -> None:
    child = Child(
        "auditlog.findings.following.process",
        does="makes findings", has_work=_has_work, again=AGAIN,
    )  # fmt: skip
    seen = -1
    while True:
        commits = notify.wait(seen, POLL)
        child.attend()
        seen = commits
        time.sleep(GATHER)


def _has_work() -> bool:
    return position.is_behind() or bool(recount.find_work()) or merging.is_due()
