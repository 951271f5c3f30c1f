"""A backup: a directory with a copy of the database, the secret key, and a manifest that says what
they must be.

    backup-2026-11-22/
      cablese.sqlite3    (cablese.dump for PostgreSQL)
      secret-key
      manifest.json

The copy is of one moment, however long it takes: it is read in one transaction, which in WAL mode
stops no writer. It is written next to its target and renamed once it is checked and on disk, so
that a directory with the name of a backup is always a whole one.
"""

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from auditlog.continuity.durable_file import sync
from auditlog.database import condition
from auditlog.log import leaf

FORMAT = "cablese-backup/1"
MANIFEST = "manifest.json"
SQLITE = "cablese.sqlite3"
_PAGES = 4_096
"""Pages that are copied between two looks at a signal, such as Ctrl-C."""
_PIECE = 1024 * 1024
LOGS = """\
SELECT g.slug, g.created, e.size, (SELECT COUNT(*) FROM auditlog_leaf l WHERE l.log_id = g.id),
    (SELECT l.hash FROM auditlog_leaf l WHERE l.log_id = g.id ORDER BY l."index" DESC LIMIT 1)
FROM auditlog_log g JOIN auditlog_logend e ON e.log_id = g.id ORDER BY g.slug"""


class Unusable(Exception):
    """A backup that cannot be made or read; the text says why."""


class LogState(msgspec.Struct, frozen=True):
    """One log of a backup. ``head`` is the hash of its last leaf, in hexadecimal digits; null for
    an empty log.
    """

    slug: str
    created: str
    """As the database writes it: two logs of one name differ in it."""
    size: int
    missing: int
    """Leaves that were missing from the log when it was copied."""
    head: str | None


class StoredFile(msgspec.Struct, frozen=True):
    name: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    format: str
    made: str
    logs: tuple[LogState, ...]
    files: tuple[StoredFile, ...]

    def find(self, name: str) -> StoredFile | None:
        return next((file for file in self.files if file.name == name), None)


def copy_sqlite(source: Path, target: Path, *, extra: Sequence[Path]) -> Manifest:
    """Back up a database that may be in use, and the files `extra`, to the new directory `target`.
    Raises Unusable.
    """
    with draft(target) as folder:
        place = folder / SQLITE
        _copy_pages(source, place)
        try:
            condition.check_file(place, seconds=None)
        except condition.Unfit as unfit:
            raise Unusable(f"The database is damaged, so no backup was made. {unfit}") from None
        return finish(folder, logs=_states(place), files=(place, *copied(extra, folder)))


@contextmanager
def draft(target: Path) -> Iterator[Path]:
    """A directory that becomes `target` after the block, or is deleted if the block fails."""
    if target.exists():
        raise Unusable(f"{target} already exists. Use a new directory for each backup.")
    folder = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        folder.mkdir(mode=0o700, parents=True)
        yield folder
        folder.rename(target)
        sync(target.parent)
    except OSError as error:
        raise Unusable(f"{target} cannot be written: {error.strerror}.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_pages(source: Path, target: Path) -> None:
    touch(target)
    try:
        with (
            closing(condition.open_file(source)) as database,
            closing(condition.open_file(target)) as copy,
        ):
            # Reading something starts the transaction. Without it each commit of a server would
            # start the copy again.
            database.execute("BEGIN")
            database.execute("SELECT 1 FROM sqlite_master").fetchone()
            database.backup(copy, pages=_PAGES)
            database.execute("ROLLBACK")
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        raise Unusable(f"{source} cannot be copied: {error}.") from None


def _states(place: Path) -> tuple[LogState, ...]:
    with closing(condition.open_file(place)) as database:
        return states(database.execute(LOGS).fetchall())


def states(rows: Iterable[Sequence[Any]]) -> tuple[LogState, ...]:
    """What `LOGS` found."""
    return tuple(
        LogState(
            slug, str(created), size, size - number, None if head is None else bytes(head).hex()
        )
        for slug, created, size, number, head in rows
    )


def copied(files: Sequence[Path], folder: Path) -> Iterator[Path]:
    for file in files:
        if file.exists():
            place = folder / file.name
            touch(place)
            place.write_bytes(file.read_bytes())
            yield place


def finish(folder: Path, *, logs: tuple[LogState, ...], files: Sequence[Path]) -> Manifest:
    """Write the manifest of a backup, and wait until the disk has everything."""
    stored = tuple(StoredFile(file.name, file.stat().st_size, digest(file)) for file in files)
    manifest = Manifest(FORMAT, leaf.format_time(datetime.now(UTC)), logs, stored)
    place = folder / MANIFEST
    touch(place)
    place.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    for file in (*files, place, folder):
        sync(file)
    return manifest


def read(folder: Path) -> Manifest:
    """Return the manifest of a backup after checking its files. Raises Unusable."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise Unusable(f"{folder} is not a backup: {MANIFEST} cannot be read ({error}).") from None
    if manifest.format != FORMAT:
        raise Unusable(f"{folder} has backup format {manifest.format}. Expected {FORMAT}.")
    for file in manifest.files:
        _require_same(folder / file.name, file)
    return manifest


def _require_same(place: Path, file: StoredFile) -> None:
    try:
        found = digest(place)
    except OSError as error:
        raise Unusable(f"{place} cannot be read: {error.strerror}.") from None
    if found != file.sha256:
        raise Unusable(
            f"{place} has changed since the backup: its SHA-256 differs from {MANIFEST}."
        )


def take(file: StoredFile, folder: Path, place: Path) -> None:
    """Copy a file of a backup to `place`, and wait for the disk. Raises Unusable when the copy
    differs.
    """
    try:
        touch(place)
        shutil.copyfile(folder / file.name, place)
        sync(place)
        _require_same(place, file)
    except OSError as error:
        raise Unusable(f"{place} cannot be written: {error.strerror}.") from None


def digest(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    found = sha256()
    with file.open("rb") as source:
        while piece := source.read(_PIECE):
            found.update(piece)
    return found.hexdigest()


def touch(place: Path) -> None:
    """Create an empty file that only its owner can read."""
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
