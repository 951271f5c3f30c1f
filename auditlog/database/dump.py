"""A backup of PostgreSQL: what `pg_dump` writes, of the same moment as the manifest."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from django.db import connection, transaction

from auditlog.database import backup

DUMP = "cablese.dump"
_LONGEST = 300


def copy_postgresql(target: Path, *, extra: Sequence[Path]) -> backup.Manifest:
    """Back up the database, and the files `extra`, to the new directory `target`. Raises
    Unusable.
    """
    program = shutil.which("pg_dump")
    if program is None:
        raise backup.Unusable(
            "A PostgreSQL backup requires pg_dump. Install PostgreSQL's client programs."
        )
    with backup.draft(target) as folder:
        place = folder / DUMP
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            _dump(program, place, snapshot=cursor.fetchone()[0])
            cursor.execute(backup.LOGS)
            logs = backup.states(cursor.fetchall())
        return backup.finish(folder, logs=logs, files=(place, *backup.copied(extra, folder)))


def _dump(program: str, place: Path, *, snapshot: str) -> None:
    from psycopg.conninfo import make_conninfo

    info = connection.connection.info
    # Not what the driver adds by itself, such as `sslcertmode`: an older pg_dump refuses that.
    given = connection.get_connection_params()
    known = {name: value for name, value in info.get_parameters().items() if name in given}
    address = make_conninfo("", **known)
    command = [
        program,
        "--format=custom",
        f"--snapshot={snapshot}",
        f"--file={place}",
        f"--dbname={address}",
    ]
    environ = os.environ | ({"PGPASSWORD": info.password} if info.password else {})
    done = subprocess.run(  # noqa: S603
        command, env=environ, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise backup.Unusable(f"pg_dump failed: {done.stderr.strip()[:_LONGEST]}")
    place.chmod(0o600)
