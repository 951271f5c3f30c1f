"""Data directories for the tests of damage: filled once, copied for each test, and prepared by a
process of its own.
"""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.installation import ROOT, environment

LEAVES = 30
"""The leaf of the signing key, and those of packets."""
_FILL = (
    "from playground.server.launch.preparation import Accepted, prepare; prepare(Accepted(), print)"
)
PREPARE = """
import sys
from auditlog.database.condition import Unfit
from playground.server.launch.preparation import Accepted, prepare
try:
    prepare(Accepted(**{flag: True for flag in sys.argv[1:]}), print)
except Unfit as unfit:
    print(unfit)
    sys.exit(1)
"""
STORE = """
import sys
from auditlog import access
from auditlog.ingest.item import Item
from auditlog.ingest.receive import keep
_, token = access.create_key(source="bot", scopes=("ingest",))
items = [Item(f"REQ/TSK|g={n},t=1") for n in range(int(sys.argv[1]))]
for receipt in keep(items, sender=access.authenticate(token)):
    print(receipt.leaf)
"""


def run(data: Path, source: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a piece of Python with the settings of an installation."""
    environ = environment(data, DJANGO_SETTINGS_MODULE="playground.settings", **more)
    command = [sys.executable, "-c", f"import django; django.setup()\n{source}", *words]
    return subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=120
    )


def fill(data: Path, **more: str) -> None:
    done = run(data, _FILL, **more)
    assert done.returncode == 0, done.stderr
    assert store(data, LEAVES - 1, **more) == list(range(1, LEAVES))


def prepare(data: Path, *flags: str, **more: str) -> tuple[int, str]:
    """The exit status of a start's preparation, and what it said."""
    done = run(data, PREPARE, *flags, **more)
    assert done.stderr == ""
    return done.returncode, done.stdout


def store(data: Path, number: int, **more: str) -> list[int]:
    """Store packets; their leaf indexes."""
    done = run(data, STORE, str(number), **more)
    assert done.returncode == 0, done.stderr
    database = data / "cablese.sqlite3"
    if database.exists():
        # A process that ended in the middle of a checkpoint leaves some of it to the next one,
        # which would then change a file that a test has damaged or put back.
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return list(map(int, done.stdout.split()))


def copy(filled: Path, data: Path) -> Path:
    shutil.copytree(filled, data)
    return data / "cablese.sqlite3"


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database, without the triggers that guard it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {name}")
        yield database
