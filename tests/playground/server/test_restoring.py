"""What a restore learns from the database that it replaces."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from auditlog.database import condition
from playground.server import restoring


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "cablese.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE auditlog_log (id, slug, created)")
        made.execute("INSERT INTO auditlog_log VALUES (1, 'default', '2026-11-22')")
        made.execute("CREATE TABLE auditlog_logend (log_id, size)")
        made.execute("INSERT INTO auditlog_logend VALUES (1, 7)")
        made.commit()
    return path


def test_the_ends_of_its_logs_are_read(database: Path) -> None:
    assert restoring._logs(database) == {"default": (7, "2026-11-22")}


@pytest.mark.parametrize("content", [None, b"", b"no database"])
def test_what_cannot_be_read_has_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "cablese.sqlite3"
    if content is not None:
        path.write_bytes(content)

    assert restoring._logs(path) == {}


def test_another_process_that_has_it_open_is_named(database: Path) -> None:
    with closing(sqlite3.connect(database)) as other:
        other.execute("SELECT 1 FROM auditlog_log").fetchall()

        with pytest.raises(condition.Unfit, match="Another process has"):
            restoring._logs(database)
