"""The lock of a SQLite database that a process serves: one process at a time.

SQLite has one writer at a time, and a process does not know who waits in another: with two of
them, one request in a hundred waited for most of a second. The lock is on a file next to the
database, so that two data directories with one database are noticed too. It ends with the process,
however that ends. Commands need no lock; they wait for their turn to write.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

SUFFIX = "-serving"


class Taken(Exception):
    """Another process serves the database. The message says what to do."""


def take(database: Path) -> None:
    """Lock a database until this process ends. Raises Taken, and OSError."""
    file = os.open(_file(database), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    _lock(file, database)
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)


def require_free(database: Path) -> None:
    """Raise Taken if another process serves the database."""
    with suppress(FileNotFoundError):
        file = os.open(_file(database), os.O_RDWR | os.O_CLOEXEC)
        try:
            _lock(file, database)
        finally:
            os.close(file)


def _lock(file: int, database: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        process = os.pread(file, 20, 0).decode("ascii", "replace").strip()
        raise Taken(
            f"Another server{f' (process {process})' if process else ''} serves {database}. Stop "
            "it first, or use PostgreSQL, which several servers can share: set DATABASE_URL."
        ) from None


def _file(database: Path) -> Path:
    """Return the file next to the database itself. SQLite follows links, too."""
    database = database.resolve()
    return database.with_name(database.name + SUFFIX)
