import re
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from django.conf import settings

from auditlog.database import condition
from auditlog.log import logs
from auditlog.models import Log
from auditlog.tree import keys
from playground.server.launch import preparation
from tests.installation import ROOT, environment, running
from tests.playground.health.damaged import LEAVES, copy, fill, opened, prepare, store


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("filled") / "data"
    fill(data)
    return data


def leaves(path: Path) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(
            'SELECT "index", kind FROM auditlog_leaf ORDER BY "index"'
        ).fetchall()


def up(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return manage(data, "up", "--port", "8999", *words)


def manage(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(data),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_database_that_is_missing_is_not_replaced_by_an_empty_one(
    filled: Path, tmp_path: Path
) -> None:
    database = copy(filled, tmp_path / "data")
    database.unlink()

    run = up(tmp_path / "data")

    assert run.returncode == 1
    assert run.stdout == ""
    assert f"{database} is missing or empty, but " in run.stderr
    assert "manage.py restore" in run.stderr
    assert "--new-log" in run.stderr
    assert not database.exists()


def test_an_update_of_the_database_is_announced(filled: Path, tmp_path: Path) -> None:
    copy(filled, tmp_path / "data")
    assert "Updating" not in prepare(tmp_path / "data")[1]
    back = manage(tmp_path / "data", "migrate", "auditlog", "0011")
    assert back.returncode == 0, back.stderr

    status, said = prepare(tmp_path / "data")

    assert status == 0, said
    assert "Updating the database. For a million packets, this can take some minutes." in said
    assert "Updating" not in prepare(tmp_path / "data")[1]


def test_migrating_creates_no_database_in_the_place_of_a_lost_one(
    filled: Path, tmp_path: Path
) -> None:
    database = copy(filled, tmp_path / "data")
    database.unlink()

    run = manage(tmp_path / "data", "migrate")

    assert run.returncode == 1
    assert f"{database} is missing or empty" in run.stderr
    assert not database.exists()


def test_migrating_makes_the_data_directory_of_a_new_database(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    run = manage(data, "migrate", "contenttypes", "-v0")

    assert (run.returncode, run.stderr) == (0, "")
    assert (data / "cablese.sqlite3").exists()
    assert data.stat().st_mode & 0o077 == 0


def test_migrating_makes_a_database_for_its_owner_in_a_directory_for_all(tmp_path: Path) -> None:
    run = manage(tmp_path, "migrate", "contenttypes", "-v0")

    assert run.returncode == 0, run.stderr
    assert [place for place in tmp_path.rglob("*") if place.stat().st_mode & 0o077] == []


def test_a_data_directory_that_cannot_be_made_is_reported_in_a_sentence() -> None:
    run = manage(Path("/proc/cablese"), "migrate", "-v0")  # root cannot write there either

    assert run.returncode == 1
    assert run.stderr.startswith("CommandError: CABLESE_DATA: /proc/cablese cannot be created: ")


def test_a_database_that_is_empty_is_refused_and_its_write_ahead_log_survives(
    filled: Path, tmp_path: Path
) -> None:
    database = copy(filled, tmp_path / "data")
    database.write_bytes(b"")
    beside = database.with_name("cablese.sqlite3-wal")
    beside.write_bytes(b"what could still be saved")

    status, said = prepare(tmp_path / "data")

    assert status == 1
    assert "is missing or empty" in said
    assert database.read_bytes() == b""
    assert beside.read_bytes() == b"what could still be saved"


@pytest.mark.parametrize("left", ["secret-key", "leaves", "last-backup.json", "signing-keys"])
def test_any_trace_of_a_log_is_enough(filled: Path, tmp_path: Path, left: str) -> None:
    data = tmp_path / "data"
    data.mkdir()
    if (filled / left).is_dir():
        shutil.copytree(filled / left, data / left)
    else:
        (data / left).write_text("{}")

    status, said = prepare(data)

    assert status == 1
    assert f"{data / left} shows that a log was stored" in said


def test_an_empty_log_is_started_when_that_is_meant(filled: Path, tmp_path: Path) -> None:
    database = copy(filled, tmp_path / "data")
    lost = database.read_bytes()
    database.rename(database.with_name("cablese.sqlite3-wal"))

    status, said = prepare(tmp_path / "data", "new_log")

    assert status == 0
    [aside] = (tmp_path / "data").glob("replaced-*")
    assert str(aside) in said
    assert (aside / "cablese.sqlite3-wal").read_bytes() == lost
    assert leaves(database) == [(0, "signing-key")]
    assert prepare(tmp_path / "data") == (0, "")


def test_a_new_directory_needs_no_flag(tmp_path: Path) -> None:
    assert prepare(tmp_path / "new" / "data") == (0, "")


@pytest.mark.parametrize("damage", ["pages", "not a database", "cut"])
def test_a_damaged_file_is_refused_and_left_as_it_is(
    filled: Path, tmp_path: Path, damage: str
) -> None:
    database = copy(filled, tmp_path / "data")
    whole = database.read_bytes()
    middle = len(whole) // 8192 * 4096
    spoiled = {
        "pages": whole[:8192] + b"\xa5" * (len(whole) - 8192),
        "not a database": b"\xa5" * 9000,
        "cut": whole[:middle],
    }[damage]
    database.write_bytes(spoiled)

    run = up(tmp_path / "data")

    assert run.returncode == 1
    assert re.search(
        rf"{database} is damaged \(.+\)\. Restore a backup with: manage\.py restore ", run.stderr
    )
    after = database.read_bytes()
    assert (len(after), after == spoiled) == (len(spoiled), True)


def test_a_large_file_is_checked_for_a_limited_time(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(condition, "_STEPS", 1)

    with pytest.raises(condition.Interrupted):
        condition.check_file(filled / "cablese.sqlite3", seconds=0)


def test_a_schema_of_another_version_is_refused(filled: Path, tmp_path: Path) -> None:
    with opened(copy(filled, tmp_path / "data")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('auditlog', '9999_later', "
            "'2030-01-01')"
        )

    run = up(tmp_path / "data")

    assert run.returncode == 1
    assert "Another version of Cablese" in run.stderr
    assert "auditlog.9999_later" in run.stderr
    assert "Use that version" in run.stderr


@pytest.mark.parametrize("index", [1, 7, LEAVES - 1])
def test_a_missing_leaf_is_named_and_refused_unless_accepted(
    filled: Path, tmp_path: Path, index: int
) -> None:
    path = copy(filled, tmp_path / "data")
    with opened(path) as database:
        database.execute('DELETE FROM auditlog_leaf WHERE "index" = ?', [index])

    status, said = prepare(tmp_path / "data")

    assert status == 1
    assert (
        f'The log "default" has {LEAVES - 1} of {LEAVES} leaves: leaf {index} is missing.' in said
    )
    assert "--accept-damage" in said
    assert prepare(tmp_path / "data", "damage") == (0, "")


def test_an_older_copy_is_refused_and_its_lost_indexes_become_gaps(
    filled: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    path = copy(filled, data)
    older = path.read_bytes()
    assert store(data, 5) == list(range(LEAVES, LEAVES + 5))
    path.write_bytes(older)

    status, said = prepare(data)
    assert status == 1
    assert f'The log "default" has {LEAVES} leaves, but {LEAVES + 5} were stored' in said
    assert "--accept-older" in said

    status, said = prepare(data, "older")
    assert status == 0
    assert "after a gap of 5 leaves" in said
    assert [leaf for leaf in leaves(path) if leaf[1] == "gap"] == [
        (LEAVES + at, "gap") for at in range(5)
    ]
    assert store(data, 2) == [LEAVES + 5, LEAVES + 6]
    assert prepare(data) == (0, "")


def test_of_two_first_servers_at_once_one_serves(tmp_path: Path) -> None:
    data = tmp_path / "data"
    refused = []
    with ExitStack() as stack, ThreadPoolExecutor(2) as threads:
        starts = [
            threads.submit(stack.enter_context, running(data, migrated=False)) for _ in range(2)
        ]
        for start in starts:
            if (error := start.exception()) is not None:
                refused.append(str(error))
            else:
                server = start.result()

        assert server.manage("apikey", "create", "bot", "--scopes", "ingest")
        assert list(data.glob("secret-key*")) == [data / "secret-key"]
    assert len(refused) == 1
    assert f"serves {data / 'cablese.sqlite3'}. Stop it first" in refused[0]
    assert "stopped unexpectedly" not in refused[0]
    assert prepare(data) == (0, "")


def test_two_first_starts_at_once_make_one_database(tmp_path: Path) -> None:
    data = tmp_path / "data"

    with ThreadPoolExecutor(3) as threads:
        done = list(threads.map(lambda _: prepare(data), range(3)))

    assert [status for status, _ in done] == [0, 0, 0]
    assert {said for _, said in done} <= {
        "",
        f"Another process is preparing {data}. Waiting for it.\n",
    }
    assert prepare(data) == (0, "")


@pytest.mark.postgres
class TestOnPostgreSQL:
    def test_two_first_starts_at_once_make_one_database(
        self, tmp_path: Path, postgresql_url: str
    ) -> None:
        with ThreadPoolExecutor(2) as threads:
            done = list(
                threads.map(
                    lambda n: prepare(tmp_path / str(n), DATABASE_URL=postgresql_url), range(2)
                )
            )

        assert [status for status, _ in done] == [0, 0]
        # One of them made the key that signs the log.
        assert sorted("does not sign" in said for _, said in done) == [False, True]

    def test_an_empty_database_is_refused_beside_the_marks_of_a_log(
        self, tmp_path: Path, postgresql_url: str
    ) -> None:
        (tmp_path / "secret-key").write_text("x" * 50)

        status, said = prepare(tmp_path, DATABASE_URL=postgresql_url)

        assert status == 1
        assert "is missing or empty" in said

    def test_a_newer_schema_and_an_older_copy_are_refused(
        self, tmp_path: Path, postgresql_url: str
    ) -> None:
        import psycopg

        fill(tmp_path, DATABASE_URL=postgresql_url)
        with psycopg.connect(postgresql_url, autocommit=True) as database:
            database.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('auditlog', '9999', "
                "now())"
            )
            status, said = prepare(tmp_path, DATABASE_URL=postgresql_url)
            assert status == 1
            assert "Another version of Cablese" in said
            database.execute("DELETE FROM django_migrations WHERE name = '9999'")

            database.execute("SET session_replication_role = replica")
            database.execute('DELETE FROM auditlog_leaf WHERE "index" >= 25')
            database.execute(
                "UPDATE auditlog_logend SET size = 25, head = "
                '(SELECT hash FROM auditlog_leaf WHERE "index" = 24)'
            )
            status, said = prepare(tmp_path, DATABASE_URL=postgresql_url)
            assert status == 1
            assert f'The log "default" has 25 leaves, but {LEAVES} were stored' in said
            database.execute("UPDATE auditlog_logend SET size = 26")
            status, said = prepare(tmp_path, DATABASE_URL=postgresql_url)
            assert "leaf 25 is missing" in said
            database.execute("UPDATE auditlog_logend SET size = 25")
        status, said = prepare(tmp_path, "older", DATABASE_URL=postgresql_url)
        assert status == 0
        assert store(tmp_path, 1, DATABASE_URL=postgresql_url) == [LEAVES]


@pytest.mark.django_db
def test_each_log_gets_its_key_also_after_one_that_another_machine_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    logs.fix_origins("example.com")
    keys.ensure(Log.objects.get(slug="default"))
    for place in (tmp_path / keys.FOLDER).iterdir():
        place.unlink()
    new = logs.create(slug="new")
    said: list[str] = []

    preparation._make_keys(said.append)

    assert [line.partition(",")[0] for line in said] == [
        'This server does not sign the log "default"'
    ]
    assert len(keys.signers(new)) == 1
