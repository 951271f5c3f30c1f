"""What writes to the database, for tests of the committer: rows, and another program."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper


def insert_sources(cursor: CursorWrapper, names: Sequence[str]) -> Sequence[str]:
    """Insert sources with these names, as a handler of the committer."""
    cursor.executemany(
        "INSERT INTO auditlog_source (name, created) VALUES (%s, '2026-01-01')",
        [(name,) for name in names],
    )
    return names


@contextmanager
def another_writer(table: str) -> Iterator[None]:
    """Holds what a writer of the table must have, on a connection of its own, as another program
    would.
    """
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            held.set()
            release.wait(30)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)
    try:
        yield
    finally:
        release.set()
        thread.join()
