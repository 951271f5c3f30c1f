"""`manage.py restore`: replace the database with a backup."""

import os
import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditlog.continuity.high_water import Unreadable
from auditlog.database.backup import Unusable
from auditlog.database.condition import Unfit
from auditlog.log.logs import SLUG
from playground.server.restoring import Consent, restore


class Command(BaseCommand):
    help = "Replaces the database with a backup. The old database is moved to another directory."
    requires_system_checks = ()  # as for DatabaseCommand

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "source", type=Path, metavar="DIRECTORY", help="a directory written by manage.py backup"
        )
        parser.add_argument(
            "--older",
            action="store_true",
            help="accept the loss of the leaves that came after the backup",
        )
        parser.add_argument(
            "--nothing-newer",
            action="store_true",
            help="confirm that no packet was stored after the backup",
        )
        parser.add_argument(
            "--last-leaf", action="append", default=[], type=_last_leaf, metavar="LOG=INDEX",
            help="the highest leaf index of any receipt of a log; can be repeated, once per log",
        )  # fmt: skip

    def handle(
        self,
        *_: Any,
        source: Path,
        older: bool,
        nothing_newer: bool,
        last_leaf: list[tuple[str, int]],
        **__: Any,
    ) -> None:
        os.umask(0o077)
        try:
            restore(
                source.absolute(), Consent(older, nothing_newer, dict(last_leaf)), self.stdout.write
            )
        except (Unfit, Unusable, Unreadable) as error:
            raise CommandError(str(error)) from None
        self.stdout.write("The backup is restored. Start Cablese with: manage.py up")


def _last_leaf(text: str) -> tuple[str, int]:
    slug, _, index = text.partition("=")
    if not SLUG.fullmatch(slug) or not re.fullmatch(r"[0-9]{1,15}", index):
        raise ArgumentTypeError(f"expected LOG=INDEX, such as default=812344, not {text!r}")
    return slug, int(index)
