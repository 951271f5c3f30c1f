"""Whether this process can commit: what its committer saw last. A change is logged once, and
failures are counted.
"""

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock

from auditlog.database.faults import Fault

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Beat:
    """The last commit, and while commits fail: why, since when, how often, and when last."""

    committed: datetime | None = None
    fault: Fault | None = None
    since: datetime | None = None
    failures: int = 0
    failed: datetime | None = None


class Pulse:
    def __init__(self) -> None:
        self._lock = Lock()
        self._beat = Beat()

    def read(self) -> Beat:
        return self._beat

    def succeed(self, *, committed: bool = True) -> None:
        """Take note of a commit, or that there could be one now."""
        now = datetime.now(UTC)
        with self._lock:
            before = self._beat
            self._beat = Beat(now if committed else before.committed)
        if before.since is not None:
            logger.warning(
                "Packets can be stored again. Failed attempts: %d in %.0f s.",
                before.failures,
                (now - before.since).total_seconds(),
            )

    def fail(self, fault: Fault) -> None:
        """Take note of a fault that kept a commit from happening, or of another attempt that it
        spoiled.
        """
        now = datetime.now(UTC)
        with self._lock:
            before = self._beat
            self._beat = replace(
                before,
                fault=fault,
                since=before.since or now,
                failures=before.failures + 1,
                failed=now,
            )
        if before.fault is None or before.fault.kind != fault.kind:
            logger.error("No packet can be stored (%s): %s", fault.kind, fault.reason)


_pulse = Pulse()
read, succeed, fail = _pulse.read, _pulse.succeed, _pulse.fail
