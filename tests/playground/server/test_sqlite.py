import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from playground.management.commands.up import Command
from playground.server import sqlite
from tests.installation import ROOT, environment


def ask(source: str, data: Path) -> str:
    environ = environment(data, DJANGO_SETTINGS_MODULE="playground.settings")
    command = [sys.executable, "-c", source]
    return subprocess.run(
        command, cwd=ROOT, env=environ, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_one_library_opens_databases_and_it_has_no_known_fault() -> None:
    pytest.importorskip("pysqlite3")
    import sqlite3

    used = getattr(connection, "Database", None)
    assert connection.vendor != "sqlite" or used is sqlite3.dbapi2
    assert sqlite3.__name__ == "pysqlite3"
    assert sqlite3.sqlite_version_info >= (3, 51, 3)
    assert sqlite.warning() is None


@pytest.mark.parametrize(
    "first",
    [
        "import playground.wsgi",
        "import sqlite3; import playground.wsgi",
        "import django; django.setup()",
    ],
)
def test_every_way_in_takes_the_same_library(tmp_path: Path, first: str) -> None:
    pytest.importorskip("pysqlite3")
    asked = "from django.db import connection; print(connection.Database.__name__)"

    assert ask(f"{first}; {asked}", tmp_path) == "pysqlite3.dbapi2"


def test_without_the_package_the_library_of_python_serves(tmp_path: Path) -> None:
    without = "import sys; sys.modules['pysqlite3'] = None"
    asked = "from django.db import connection; print(connection.Database.__name__)"

    assert ask(f"{without}; import django; django.setup(); {asked}", tmp_path) == "sqlite3.dbapi2"


@pytest.mark.parametrize(
    ("version", "warns"), [((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False)]
)
def test_a_library_with_the_fault_is_reported(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], *, warns: bool
) -> None:
    import sqlite3

    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    monkeypatch.setattr(sqlite3, "sqlite_version", ".".join(map(str, version)))

    said = sqlite.warning()

    assert (said is not None) is warns
    assert said is None or (".".join(map(str, version)) in said and "3.51.3" in said)


def test_a_start_says_that_the_library_has_the_fault(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "SAFE", (99, 0, 0))
        Command()._warn()

    assert "99.0.0" in capsys.readouterr().err


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
def test_the_database_can_search_words() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA compile_options")
        assert ("ENABLE_FTS5",) in cursor.fetchall()
