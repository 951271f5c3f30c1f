from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand, find_log
from auditlog.log.logs import DEFAULT
from auditlog.models import Log
from auditlog.tree import checkpoints, incidents, keys


class Command(DatabaseCommand):
    help = "Sign a checkpoint of everything stored in a log, and print it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--log", default=DEFAULT, help="the log (default: %(default)s)")
        parser.add_argument(
            "--accept-incident",
            action="store_true",
            help="after an incident, sign again with a new key, and retire the older keys",
        )

    def handle(self, *_args: Any, log: str, accept_incident: bool, **_: Any) -> None:
        found = find_log(log)
        try:
            if accept_incident:
                self._accept(found)
            checkpoint = checkpoints.sign_now(found)
        except (keys.Unsound, checkpoints.NotSigned) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The checkpoint cannot be stored: {error}.") from None
        self.stdout.write(checkpoint.note, ending="")

    def _accept(self, log: Log) -> None:
        if incidents.current(log) is None:
            raise CommandError(f'Nothing to accept: the log "{log.slug}" has no incident.')
        key = incidents.accept(log)
        self.stderr.write(f'The key {key.key_id} signs the log "{log.slug}" from now on.')
