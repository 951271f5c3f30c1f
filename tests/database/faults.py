"""Faults of the database, and functions that raise them, for tests."""

import sqlite3
from collections.abc import Callable

from django.db import DatabaseError, OperationalError


def database_error(
    code: str, message: str = "words of the driver", kind: type[DatabaseError] = OperationalError
) -> DatabaseError:
    """Return the error that Django raises when SQLite reports a code."""
    cause = sqlite3.OperationalError(message)
    cause.sqlite_errorname = code
    error = kind(message)
    error.__cause__ = cause
    return error


def raising(error: Exception) -> Callable[..., None]:
    """Return a function that raises an error, whatever it is called with."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail
