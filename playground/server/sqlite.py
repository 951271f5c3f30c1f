"""The SQLite library of this process, chosen once, before Django loads its own.

SQLite before 3.51.3 can corrupt a database in WAL mode: a writer that starts the log again while a
checkpoint runs may lose a committed transaction (https://sqlite.org/wal.html). Many systems still
ship an older one, so `pysqlite3`, which contains a current SQLite, takes the name `sqlite3` where
it is installed.

Only one of the two libraries may open a database in one process: each drops the file locks of the
other when it closes a file. So the settings import this module, and nothing imports `sqlite3`
before them.
"""

import sys
from contextlib import suppress
from importlib import import_module

SAFE = (3, 51, 3)
_NAMES = ("sqlite3", "sqlite3.dbapi2")


def alias() -> None:
    """Let `import sqlite3` give `pysqlite3` from now on, where it is installed."""
    with suppress(ImportError):
        ours = [import_module(name.replace("sqlite3", "pysqlite3", 1)) for name in _NAMES]
        sys.modules.update(zip(_NAMES, ours, strict=True))


def warning() -> str | None:
    """A sentence about a SQLite with the fault, None for any other."""
    import sqlite3

    if sqlite3.sqlite_version_info >= SAFE:
        return None
    return (
        f"SQLite {sqlite3.sqlite_version} can lose committed packets when a checkpoint and a "
        f"writer meet (fixed in {'.'.join(map(str, SAFE))}). Install pysqlite3, or use PostgreSQL."
    )
