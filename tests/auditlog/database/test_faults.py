"""Database errors in words: which are faults of the database, and what may be repeated of them."""

import errno
import sqlite3
from pathlib import Path

import pytest
from django.db import connection
from django.db.utils import IntegrityError, OperationalError

from auditlog.database import faults
from auditlog.models import Source
from tests.database.faults import database_error


def raised(path: Path, *statements: str) -> OperationalError:
    """What Django raises when the last statement fails on a SQLite file."""
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        for statement in statements:
            database.execute(statement)
    except sqlite3.Error as error:
        wrapped = OperationalError(*error.args)
        wrapped.__cause__ = error
        return wrapped
    finally:
        database.close()
    raise AssertionError("nothing failed")


def test_a_held_lock_is_named(tmp_path: Path) -> None:
    holder = sqlite3.connect(tmp_path / "a", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    fault = faults.find(raised(tmp_path / "a", "CREATE TABLE t (x)"))
    holder.close()
    assert fault == faults.Fault("locked", "OperationalError SQLITE_BUSY: database is locked")


def test_long_words_of_a_database_are_cut() -> None:
    fault = faults.find(database_error("SQLITE_CANTOPEN", "x" * 201 + "\ny"))
    assert fault == faults.Fault("unreachable", f"OperationalError SQLITE_CANTOPEN: {'x' * 200}")


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    full = raised(
        tmp_path / "a", "PRAGMA max_page_count = 2", "CREATE TABLE t (x)", "CREATE TABLE u (x)"
    )
    assert faults.find(full) == faults.Fault(
        "full", "OperationalError SQLITE_FULL: database or disk is full"
    )


def test_a_read_only_database_is_named(tmp_path: Path) -> None:
    fault = faults.find(raised(tmp_path / "a", "PRAGMA query_only = 1", "CREATE TABLE t (x)"))
    assert fault is not None
    assert fault.kind == "read-only"


def test_a_directory_that_is_gone_cannot_be_reached(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as missing:
        sqlite3.connect(tmp_path / "none" / "a")
    fault = faults.find(missing.value)
    assert fault is not None
    assert fault.kind == "unreachable"


def test_a_server_that_is_away_cannot_be_reached() -> None:
    psycopg = pytest.importorskip("psycopg")
    with pytest.raises(psycopg.OperationalError) as away:
        psycopg.connect("postgresql://me@127.0.0.1:1/log", connect_timeout=2)
    fault = faults.find(away.value)
    assert fault is not None
    assert fault.kind == "unreachable"
    assert fault.reason.startswith("OperationalError: connection failed: ")
    assert "\n" not in fault.reason


@pytest.mark.django_db
def test_an_error_about_values_is_no_fault_and_its_words_are_not_repeated() -> None:
    Source.objects.create(name="hunter2")
    with pytest.raises(IntegrityError) as twice:
        Source.objects.create(name="hunter2")
    assert faults.find(twice.value) is None
    # pysqlite3 names the class of a constraint's error, the sqlite3 of Python also its kind.
    codes = {"sqlite": ("SQLITE_CONSTRAINT", "SQLITE_CONSTRAINT_UNIQUE"), "postgresql": ("23505",)}
    assert faults.describe(twice.value) in [
        f"IntegrityError {code}" for code in codes[connection.vendor]
    ]


def test_an_error_of_our_own_is_described_by_its_class() -> None:
    assert faults.describe(ValueError("hunter2")) == "ValueError"


def test_an_error_of_the_disk_has_its_code_and_no_words() -> None:
    assert faults.describe(OSError(errno.ENOSPC, "No space left", "hunter2")) == "OSError ENOSPC"
    assert faults.find(OSError(errno.ENOSPC, "No space left")) is None
