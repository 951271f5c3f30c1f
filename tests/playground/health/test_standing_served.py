"""A served installation whose database is locked, full, read-only, failing, or away: see
`standing`.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.installation import Installation, running
from tests.playground.health.standing import Site, Trouble, stand
from tests.processes import descendants

MINUTE = float(os.environ.get("STANDING_SECONDS", "0"))
"""How long a lock is held when everything has been tried; 60 for the long form."""
HOLD = """\
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
database.execute("ROLLBACK")
"""


def database_of(installation: Installation) -> Path:
    return installation.data / "cablese.sqlite3"


@contextmanager
def another_program(installation: Installation) -> Iterator[None]:
    """Holds the lock of a SQLite database."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(database_of(installation))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    began = time.monotonic()
    try:
        yield
        time.sleep(max(0.0, began + MINUTE - time.monotonic()))
    finally:
        holder.communicate("")


@contextmanager
def a_full_disk(installation: Installation) -> Iterator[None]:
    """Fills the disk of the data directory to its last byte."""
    filler = installation.data / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def a_read_only_disk(installation: Installation) -> Iterator[None]:
    """Lays the data directory over itself, read-only: files that are open stay writable, as after a
    chmod.
    """
    data, aside = str(installation.data), installation.data.with_name("read-only")
    aside.mkdir()
    subprocess.run(["mount", "--bind", data, aside], check=True)
    # What is mounted over the data would be mounted here too.
    subprocess.run(["mount", "--make-private", aside], check=True)
    # Before the server can see it: with a file open for writing, a mount can't become read-only.
    subprocess.run(["mount", "-o", "remount,ro,bind", aside], check=True)
    subprocess.run(["mount", "--bind", aside, data], check=True)
    subprocess.run(["umount", aside], check=True)
    try:
        yield
        subprocess.run(["mount", "-o", "remount,rw,bind", data], check=True)
    finally:
        # What is open in it stays open.
        subprocess.run(["umount", "--lazy", data], check=True)


@contextmanager
def a_file_that_may_not_grow(installation: Installation) -> Iterator[None]:
    """Limits the size of files that the server writes: each write beyond it fails with an error of
    the disk.
    """
    workers = descendants(installation.process.pid)
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in workers}
    for pid, (_, hard) in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        for pid, limits in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


LOCKED = Trouble(
    another_program,
    "Another program has locked the database, so nothing can be stored.",
    r"No packet can be stored \(locked\): OperationalError SQLITE_BUSY: database is locked",
)
FULL = Trouble(
    a_full_disk,
    "The disk is full, so nothing can be stored.",
    r"(No packet can be stored \(full\): OperationalError SQLITE_FULL|Not ready: The disk is full)",
)
READ_ONLY = Trouble(
    a_read_only_disk,
    "The database is read-only, so nothing can be stored.",
    r"(No packet can be stored \(read-only\)|Not ready: The database is read-only)",
    refuses_all=False,
)
FAILING = Trouble(
    a_file_that_may_not_grow,
    "The database reports an error, so nothing can be stored.",
    r"No packet can be stored \(failing\): OperationalError SQLITE_IOERR",
)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if not mounted or mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("trouble", [LOCKED, FAILING], ids=["locked", "failing"])
def test_it_stands(tmp_path: Path, trouble: Trouble) -> None:
    with running(tmp_path) as installation:
        stand(Site(installation), trouble)


@pytest.mark.parametrize("trouble", [FULL, READ_ONLY], ids=["full", "read-only"])
def test_it_stands_on_a_small_disk(small_disk: Path, trouble: Trouble) -> None:
    with running(small_disk) as installation:
        stand(Site(installation), trouble)


@contextmanager
def gone(server: Any) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()


@pytest.mark.postgres
def test_it_stands_without_postgresql_for_a_while(tmp_path: Path, own_postgresql: Any) -> None:
    away = Trouble(
        lambda _installation: gone(own_postgresql),
        "The database cannot be reached, so nothing can be read or stored.",
        r"(No packet can be stored \(unreachable\)|Not ready: The database cannot be reached)",
        reads=False,
    )
    with running(tmp_path, DATABASE_URL=own_postgresql.get_uri()) as installation:
        stand(Site(installation), away)


READ_ONLY_MODE = "ALTER SYSTEM SET default_transaction_read_only = {}; SELECT pg_reload_conf()"


@contextmanager
def a_standby(server: Any) -> Iterator[None]:
    for statement in READ_ONLY_MODE.format("on").split("; "):
        server.psql(f"{statement};")
    try:
        yield
    finally:
        for statement in READ_ONLY_MODE.format("off").split("; "):
            server.psql(
                f"SET default_transaction_read_only = off; {statement};"
                if "SELECT" in statement
                else f"{statement};"
            )


@pytest.mark.postgres
def test_it_stands_while_postgresql_is_read_only(tmp_path: Path, own_postgresql: Any) -> None:
    standby = Trouble(
        lambda _installation: a_standby(own_postgresql),
        "The database is read-only, so nothing can be stored.",
        r"No packet can be stored \(read-only\): \w+ 25006",
    )
    with running(tmp_path, DATABASE_URL=own_postgresql.get_uri()) as installation:
        stand(Site(installation), standby)
