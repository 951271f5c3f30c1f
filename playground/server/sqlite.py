"""The SQLite library of this process, chosen once, before Django loads its own.

SQLite before 3.51.3 can corrupt a database in WAL mode: a writer that restarts the write-ahead log
during a checkpoint may lose a committed transaction (https://sqlite.org/wal.html). Many systems
have an older version, so `pysqlite3`, which contains a current one, replaces `sqlite3` if it is
installed.

A process must open databases with only one of the two libraries, because each releases the file
locks of the other when it closes a file. So the settings import this module first.
"""

import sys
from contextlib import suppress
from importlib import import_module

SAFE = (3, 51, 3)
_NAMES = ("sqlite3", "sqlite3.dbapi2")


def alias() -> None:
    """Make `import sqlite3` return `pysqlite3` if it is installed."""
    with suppress(ImportError):
        modules = [import_module(name.replace("sqlite3", "pysqlite3", 1)) for name in _NAMES]
        sys.modules.update(zip(_NAMES, modules, strict=True))


def warning() -> str | None:
    """Return a warning about a SQLite with this fault; None for any other version."""
    import sqlite3

    if sqlite3.sqlite_version_info >= SAFE:
        return None
    return (
        f"SQLite {sqlite3.sqlite_version} can lose committed packets when a checkpoint and a "
        f"writer meet (fixed in {'.'.join(map(str, SAFE))}). Install pysqlite3, or use PostgreSQL."
    )
