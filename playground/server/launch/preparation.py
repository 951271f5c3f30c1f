"""The preparation of a start: check the database, reject a lost or damaged one, and migrate.

One process per data directory prepares at a time, so that two first starts make one database.
"""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connection, connections

from auditlog.continuity import high_water
from auditlog.database import condition
from auditlog.log import gap, logs
from auditlog.models import Log
from auditlog.tree import keys, memory
from cablese.amount import leaves
from playground.server import secret_key

LOCK = "preparing.lock"
LAST_BACKUP = "last-backup.json"
_OF_LOGS = (high_water.FOLDER, LAST_BACKUP, keys.FOLDER, memory.FOLDER)
"""What is beside the database because of its logs. A new one starts without it."""
Say = Callable[[str], object]
_POSTGRESQL_LOCK = int.from_bytes(b"cbl\x02")
"""The advisory lock for migrating a PostgreSQL database."""


@dataclass(frozen=True)
class Accepted:
    """What the operator accepts."""

    new_log: bool = False
    older: bool = False
    damage: bool = False


def prepare(accepted: Accepted, say: Say) -> None:
    """Make the database ready. Raises Unfit, and OSError if the data directory is not writable."""
    # A pool would retry, and then not report why it has no connection.
    connections.settings[DEFAULT_DB_ALIAS]["OPTIONS"].pop("pool", None)
    make_folder()
    with exclusive(settings.DATA, say):
        path = file()
        if path is not None and path.exists() and path.stat().st_size:
            _check(path, say)
        if condition.is_there(path):
            applied = condition.applied_migrations()
            condition.require_known_schema(applied)
            if condition.is_older(applied):
                say("Updating the database. For a million packets, this can take some minutes.")
        else:
            _begin(path, accepted, say)
        with _alone():
            # Django's own command: ours rejects what the operator may have accepted here.
            call_command(migrate.Command(), verbosity=0, interactive=False)
        _inspect(accepted, say)


def make_folder() -> None:
    """Make the data directory, for its owner only, unless there is one. Raises OSError."""
    settings.DATA.mkdir(mode=0o700, parents=True, exist_ok=True)


def file() -> Path | None:
    """Return the file of SQLite; None for PostgreSQL."""
    return Path(str(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else None


@contextmanager
def exclusive(folder: Path, say: Say) -> Iterator[None]:
    """Hold the lock of a data directory. It ends with the process."""
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Another process is preparing {folder}. Waiting for it.")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock of a PostgreSQL database, because servers with other data directories may be
    preparing it.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_POSTGRESQL_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_POSTGRESQL_LOCK])


def _check(path: Path, say: Say) -> None:
    try:
        condition.check_file(path)
    except condition.Interrupted:
        say(
            f"Checked {path} for {condition.PATIENCE:g} s without problems. It is too large "
            "to check completely at startup. manage.py backup checks everything."
        )


def require_not_lost() -> None:
    """Raise Unfit if there is no database although there was one."""
    evidence = _evidence()
    if evidence and not condition.is_there(file()):
        condition.refuse_lost(f"The database {connection.settings_dict['NAME']}", evidence=evidence)


def _begin(path: Path | None, accepted: Accepted, say: Say) -> None:
    """Start a new database, unless there was one."""
    if not accepted.new_log:
        require_not_lost()
    if _evidence():
        high_water.marks().forget()
        folder = set_aside([*(settings.DATA / name for name in _OF_LOGS), *database_files(path)])
        say(f"Starting an empty log. What was left of the old one is in {folder}.")


def _evidence() -> str:
    """Return a file that exists only after a database did; empty without one."""
    places = (secret_key.FILE_NAME, *_OF_LOGS)
    return next(
        (str(settings.DATA / name) for name in places if (settings.DATA / name).exists()), ""
    )


def set_aside(files: Iterable[Path]) -> Path:
    """Move the files of a database and the marks of its logs to a new directory."""
    connection.close()
    folder = Path(settings.DATA) / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"
    folder.mkdir(mode=0o700)
    for place in files:
        if place.exists():
            place.rename(folder / place.name)
    return folder


def database_files(path: Path | None) -> list[Path]:
    """Return the files that belong to a SQLite database."""
    return (
        [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm", "-journal")]
        if path
        else []
    )


def _inspect(accepted: Accepted, say: Say) -> None:
    """Compare the logs with their leaves and marks, and write the marks."""
    marks = high_water.marks()
    known = marks.read()
    if not accepted.damage:
        _require_whole(say)
    if not accepted.older:
        condition.require_newest(known)
    for slug, (_, end) in condition.lost(known).items():
        lost = gap.fill(slug, end)
        say(f'The log "{slug}" continues at leaf {end:,} after a gap of {leaves(lost)}.')
    for slug, size in Log.objects.values_list("slug", "end__size"):
        marks.settle(slug, size)
    logs.fix_origins(_host())
    _make_keys(say)


def _make_keys(say: Say) -> None:
    """See to it that each log has a key that signs it, and that keys are secret. Raises Unfit."""
    try:
        keys.check()
        for log in Log.objects.order_by("slug"):
            keys.ensure(log)
            try:
                keys.signers(log)
            except keys.NoKey as missing:
                say(str(missing))
    except keys.Unsound as unsound:
        raise condition.Unfit(str(unsound)) from None


def _host() -> str:
    """Return the first name in `CABLESE_HOSTS` that is not this machine's own; empty without
    one.
    """
    own = {"localhost", "127.0.0.1", "[::1]"}
    return next(
        (one for one in settings.ALLOWED_HOSTS if one not in own and one[:1] not in ".*"), ""
    )


def _require_whole(say: Say) -> None:
    for log in Log.objects.select_related("end").order_by("slug"):
        try:
            condition.require_whole(log)
        except condition.Interrupted:
            say(
                f'The log "{log.slug}" is too large to count its leaves at startup. '
                "manage.py backup counts them."
            )
