"""Database errors in words: what is wrong, for logs and for people.

The text of an error may quote the row that caused it, so it is repeated only for faults of the
database itself (a lock, a full disk, a lost connection). Of every other error only the class and
the code are given.
"""

import errno
from collections.abc import Iterator
from typing import Literal

from django.db import InterfaceError
from msgspec import Struct

Kind = Literal[
    "locked",
    "full",
    "read-only",
    "unreachable",
    "silent",
    "failing",
    "missing",
    "replaced",
    "damaged",
]
_SQLITE: tuple[tuple[str, Kind], ...] = (
    ("SQLITE_BUSY", "locked"),
    ("SQLITE_LOCKED", "locked"),
    ("SQLITE_FULL", "full"),
    ("SQLITE_READONLY", "read-only"),
    ("SQLITE_PERM", "read-only"),
    ("SQLITE_AUTH", "read-only"),
    ("SQLITE_CANTOPEN", "unreachable"),
    ("SQLITE_IOERR", "failing"),
    ("SQLITE_CORRUPT", "damaged"),
    ("SQLITE_NOTADB", "damaged"),
    ("SQLITE_PROTOCOL", "failing"),
    ("SQLITE_NOMEM", "failing"),
    # Ours, see database_file.py.
    ("CABLESE_MISSING", "missing"),
    ("CABLESE_REPLACED", "replaced"),
    ("CABLESE_DAMAGED", "damaged"),
)
_POSTGRESQL: tuple[tuple[str, Kind], ...] = (
    ("55P03", "locked"),
    ("53100", "full"),
    ("25006", "read-only"),
    ("08", "unreachable"),
    ("28", "unreachable"),
    ("3D000", "unreachable"),
    ("53", "unreachable"),
    ("57", "unreachable"),
    ("58", "failing"),
    ("XX", "failing"),
)
_WORDS: dict[Kind, tuple[str, str]] = {
    "locked": (
        "Another program has locked the database, so nothing can be stored.",
        "Wait, or stop the program that holds the lock, such as a backup or a database shell.",
    ),
    "full": (
        "The disk is full, so nothing can be stored.",
        "Free up space on the disk that holds the database.",
    ),
    "read-only": (
        "The database is read-only, so nothing can be stored.",
        "Give the account that runs Cablese write access to the database and its directory.",
    ),
    "unreachable": (
        "The database cannot be reached, so nothing can be read or stored.",
        "Check that the database is running and that its address and permissions are correct.",
    ),
    "silent": (
        "The database does not respond, so nothing can be stored.",
        "Check the disk and the database.",
    ),
    "missing": (
        "The database file is missing, so nothing can be read or stored.",
        "Put the file back. If it is lost, stop Cablese and run: manage.py restore DIRECTORY.",
    ),
    "replaced": (
        "The database file was replaced, so nothing can be read or stored.",
        "Put the original file back, or restart Cablese.",
    ),
    "damaged": (
        "The database is damaged, so nothing can be stored.",
        "Stop Cablese and run: manage.py restore DIRECTORY.",
    ),
    "failing": (
        "The database reports an error, so nothing can be stored.",
        "Check the server log and the disk.",
    ),
}
_LOST = ("OperationalError", "InterfaceError", "PoolTimeout", "PoolClosed")
_LONGEST = 200


class Fault(Struct, frozen=True):
    """A fault of the database itself: its kind, and the error that reported it as `describe` writes
    it.
    """

    kind: Kind
    reason: str

    @property
    def is_undone(self) -> bool:
        """True when a COMMIT that failed this way has certainly stored nothing."""
        return self.kind in ("locked", "full", "read-only")

    @property
    def message(self) -> str:
        """What is wrong, for people: one sentence that quotes nothing."""
        return _WORDS[self.kind][0]

    @property
    def advice(self) -> str:
        """What to do about it."""
        return _WORDS[self.kind][1]


def find(error: BaseException | None) -> Fault | None:
    """The fault that an error reports; None for an error that is about the statement or its
    values.
    """
    kind: Kind | None = next(filter(None, map(_kind, _causes(error))), None)
    return Fault(kind, describe(error)) if kind else None


def describe(error: BaseException | None) -> str:
    """The class of an error, with the code that the database gave and, for a fault of the database,
    its words.
    """
    causes = list(_causes(error))
    if not causes:
        return "unknown"
    code = next(filter(None, map(_code, causes)), "")
    words = str(causes[-1]).partition("\n")[0][:_LONGEST] if any(map(_kind, causes)) else ""
    return " ".join(filter(None, (type(causes[0]).__qualname__, code))) + (
        f": {words}" if words else ""
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it was raised from, as Django wraps what the driver raised."""
    while error is not None:
        yield error
        error = error.__cause__


def _code(error: BaseException) -> str:
    """`SQLITE_BUSY`, `55P03` or `ENOSPC`; empty where there is none."""
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno or 0, "")
    return str(getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or "")


def _kind(error: BaseException) -> Kind | None:
    code = _code(error)
    if code:
        return next(
            (kind for begin, kind in (*_SQLITE, *_POSTGRESQL) if code.startswith(begin)), None
        )
    # psycopg gives no code when it reaches no server.
    is_lost = type(error).__module__.startswith("psycopg") and type(error).__name__ in _LOST
    return "unreachable" if is_lost or isinstance(error, InterfaceError) else None
