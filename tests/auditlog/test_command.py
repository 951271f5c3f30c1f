"""Commands of `manage.py` whose database is missing, empty, or not working: one sentence, and no
new file.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.installation import ROOT, environment

COMMANDS = (
    ("signin",),
    ("people", "list"),
    ("apikey", "list"),
    ("clock",),
    ("log", "list"),
    ("demo",),
)


def manage(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of manage.py on a data directory."""
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=ROOT, env=environment(data), capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_says_that_the_database_is_missing_and_makes_none(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    run = manage(tmp_path, *words)

    assert run.returncode == 1
    assert (
        f"The database {tmp_path / 'cablese.sqlite3'} is missing or empty. Start Cablese"
        in run.stderr
    )
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "cablese.sqlite3").exists()


def test_a_backup_of_an_empty_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "cablese.sqlite3").touch()
    run = manage(tmp_path, "backup", str(tmp_path / "copy"))

    assert run.returncode == 1
    assert "is missing or empty" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_command_says_that_the_database_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "cablese.sqlite3").write_bytes(
        b"not a database, but long enough to be read as one" * 100
    )
    run = manage(tmp_path, "people", "list")

    assert run.returncode == 1
    assert "The database is damaged" in run.stderr
    assert "manage.py restore DIRECTORY" in run.stderr
    assert "Traceback" not in run.stderr
