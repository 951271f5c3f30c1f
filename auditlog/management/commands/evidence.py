import sys
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from auditlog.evidence import selection
from auditlog.evidence.pack import Pack
from auditlog.evidence.selection import KINDS
from auditlog.evidence.signed import NoCheckpoint, find_signed
from auditlog.log.draft import DEFAULT_LOG
from auditlog.models import Log
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from cablese.amount import count

INVALID = 2
OPERATOR = "an operator"
_PAUSE = 0.2
"""Seconds between two progress lines."""


class Command(DatabaseCommand):
    help = "Write an evidence pack: a zip file that proves to anyone which packets are in the log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "query", nargs="?", default="", help="for example 'goal:42' or 'leaf:1..50' (all)"
        )
        parser.add_argument(
            "-o", "--output", type=Path, help="the file (default: named after the log)"
        )
        parser.add_argument("--log", default=DEFAULT_LOG, help="the log (default: default)")
        parser.add_argument("--at", type=int, help="the size of the log to search (default: now)")
        parser.add_argument(
            "--withhold",
            action="append",
            choices=KINDS,
            default=[],
            help="content to leave out; can be repeated",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        pack = _begin(options)
        path: Path = options["output"] or Path(pack.name)
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                self._write(pack, file.write)
            part.replace(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        finally:
            part.unlink(missing_ok=True)
        self.stdout.write(
            f"{path}: {count(pack.tally.packets, 'packet')}, {path.stat().st_size:,} bytes."
        )

    def _write(self, pack: Pack, write: Callable[[bytes], int]) -> None:
        shown = 0.0
        is_seen = sys.stderr.isatty()
        for block in pack.write():
            write(block)
            if is_seen and monotonic() - shown > _PAUSE:
                shown = monotonic()
                self.stderr.write(f"\r{_say(pack)}", ending="")
        if is_seen:
            self.stderr.write(f"\r{_say(pack)}")


def _begin(options: dict[str, Any]) -> Pack:
    """Return the pack to write. Raises CommandError."""
    log = Log.objects.filter(slug=options["log"]).first()
    if log is None:
        raise CommandError(
            f"Unknown log {options['log']}. To list all: manage.py log list.", returncode=INVALID
        )
    try:
        chosen = selection.begin(
            log, options["query"].strip(), at=options["at"], withheld=options["withhold"]
        )
        return Pack(chosen, find_signed(chosen), datetime.now(UTC), OPERATOR)
    except (QueryError, BadPin) as error:
        raise CommandError(str(error), returncode=INVALID) from None
    except NoCheckpoint as error:
        raise CommandError(str(error)) from None


def _say(pack: Pack) -> str:
    of = "" if pack.total is None else f" of {pack.total:,}"
    return f"{pack.done:,}{of} packets"
