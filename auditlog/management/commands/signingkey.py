from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand, find_log
from auditlog.log.logs import DEFAULT
from auditlog.models import Log
from auditlog.tree import checkpoints, incidents, keys
from cablese.tlog.note import format_verifier


class Command(DatabaseCommand):
    help = "List, rotate, and retire the keys that sign the checkpoints of a log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        every = acts.add_parser("list", help="list all public keys, for verifiers")
        every.add_argument("--log", help="only this log (default: all logs)")
        every.add_argument(
            "--verifier-keys",
            action="store_true",
            help="print only the keys, one a line, as a file for cablese-verify --key",
        )
        rotate = acts.add_parser(
            "rotate", help="add a key that signs from now on, together with the older ones"
        )
        rotate.add_argument("--log", default=DEFAULT, help="the log (default: %(default)s)")
        retire = acts.add_parser("retire", help="stop signing with a key, and delete it")
        retire.add_argument("id", help="key ID: eight hexadecimal digits")
        retire.add_argument("--log", default=DEFAULT, help="the log (default: %(default)s)")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except (keys.Unsound, checkpoints.NotSigned) as error:
            raise CommandError(str(error)) from None

    def _list(self, options: dict[str, Any]) -> None:
        logs = [find_log(options["log"])] if options["log"] else Log.objects.order_by("slug")
        for log in logs:
            for key in keys.history(log):
                if options["verifier_keys"]:
                    self.stdout.write(format_verifier(key.verifier))
                    continue
                state = f"added in leaf {key.added:,}"
                if key.retired is not None:
                    state += f", retired in leaf {key.retired:,}"
                self.stdout.write(f"{log.slug}\t{format_verifier(key.verifier)}\t{state}")

    def _rotate(self, options: dict[str, Any]) -> None:
        log = find_log(options["log"])
        if incident := incidents.current(log):
            raise CommandError(f"{incident.message} {incident.advice}")
        key = keys.add(log)
        checkpoints.sign_now(log)
        self.stdout.write(format_verifier(key.verifier))

    def _retire(self, options: dict[str, Any]) -> None:
        log = find_log(options["log"])
        # The next key must have signed this tree before the one before it cannot.
        checkpoints.sign_now(log)
        keys.retire(log, options["id"])
        checkpoints.sign_now(log)
        self.stdout.write(f"Retired {options['id']}")
