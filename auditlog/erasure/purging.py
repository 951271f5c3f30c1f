"""Overwrite what was erased in the files of the database.

A deleted row is gone from every query at once. SQLite overwrites it too (``PRAGMA secure_delete``),
but the full-text index drops erased terms only when it merges the parts that have them, and the
write-ahead log has the old pages until it is truncated. PostgreSQL leaves dead rows in its files
until VACUUM, and their bytes until the space is used again: only `rewrite` makes new files.

One thread of a serving process does it after each erasure, and after a start if a kill came first.
"""

import logging
import threading
import time
from datetime import UTC, datetime

from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.database import faults
from auditlog.erasure.tables import Erasure
from auditlog.models import Log
from auditlog.search import merging

logger = logging.getLogger(__name__)
TABLES = (
    "auditlog_packet", "auditlog_seed", "auditlog_finding", "auditlog_conflict",
    "auditlog_review", "auditlog_erasure", "auditlog_idempotentpiece", "auditlog_rollup",
    "auditlog_searchvalue", "auditlog_searchkey", "auditlog_search",
)  # fmt: skip
"""Those that an erasure deletes from, or changes."""
AGAIN = 60.0
"""Seconds until the thread tries again."""


def purge(*, rewrite: bool = False) -> bool:
    """Overwrite what was erased so far. Returns whether the files no longer have it.

    With ``rewrite``, PostgreSQL writes its tables again, and nothing else can be written meanwhile.
    SQLite needs no rewriting: its old pages are overwritten. Not possible in a transaction.
    """
    begun = datetime.now(UTC)
    pending = Erasure.objects.filter(purged=None, at__lte=begun)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            clean = merging.purge(cursor)
        else:
            clean = _vacuum(cursor, rewrite=rewrite)
        if clean:
            pending.update(purged=begun)
    return clean


def is_pending(log: Log | None = None) -> bool:
    """Return whether the files may still have something that was erased from a log, or any."""
    pending = Erasure.objects.filter(purged=None)
    return (pending if log is None else pending.filter(log=log)).exists()


def _vacuum(cursor: CursorWrapper, *, rewrite: bool) -> bool:
    # ANALYZE too: its samples hold values of columns. Their old rows are in a catalog.
    tables = ", ".join((*TABLES, "pg_catalog.pg_statistic"))
    cursor.execute(f"ANALYZE {', '.join(TABLES)}")
    cursor.execute(f"VACUUM {'FULL ' if rewrite else ''}{tables}")
    if rewrite:
        cursor.execute("CHECKPOINT")
    return rewrite


class Purger:
    """Purges in a thread that ends when there is nothing left to do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._wanted = False

    def start(self) -> None:
        """Purge soon, without waiting for it."""
        with self._lock:
            self._wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="purger", daemon=True)
                self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait until nothing is left to do."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        while self._take():
            if not _try_to_purge() and connection.vendor == "sqlite":
                time.sleep(AGAIN)
                self._wanted = True

    def _take(self) -> bool:
        with self._lock:
            wanted, self._wanted = self._wanted, False
            if not wanted:
                self._thread = None
        return wanted


def _try_to_purge() -> bool:
    try:
        return not is_pending() or purge()
    except DatabaseError as error:
        logger.error("Files still contain erased content: %s", faults.describe(error))
        return False
    finally:
        connection.close()


_purger = Purger()


def start_later() -> None:
    """Purge after the current transaction, without waiting for it."""
    transaction.on_commit(_purger.start)


def start() -> None:
    """Purge without waiting for it, if there is something to purge."""
    _purger.start()
