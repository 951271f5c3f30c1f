"""The guarded file of a database: any name will do, and a write-ahead log must stay."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from auditlog.database import database_file
from auditlog.database.database_file import Guard, Guarded, Lost


@pytest.fixture(params=["a?b", "a#b", "a%41b"])
def guard(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Guard:
    """A guard of a database whose name could be misread as a part of a URL."""
    path = tmp_path / request.param
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = wal")
        database.execute("CREATE TABLE here (x)")
    guard = Guard(path)
    monkeypatch.setattr(database_file, "_guard", guard)
    return guard


def test_each_commit_is_written_while_the_write_ahead_log_stays(guard: Guard) -> None:
    with closing(Guarded(isolation_level=None)) as database:
        for number in range(3):
            database.execute("INSERT INTO here VALUES (?)", (number,))
            guard.require_written(database)

        Path(f"{guard.path}-wal").unlink()
        with pytest.raises(Lost, match="deleted or replaced"):
            guard.require_written(database)
