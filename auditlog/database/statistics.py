"""What PostgreSQL knows of the tables when it plans.

Autovacuum gathers statistics, once a minute. To a plan without them, all indexes that begin with
the log are equal. A session keeps its plans for foreign keys, so a new log that is filled at once
would read a whole index for each packet. So they are gathered as soon as there is something to
count.
"""

from django.db.backends.utils import CursorWrapper

ENOUGH = 1_000
"""Leaves of a log."""
_TABLES = ("auditlog_leaf", "auditlog_packet")
_IS_UNKNOWN = "SELECT reltuples <= 0 FROM pg_class WHERE oid = 'auditlog_packet'::regclass"


def gather(cursor: CursorWrapper) -> None:
    """Gather what is not known yet, in the transaction of `cursor`. Waits for no lock."""
    if cursor.db.vendor == "postgresql":
        cursor.execute(_IS_UNKNOWN)
        if cursor.fetchone()[0]:
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {', '.join(_TABLES)}")
