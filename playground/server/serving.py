"""Prepare a process for its first request."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from auditlog.check import nightly
from auditlog.database import database_file
from auditlog.erasure import purging
from auditlog.findings.following import waking
from auditlog.helpers import pool
from auditlog.tree import signer
from playground.health import readiness
from playground.server import forgetting
from playground.server.launch import serving_lock

PATIENCE = 5
"""Seconds that a request waits for a lock on the database. Under full load, the committer holds it
for up to 2 s. A command waits longer, because only its caller waits.
"""


def begin() -> None:
    """Lock the database, shorten the waits for it, and start what runs beside requests. Not in
    tests.
    """
    if settings.READINESS:
        database = connections.settings[DEFAULT_DB_ALIAS]
        hurry(database)
        if connections[DEFAULT_DB_ALIAS].vendor == "sqlite":
            _lock(Path(str(database["NAME"])))
            database_file.watch(database)
        pool.begin(settings.DATA / "vocabularies")
        readiness.current()
        waking.start()
        signer.start()
        purging.start()
        nightly.start()
        forgetting.start()


def _lock(database: Path) -> None:
    try:
        serving_lock.take(database)
    except serving_lock.Taken as taken:
        raise SystemExit(f"cablese: {taken}") from None
    except OSError as error:
        raise SystemExit(f"cablese: {database} cannot be locked: {error.strerror}.") from None


def hurry(database: dict[str, Any]) -> None:
    """Shorten the waits of new connections. `database` is an entry of DATABASES."""
    options = database["OPTIONS"]
    if database["ENGINE"].endswith("sqlite3"):
        options["timeout"] = PATIENCE
        return
    # First, so that the address of the database can override it.
    options["options"] = f"-c lock_timeout={PATIENCE * 1000} {options['options']}"
