"""Commands of `manage.py` that need the database: each says what is wrong in a sentence, and makes
no database.

SQLite creates a file that it is asked to open. An empty file in the place of a lost log would hide
that it is lost.
"""

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from auditlog.database import condition, faults
from auditlog.models import Log

BROKEN_PIPE = 141
"""The exit code that a shell gives to a command that SIGPIPE ended."""


class DatabaseCommand(BaseCommand):
    """Refuse to run without a database that `manage.py up` has prepared."""

    requires_system_checks = ()  # they load every page, and find nothing that an operator did

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command. Raises CommandError for a database that is missing or does not work."""
        try:
            _require_prepared()
            output = super().execute(*args, **options)
            sys.stdout.flush()
            return output
        except BrokenPipeError:
            raise end_silently() from None
        except DatabaseError as error:
            fault = faults.find(error)
            if fault is None:
                raise
            raise CommandError(f"{fault.message} {fault.advice} ({fault.reason})") from None


def end_silently() -> SystemExit:
    """Return the end of a command whose reader has closed the pipe, as in `| head -1`."""
    # Python still flushes standard output when it exits.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return SystemExit(BROKEN_PIPE)


def find_log(slug: str) -> Log:
    """Return a log by its name. Raises CommandError."""
    log = Log.objects.filter(slug=slug).first()
    if log is None:
        raise CommandError(f'Unknown log "{slug}".')
    return log


def _require_prepared() -> None:
    name = str(connection.settings_dict["NAME"])
    if not condition.is_there(Path(name) if connection.vendor == "sqlite" else None):
        raise CommandError(
            f"The database {name} is missing or empty. Start Cablese with: manage.py up. "
            "It creates a database, or reports that an earlier one is lost and what to do."
        )
