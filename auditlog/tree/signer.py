"""The thread that signs logs while they grow: some seconds after a leaf, or after 1,000 of them.

It signs beside the requests. Only the short write of the checkpoint goes through the committer,
together with the packets of the moment.
"""

import logging
import threading
import time

from django.conf import settings
from django.db import connection
from django.db.models import F, Max

from auditlog.database import faults
from auditlog.models import Log
from auditlog.tree import checkpoints, keys

logger = logging.getLogger(__name__)
MANY = 1_000
"""Leaves after which a log is signed sooner."""
POLL = 1.0
"""Seconds between two looks at the sizes of the logs, and so the least between two checkpoints."""


class Signer:
    """Signs until it is stopped, in a thread of its own."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._signed: dict[int, float] = {}
        """When each log was signed here, on the monotonic clock."""
        self._failing: dict[str, str] = {}
        """What was reported of each log, so that it is not reported again."""

    def start(self) -> None:
        """Start the thread. Does nothing if it runs."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="signer", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread after its current checkpoint."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            thread.join()

    def step(self) -> None:
        """Sign the logs that are due."""
        logs = Log.objects.annotate(size=F("end__size"), signed=Max("checkpoints__size"))
        for log in logs.order_by("pk"):
            if self._is_due(log, log.size - (log.signed or 0)):
                self._signed[log.pk] = time.monotonic()
                self._sign(log)

    def _is_due(self, log: Log, unsigned: int) -> bool:
        if unsigned <= 0:
            return False
        waited = time.monotonic() - self._signed.get(log.pk, 0.0)
        # What failed is not tried sooner than after the usual time.
        is_many = unsigned >= MANY and log.slug not in self._failing
        return is_many or waited >= settings.CHECKPOINT_SECONDS

    def _sign(self, log: Log) -> None:
        try:
            checkpoints.sign(log, wait=False)
            self._failing.pop(log.slug, None)
        except checkpoints.Stopped:
            pass  # it was reported when it was recorded, and is on every page
        except (checkpoints.NotSigned, keys.Unsound) as reason:
            self._report(log, str(reason))
        except OSError as error:
            words = error.strerror or str(error)
            self._report(log, f'The log "{log.slug}" cannot be signed: {words}')
        except Exception as error:  # noqa: BLE001 - one log must not stop another
            connection.close_if_unusable_or_obsolete()
            self._report(log, f'The log "{log.slug}" cannot be signed: {faults.describe(error)}')

    def _report(self, log: Log, words: str) -> None:
        if self._failing.get(log.slug) != words:
            logger.warning("%s", words)
        self._failing[log.slug] = words

    def _run(self) -> None:
        while not self._stop.wait(POLL):
            try:
                self.step()
            except Exception as error:  # noqa: BLE001 - the thread must not end
                logger.debug("Logs cannot be signed: %s", faults.describe(error))
            finally:
                connection.close()


_signer = Signer()


def start() -> None:
    """Let this process sign the logs whose keys are here."""
    _signer.start()
