"""A tiny write to the database, bounded in time: the proof that it can be written. It does not
touch the log.
"""

from datetime import UTC, datetime

from django.db import connection, transaction

PATIENCE = 2
"""Seconds to wait for the database."""
_ROW = 1
_WRITE = """\
INSERT INTO playground_heartbeat (id, at) VALUES (%s, %s) ON CONFLICT (id) DO UPDATE SET at = excluded.at"""


_POOL, _AWAY = 3.0, 0.5
"""Seconds that a request waits for a connection to PostgreSQL, and while it is known to be away."""


def expect(*, away: bool) -> None:
    """Let requests wait for a connection only while there is hope, so that they do not hold all
    threads.
    """
    pool = getattr(connection, "pool", None)
    if pool is not None:
        pool.timeout = _AWAY if away else _POOL


def beat() -> None:
    """Write the heartbeat on this thread's connection and commit it. Raises what the database
    raises.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
        with transaction.atomic():
            if connection.vendor == "postgresql":
                # For this transaction alone: the pool gives the connection to a request next.
                cursor.execute(
                    f"SET LOCAL lock_timeout = '{PATIENCE}s'; SET LOCAL statement_timeout = '{PATIENCE}s'"
                )
            cursor.execute(
                _WRITE, (_ROW, connection.ops.adapt_datetimefield_value(datetime.now(UTC)))
            )
