"""Whether a database can be served: there, whole, of this version, and not older than what was
acknowledged.

A log that was damaged is refused before anything is written, because each write to it may destroy
what could still be saved, and an empty log in the place of a lost one would give leaf indexes
again. Each refusal names the way out.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from auditlog.continuity.high_water import Mark
from auditlog.models import Leaf, Log
from cablese.amount import leaves

PATIENCE = 0.5
"""Seconds for each check of a start. A larger file is checked as far as they last; `backup` checks
all of it.
"""
_STEPS = 100_000
"""Instructions of SQLite between two looks at the clock."""
_RESTORE = "Restore a backup with: manage.py restore DIRECTORY."


class Unfit(Exception):
    """A database that is not served; the text says why, and what to do."""


class Interrupted(Exception):
    """A check exceeded its time limit."""


def is_there(path: Path | None) -> bool:
    """Whether the database has tables of ours. ``path`` is the file of SQLite, which this does not
    create.
    """
    if path is not None and (not path.exists() or path.stat().st_size == 0):
        return False
    return any(app == "auditlog" for app, _ in applied_migrations())


def refuse_lost(place: str, *, evidence: str) -> NoReturn:
    """Raises Unfit: the database is missing or empty, and ``evidence`` says that there was one."""
    raise Unfit(
        f"{place} is missing or empty, but {evidence} shows that a log was stored here. {_RESTORE} "
        "To start an empty log instead: manage.py up --new-log."
    )


def check_file(path: Path, *, seconds: float | None = PATIENCE) -> None:
    """Let SQLite check the pages and records of its file. Raises Unfit; Interrupted after
    ``seconds``.
    """
    try:
        with closing(open_file(path)) as database, _limited(database, seconds):
            found = [words for (words,) in database.execute("PRAGMA quick_check(1)")]
    except sqlite3.DatabaseError as error:
        if "interrupted" in str(error):
            raise Interrupted from None
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            return
        found = [str(error)]
    if found != ["ok"]:
        raise Unfit(
            f"{path} is damaged ({found[0]}). {_RESTORE} "
            "Without a backup, .recover in the sqlite3 shell may recover most packets."
        )


def open_file(path: Path, *, timeout: float = 20) -> sqlite3.Connection:
    """A connection of its own to an existing file, which is never created."""
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw", uri=True, isolation_level=None, timeout=timeout
    )


@contextmanager
def _limited(database: sqlite3.Connection, seconds: float | None) -> Iterator[None]:
    """Stop what a connection does after some time."""
    if seconds is not None:
        deadline = time.monotonic() + seconds
        database.set_progress_handler(lambda: int(time.monotonic() > deadline), _STEPS)
    try:
        yield
    finally:
        database.set_progress_handler(None, 0)


def applied_migrations() -> set[tuple[str, str]]:
    """Return the migrations of the database, each as app and name."""
    return set(MigrationRecorder(connection).applied_migrations())


def _list_migrations() -> set[tuple[str, str]]:
    """Return the migrations of this version."""
    return set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations or ())


def is_older(applied: Iterable[tuple[str, str]]) -> bool:
    """Return whether the database is one of an earlier version, and is to be migrated."""
    return not _list_migrations() <= set(applied)


def require_known_schema(applied: Iterable[tuple[str, str]]) -> None:
    """Raises Unfit when another version has migrated the database."""
    known = _list_migrations()
    apps = {app for app, _ in known}
    unknown = sorted(
        f"{app}.{name}" for app, name in applied if app in apps and (app, name) not in known
    )
    if unknown:
        raise Unfit(
            f"Another version of Cablese made this database (it has {', '.join(unknown)}). "
            "Use that version, or restore a backup made by this version: "
            "manage.py restore DIRECTORY."
        )


def require_whole(log: Log) -> None:
    """Raises Unfit when a leaf of the log is missing, or its newest leaf is another one than it
    was; Interrupted when counting the leaves takes too long.
    """
    leaves = Leaf.objects.filter(log=log)
    size = log.end.size
    with _brief():
        number = leaves.count()
        last = leaves.order_by("-index").first()
    if number == size and (last is None or last.index == size - 1):
        if last is None or last.hash == log.end.head:
            return
        found = f"leaf {last.index}, its newest, has changed"
    else:
        found = _missing(log, size)
    raise Unfit(
        f'The log "{log.slug}" has {number:,} of {size:,} leaves: {found}. {_RESTORE} '
        "To serve what is left: manage.py up --accept-damage."
    )


def _missing(log: Log, size: int) -> str:
    """Return the first index without a leaf, or the first leaf beyond the end."""
    beyond = Leaf.objects.filter(log=log, index__gte=size).order_by("index").first()
    if beyond is not None:
        return f"leaf {beyond.index} is beyond the end"
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_MISSING, [log.pk, log.pk])
        return f"leaf {cursor.fetchone()[0]} is missing"


_FIRST_MISSING = """\
SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM auditlog_leaf WHERE log_id = %s AND "index" = 0) THEN 0
ELSE (SELECT MIN(a."index") + 1 FROM auditlog_leaf a WHERE a.log_id = %s AND NOT EXISTS
    (SELECT 1 FROM auditlog_leaf b WHERE b.log_id = a.log_id AND b."index" = a."index" + 1)) END"""


@contextmanager
def _brief() -> Iterator[None]:
    """Raises Interrupted when the queries in the block take longer than `PATIENCE`."""
    connection.ensure_connection()
    try:
        if connection.vendor == "sqlite":
            with _limited(connection.connection, PATIENCE):
                yield
        else:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {int(PATIENCE * 1000)}")
                yield
    except DatabaseError as error:
        if "interrupted" in str(error) or "statement timeout" in str(error):
            raise Interrupted from None
        raise


def lost(marks: Mapping[str, Mark]) -> dict[str, tuple[int, int]]:
    """The logs that once went further than they do now: their size and the first index that was
    never given.
    """
    sizes = dict(Log.objects.values_list("slug", "end__size"))
    return {
        slug: (sizes.get(slug, 0), mark.end)
        for slug, mark in marks.items()
        if sizes.get(slug, 0) < mark.size or (slug not in sizes and mark.end)
    }


def require_newest(marks: Mapping[str, Mark]) -> None:
    """Raises Unfit when the database is an older copy of what was served from this directory."""
    for slug, (size, _) in lost(marks).items():
        raise Unfit(
            f'The log "{slug}" has {leaves(size)}, but {marks[slug].size:,} were stored: this '
            "database is an older copy. Put the newer one back. To accept the loss: "
            "manage.py up --accept-older. The lost leaves become gaps, and their indexes are not "
            "used again."
        )
