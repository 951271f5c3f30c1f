"""The committer's connection, and when SQLite copies the write-ahead log into the database.

The cache has room for what a commit of many packets changes. In SQLite's usual 2 MB, pages would go
to the write-ahead log and come back within one commit.

SQLite copies at the end of a commit, and the requests of that commit would wait for the copy and
two flushes of the disk. So the committer copies after it has answered them, while the next requests
are decoded.
"""

import sqlite3
from contextlib import suppress

from django.db import Error, connection

STEP = 1.0
"""Seconds after which a wait for the lock is interrupted to see who has waited long enough."""
CACHE = 32 * 1024
"""KiB."""
PAGES = 1_000
"""Pages in the write-ahead log from which on it is copied."""
MOST = 8_000
"""Pages from which on SQLite copies them in a commit, because nothing else did."""
_CAN_ASK = sqlite3.sqlite_version_info >= (3, 51)
"""Whether SQLite can say how many pages there are. An older one copies in its commits."""


def tune() -> None:
    """Open this thread's connection, which waits for the lock of SQLite in short steps."""
    if connection.connection is None and connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {int(STEP * 1000)}")
            cursor.execute(f"PRAGMA cache_size = {-CACHE}")
            if _CAN_ASK:
                cursor.execute(f"PRAGMA wal_autocheckpoint = {MOST}")


def copy() -> None:
    """Copy the write-ahead log into the database if it is long. A fault is left to the next
    commit, which reports it.
    """
    if connection.vendor == "sqlite" and connection.connection is not None and _CAN_ASK:
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(NOOP)")
            _, pages, copied = cursor.fetchone()
            if pages - copied >= PAGES:
                cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
