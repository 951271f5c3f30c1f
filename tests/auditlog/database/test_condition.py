"""Files of SQLite: which one is opened, and for how long a lock or a check is waited for."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from auditlog.database import condition


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%41b", "a b", "ä&mode=memory"])
def test_a_file_is_opened_by_its_name_whatever_it_is(tmp_path: Path, name: str) -> None:
    with closing(sqlite3.connect(tmp_path / name)) as database:
        database.execute("CREATE TABLE here (x)")
    with closing(condition.open_file(tmp_path / name)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("here",)]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_file_is_never_created(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        condition.open_file(tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_a_lock_is_waited_for_as_long_as_was_asked(tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(tmp_path / "a", isolation_level=None)) as holder,
        closing(condition.open_file(tmp_path / "a", timeout=0.01)) as database,
    ):
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            database.execute("CREATE TABLE t (x)")


def test_a_check_ends_with_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(tmp_path / "a")) as database:
        database.execute("CREATE TABLE t (x)")
    monkeypatch.setattr(condition, "_STEPS", 1)

    condition.check_file(tmp_path / "a", seconds=60)
    condition.check_file(tmp_path / "a", seconds=None)
    with pytest.raises(condition.Interrupted):
        condition.check_file(tmp_path / "a", seconds=0)
