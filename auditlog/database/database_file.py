"""The file of a SQLite database while it is served. It must stay the one that was there at the
start.

A process that has a file open can go on writing after it was deleted or replaced, and all of that
disappears with it. A new connection would even create an empty file in its place. So a server looks
at the file before each statement and after each commit, which costs about a microsecond, and
refuses to work on another one.

Once SQLite reports damage nothing more is stored: what is acknowledged after that would be lost
with a restored backup.
"""

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from django.db import DatabaseError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from auditlog.database import faults

_Identity = tuple[int, int]
_WAL = "-wal"


class Lost(sqlite3.OperationalError):
    """What SQLite does not notice. It has a name like SQLite's own, by which `faults` knows it."""

    def __init__(self, kind: Literal["missing", "replaced", "damaged"], words: str) -> None:
        super().__init__(words)
        self.sqlite_errorname = f"CABLESE_{kind.upper()}"


class Guard:
    """Watches one file, from when it is made."""

    def __init__(self, path: Path, identity: _Identity | None = None) -> None:
        """Without an ``identity``, the file is the one that is there now."""
        self.path = path
        self.damage: faults.Fault | None = None
        """The damage that SQLite reported last."""
        self._wal = Path(f"{path}{_WAL}")
        self.identity = identity or _identify(path)

    def require(self) -> None:
        """Raises Lost unless the file is the one that was there, and not empty."""
        try:
            now = self.path.stat()
        except OSError:
            raise Lost("missing", f"{self.path} is gone") from None
        if not now.st_size:
            raise Lost("missing", f"{self.path} is empty")
        if self.identity != (now.st_dev, now.st_ino):
            raise Lost("replaced", f"{self.path} is another file than before")

    def require_sound(self) -> None:
        """Raises Lost when the file must not be written."""
        self.require()
        if self.damage is not None:
            raise Lost("damaged", "nothing is stored after damage was reported")

    def require_written(self, database: "Guarded") -> None:
        """Raises Lost when a commit went to a file that will not be read again."""
        self.require()
        now = _identify(self._wal)
        if database.wal is None:
            database.wal = now
        elif now != database.wal:
            raise Lost("missing", f"{self._wal} was deleted or replaced")


class Guarded(sqlite3.Connection):
    """A connection to the guarded file, which it never creates."""

    wal: _Identity | None = None
    """The write-ahead log of the first commit. SQLite deletes that file only when no connection is
    left.
    """

    def __init__(self, **options: Any) -> None:
        assert _guard is not None
        _guard.require()
        super().__init__(
            **(options | {"database": f"file:{quote(str(_guard.path))}?mode=rw", "uri": True})
        )


_guard: Guard | None = None


def watch(database: dict[str, Any], known: str = "") -> None:
    """Guard the file of a SQLite database for this process. `database` is an entry of DATABASES,
    and `known` is what `identify` returned in a process that serves it.
    """
    global _guard
    connection.close()
    device, _, number = known.partition(":")
    _guard = Guard(Path(str(database["NAME"])), (int(device), int(number)) if known else None)
    database["OPTIONS"] = database["OPTIONS"] | {"factory": Guarded}
    connection_created.connect(_begin, dispatch_uid=__name__)


def identify() -> str:
    """Return the identity of the guarded file, for a process that is started; empty without one."""
    identity = _guard.identity if _guard is not None else None
    return "" if identity is None else f"{identity[0]}:{identity[1]}"


def require_sound() -> None:
    """Raises OperationalError when the database must not be written."""
    if _guard is not None:
        _raised(_guard.require_sound)


def require_written() -> None:
    """Raises OperationalError when the commit on this thread's connection went to a file that is
    gone.
    """
    if _guard is not None and isinstance(connection.connection, Guarded):
        _raised(partial(_guard.require_written, connection.connection))


def damage() -> faults.Fault | None:
    """The damage that SQLite has reported to this process."""
    return _guard.damage if _guard is not None else None


def _begin(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """A signal of Django: a connection was opened."""
    if _checked not in connection.execute_wrappers:
        connection.execute_wrappers.append(_checked)


def _checked(
    execute: Callable[..., Any],
    sql: str,
    params: Any,
    many: bool,  # noqa: FBT001  (Django calls it so)
    context: dict[str, Any],
) -> Any:
    if _guard is None:
        return execute(sql, params, many, context)
    _raised(_guard.require)
    try:
        return execute(sql, params, many, context)
    except DatabaseError as error:
        fault = faults.find(error)
        if fault is not None and fault.kind == "damaged":
            _guard.damage = fault
        raise


def _raised(check: Callable[[], None]) -> None:
    """Raise what a check finds as Django's error."""
    try:
        check()
    except Lost as lost:
        raise OperationalError(str(lost)) from lost


def _identify(path: Path) -> _Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
