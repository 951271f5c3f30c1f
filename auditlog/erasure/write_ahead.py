"""The write-ahead log of SQLite, which has old pages until it is truncated."""

import time

from django.db.backends.utils import CursorWrapper

PATIENCE = 10.0
"""Seconds for which readers may keep it from being truncated."""
TURN = 50
"""Milliseconds for which one attempt waits for readers. No process can write meanwhile."""
_REST = 0.2


def truncate(cursor: CursorWrapper) -> bool:
    """Truncate it. Returns False if something else was reading all the time. Not possible in a
    transaction.
    """
    cursor.execute("PRAGMA busy_timeout")
    (usual,) = cursor.fetchone()
    until = time.monotonic() + PATIENCE
    cursor.execute(f"PRAGMA busy_timeout = {TURN}")
    try:
        while True:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, *_ = cursor.fetchone()
            if not busy or time.monotonic() > until:
                return not busy
            time.sleep(_REST)
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {usual}")
