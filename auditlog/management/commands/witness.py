from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from auditlog.log.leaf import format_time
from auditlog.models import WatchedLog
from auditlog.tree import keys
from auditlog.witness import cosigning, identity, recalling
from cablese.tlog import note


class Command(DatabaseCommand):
    help = "Cosign the checkpoints of other installations' logs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("key", help="print the public key of this witness, made on first use")
        acts.add_parser("list", help="list the logs and the size cosigned last")
        add = acts.add_parser("add", help="cosign a log from now on")
        add.add_argument("keys", nargs="+", metavar="KEY", help="a verifier key of the log")
        remove = acts.add_parser(
            "remove", help="stop cosigning a log, and delete the record of its cosigned checkpoints"
        )
        remove.add_argument("origin", help="the origin of the log")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except (keys.Unsound, note.BadKey) as error:
            raise CommandError(str(error)) from None

    def _key(self, _options: dict[str, Any]) -> None:
        self.stdout.write(note.format_verifier(identity.make().verifier))

    def _list(self, _options: dict[str, Any]) -> None:
        for log in WatchedLog.objects.order_by("origin"):
            at = format_time(log.cosigned) if log.cosigned else "never cosigned"
            self.stdout.write(f"{log.origin}\t{log.size}\t{at}")

    def _add(self, options: dict[str, Any]) -> None:
        verifiers = [note.parse_verifier(text) for text in options["keys"]]
        identity.make()
        for log in cosigning.watch(verifiers):
            self.stdout.write(f"Cosigns {log.origin}")

    def _remove(self, options: dict[str, Any]) -> None:
        if not WatchedLog.objects.filter(pk=options["origin"]).delete()[0]:
            raise CommandError(f"Unknown log {options['origin']}.")
        recalling.forget(options["origin"])
        self.stdout.write(f"Removed {options['origin']}")
