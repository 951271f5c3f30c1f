"""Replace the database with a backup, without using a leaf index twice.

The end of each log is known from the marks, from the database that is replaced, or from a receipt.
It is written to the marks before anything is replaced, so the next start knows it even if the
restore is interrupted.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from auditlog.continuity import high_water
from auditlog.continuity.durable_file import sync
from auditlog.database import backup, condition
from cablese import amount
from playground.server import secret_key
from playground.server.launch import preparation, served

POSTGRESQL = (
    "Restore a backup of PostgreSQL with its own tools: stop Cablese, run pg_restore --clean "
    "--if-exists --dbname ADDRESS DIRECTORY/cablese.dump, then manage.py up --accept-older."
)


_SIZES = """\
SELECT g.slug, e.size, g.created FROM auditlog_log g JOIN auditlog_logend e ON e.log_id = g.id"""


@dataclass(frozen=True)
class Consent:
    """What the operator accepts about packets stored after the backup."""

    older: bool = False
    """They may be lost."""
    nothing_newer: bool = False
    """There are none."""
    last_leaves: Mapping[str, int] | None = None
    """The last leaf index of some logs."""


def restore(source: Path, consent: Consent, say: preparation.Say) -> None:
    """Replace the database with a backup. Raises Unfit and backup.Unusable."""
    path = preparation.file()
    if path is None:
        raise condition.Unfit(POSTGRESQL)
    settings.DATA.mkdir(mode=0o700, parents=True, exist_ok=True)
    with preparation.exclusive(settings.DATA, say):
        _require_stopped()
        manifest = backup.read(source)
        draft = _take(manifest, source, path)
        try:
            ends = _ends(manifest, path, consent)
            _require_consent(manifest, ends, consent)
            for slug, end in ends.items():
                high_water.marks().settle(slug, end)
            _replace(path, draft, say)
        finally:
            draft.unlink(missing_ok=True)
        _take_key(manifest, source, say)
    preparation.prepare(
        preparation.Accepted(older=True, damage=any(log.missing for log in manifest.logs)), say
    )


def _require_stopped() -> None:
    running = served.find()
    if running is not None:
        raise condition.Unfit(
            f"A server is running on this data directory (process {running.pid}). Stop it first."
        )


def _take(manifest: backup.Manifest, source: Path, path: Path) -> Path:
    """Copy the database of the backup next to its target, and check it."""
    file = manifest.find(backup.SQLITE)
    if file is None:
        raise condition.Unfit(f"{source} has no SQLite database. {POSTGRESQL}")
    draft = path.with_name(f".{path.name}.restoring")
    draft.unlink(missing_ok=True)
    backup.take(file, source, draft)
    condition.check_file(draft, seconds=None)
    with closing(condition.open_file(draft)) as database:
        condition.require_known_schema(database.execute("SELECT app, name FROM django_migrations"))
    return draft


def _ends(manifest: backup.Manifest, path: Path, consent: Consent) -> dict[str, int]:
    """Return the first leaf index of each log that was certainly never used. Raises Unfit if it is
    unknown.
    """
    current, marks, given = _logs(path), high_water.marks().read(), consent.last_leaves or {}
    ends = {}
    for slug in sorted({*current, *marks, *given, *(log.slug for log in manifest.logs)}):
        stored = next((log for log in manifest.logs if log.slug == slug), None)
        size = stored.size if stored else 0
        end = (
            given[slug] + 1 if slug in given else _known(stored, current.get(slug), marks.get(slug))
        )
        if not end and size and not consent.nothing_newer:
            raise condition.Unfit(
                f"{settings.DATA} does not show whether packets were stored after this backup, "
                f"which was made on {manifest.made}. If none were, add --nothing-newer. "
                f"Otherwise add --last-leaf {slug}=INDEX with the highest leaf index of any "
                "receipt: the lost indexes become gaps."
            )
        ends[slug] = max(end, size)
    return ends


def _known(
    stored: backup.LogState | None, current: tuple[int, str] | None, mark: high_water.Mark | None
) -> int:
    """Return the first leaf index that was never used, by the current database and the mark; 0 if
    unknown.
    """
    if current is not None:
        size, created = current
        if stored is not None and created != stored.created:
            # Another log with the same name, such as that of a first start.
            return 0
        if mark is None or size >= mark.size:
            return size
    return mark.end if mark is not None and mark.size else 0


def _logs(path: Path) -> dict[str, tuple[int, str]]:
    """Return the size and creation time of each log in the database that is replaced; nothing if it
    cannot be read.

    Raises Unfit while another process has the database open.
    """
    if not path.exists() or not path.stat().st_size:
        return {}
    try:
        with closing(condition.open_file(path, timeout=1)) as database:
            # Leaving WAL mode needs exclusive access, and moves everything into the one file.
            database.execute("PRAGMA journal_mode=DELETE")
            rows = database.execute(_SIZES).fetchall()
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise condition.Unfit(f"Another process has {path} open. Stop it first.") from None
        return {}
    return {slug: (size, str(created)) for slug, size, created in rows}


def _require_consent(manifest: backup.Manifest, ends: Mapping[str, int], consent: Consent) -> None:
    """Raise Unfit if packets newer than the backup would be lost without the operator's consent."""
    leaves = {log.slug: log.size for log in manifest.logs}
    for slug, end in ends.items():
        size = leaves.get(slug, 0)
        if end > size and not (consent.older or slug in (consent.last_leaves or {})):
            raise condition.Unfit(
                f'The log "{slug}" has up to {amount.leaves(end)}, and this backup has {size:,}. '
                f"Restoring it loses {amount.leaves(end - size)}. To do so, add --older: "
                "their indexes become gaps and are not used again."
            )


def _replace(path: Path, draft: Path, say: preparation.Say) -> None:
    """Replace the database with that of the backup, and move the old one to a directory."""
    if any(place.exists() for place in preparation.database_files(path)):
        folder = preparation.set_aside(preparation.database_files(path))
        say(f"The old database is now in {folder}.")
    draft.rename(path)
    sync(path.parent)


def _take_key(manifest: backup.Manifest, source: Path, say: preparation.Say) -> None:
    """Store the secret key of the backup, unless one is set in the environment or stored
    already.
    """
    file = manifest.find(secret_key.FILE_NAME)
    stored = settings.DATA / secret_key.FILE_NAME
    if file is None or settings.KEY_IS_GIVEN or stored.exists():
        return
    backup.take(file, source, stored)
    settings.SECRET_KEY = stored.read_text()
    say(f"The secret key of the backup is stored as {stored}.")
