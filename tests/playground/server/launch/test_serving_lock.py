"""One server at a time serves a SQLite database."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from playground.server.launch import serving_lock
from tests.installation import ROOT, Installation, environment, free_port, running
from tests.processes import descendants, family


def run(data: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def up(data: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return run(data, "manage.py", "up", "--port", str(free_port()), **more)


def refusal(installation: Installation) -> str:
    database = re.escape(str(installation.data / "cablese.sqlite3"))
    servers = "|".join(map(str, descendants(installation.process.pid)))
    return (
        rf"Another server \(process ({servers})\) serves {database}\. Stop it first, or use "
        r"PostgreSQL, which several servers can share: set DATABASE_URL\.\n"
    )


def test_a_second_server_is_refused_with_what_to_do(server: Installation) -> None:
    second = up(server.data)

    assert second.returncode == 1
    assert second.stdout == ""
    assert re.fullmatch("CommandError: " + refusal(server), second.stderr)


def test_so_is_one_with_another_data_directory_and_the_same_database(
    server: Installation, tmp_path: Path
) -> None:
    second = up(tmp_path, DATABASE_URL=f"sqlite:///{server.data / 'cablese.sqlite3'}")

    assert second.returncode == 1
    assert re.fullmatch("CommandError: " + refusal(server), second.stderr)
    assert not list(tmp_path.iterdir())


def test_so_is_a_process_that_serves_without_the_command(server: Installation) -> None:
    second = run(server.data, "-W", "ignore", "-c", "import playground.wsgi")

    assert second.returncode == 1
    assert re.fullmatch("cablese: " + refusal(server), second.stderr)


def test_a_command_writes_while_the_database_is_served(server: Installation) -> None:
    assert run(server.data, "manage.py", "log", "create", "beside").returncode == 0


def test_the_lock_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        for process in family(first.process.pid):
            os.kill(process, signal.SIGKILL)
        first.process.wait()
        assert (tmp_path / "cablese.sqlite3-serving").exists()

        with running(tmp_path) as second:
            assert second.first_words.endswith("(stop it with Ctrl-C)\n")


def test_two_servers_that_start_at_once_leave_one(tmp_path: Path) -> None:
    serving_lock.require_free(tmp_path / "log")
    serving_lock.take(tmp_path / "log")

    with pytest.raises(serving_lock.Taken, match=rf"\(process {os.getpid()}\)"):
        serving_lock.take(tmp_path / "log")
    with pytest.raises(serving_lock.Taken):
        serving_lock.require_free(tmp_path / "log")


def test_a_file_that_cannot_be_locked_stops_the_start(server: Installation, tmp_path: Path) -> None:
    for name in ("secret-key", "cablese.sqlite3"):
        if (server.data / name).exists():
            shutil.copy(server.data / name, tmp_path)
    (tmp_path / "cablese.sqlite3-serving").mkdir()

    start = run(tmp_path, "-W", "ignore", "-c", "import playground.wsgi")

    database = tmp_path / "cablese.sqlite3"
    assert start.stderr == f"cablese: {database} cannot be locked: Is a directory.\n"


def test_a_link_to_the_database_has_the_same_lock(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "log")
    serving_lock.take(tmp_path / "link")

    with pytest.raises(serving_lock.Taken):
        serving_lock.require_free(tmp_path / "log")
