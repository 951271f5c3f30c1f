"""A small write with a timeout: it shows that the database is writable, outside the log."""

from datetime import UTC, datetime

from django.db import connection, transaction

PATIENCE = 2
"""Seconds to wait for the database."""
_ROW = 1
_WRITE = """\
INSERT INTO playground_heartbeat (id, at) VALUES (%s, %s)
ON CONFLICT (id) DO UPDATE SET at = excluded.at"""


_POOL, _AWAY = 3.0, 0.5
"""Seconds that a request waits for a connection to PostgreSQL, normally and during an outage."""


def expect(*, away: bool) -> None:
    """Shorten the wait for a connection during an outage, to keep threads free."""
    pool = getattr(connection, "pool", None)
    if pool is not None:
        pool.timeout = _AWAY if away else _POOL


def beat() -> None:
    """Write and commit the heartbeat on this thread's connection. Raises errors of the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
        with transaction.atomic():
            if connection.vendor == "postgresql":
                # Only for this transaction: a request gets the connection next.
                cursor.execute(
                    f"SET LOCAL lock_timeout = '{PATIENCE}s'; "
                    f"SET LOCAL statement_timeout = '{PATIENCE}s'"
                )
            cursor.execute(
                _WRITE, (_ROW, connection.ops.adapt_datetimefield_value(datetime.now(UTC)))
            )
