"""`manage.py backup`: copy everything while the server runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from auditlog.continuity import durable_file
from auditlog.database import backup, dump
from auditlog.tree import keys
from cablese.amount import leaves
from playground.server import secret_key
from playground.server.launch import preparation


class Command(DatabaseCommand):
    help = "Copies the database and the secret key to a new directory. Cablese may be running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", type=Path, metavar="DIRECTORY", help="a new directory")

    def handle(self, *_: Any, target: Path, **__: Any) -> None:
        path, target = preparation.file(), target.absolute()
        extra = [settings.DATA / secret_key.FILE_NAME]
        try:
            if path is None:
                manifest = dump.copy_postgresql(target, extra=extra)
            else:
                manifest = backup.copy_sqlite(path, target, extra=extra)
        except backup.Unusable as error:
            raise CommandError(str(error)) from None
        _remember(target, manifest)
        for log in manifest.logs:
            missing = f", of which {log.missing:,} are missing" if log.missing else ""
            self.stdout.write(f'Log "{log.slug}": {leaves(log.size)}{missing}')
        self.stdout.write(
            f"The backup is in {target}. "
            "It contains the secret key. Protect it as you protect the log. "
            f"It does not contain the signing keys of {settings.DATA / keys.FOLDER}: whoever has "
            "both could sign a forged log. Store a copy of them elsewhere."
        )


def _remember(target: Path, manifest: backup.Manifest) -> None:
    """Write where the last backup is. A directory that has this file once had a database."""
    marker = settings.DATA / preparation.LAST_BACKUP
    sizes = {log.slug: log.size for log in manifest.logs}
    found = {"directory": str(target), "made": manifest.made, "logs": sizes}
    durable_file.write(marker, msgspec.json.encode(found))
