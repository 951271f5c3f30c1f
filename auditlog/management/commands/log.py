from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction

from auditlog.command import DatabaseCommand, find_log
from auditlog.log import logs
from auditlog.models import Log, Witness
from auditlog.tree import keys, publication
from auditlog.witness import asking
from cablese.amount import leaves


class Command(DatabaseCommand):
    help = "Create and list logs, choose who can read a log's tree, and choose its witnesses."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser(
            "create", help="create a log; its name and origin cannot be changed later"
        )
        create.add_argument("slug", help="log name: 1 to 40 of the characters a-z, 0-9, and -")
        create.add_argument("--title", default="", help="display name (default: the log name)")
        create.add_argument(
            "--host", default="", help="host part of the origin (default: that of the default log)"
        )
        acts.add_parser("list", help="list all logs with their origin and number of leaves")
        publish = acts.add_parser("publish", help="choose who can read the checkpoints and tiles")
        publish.add_argument("slug", help="log name")
        readers = publish.add_mutually_exclusive_group(required=True)
        readers.add_argument("--public", action="store_true", help="anyone")
        readers.add_argument(
            "--private", action="store_true", help="signed-in people, and keys with the scope read"
        )

        witness = acts.add_parser("witness", help="choose the witnesses that cosign checkpoints")
        witness.add_argument("slug", help="log name")
        witness.add_argument(
            "--add", nargs=2, metavar=("URL", "KEY"), help="add a witness, by its URL and key"
        )
        witness.add_argument("--remove", metavar="URL", help="remove a witness")
        witness.add_argument(
            "--require", type=int, metavar="K", help="publish only what K witnesses cosigned"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, f"_{options['act']}")(options)

    def _create(self, options: dict[str, Any]) -> None:
        try:
            log = logs.create(slug=options["slug"], title=options["title"], host=options["host"])
            keys.ensure(log)
        except (logs.BadLog, keys.Unsound) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(log.origin or log.slug)

    def _list(self, _options: dict[str, Any]) -> None:
        for log in Log.objects.select_related("end").order_by("slug"):
            origin = log.origin or "-"
            self.stdout.write(f"{log.slug}\t{origin}\t{log.end.size}\t{log.title}")

    def _publish(self, options: dict[str, Any]) -> None:
        log = find_log(options["slug"])
        public = publication.change(log, public=options["public"]).public
        readers = "Anyone" if public else "Signed-in people and keys with the scope read"
        self.stdout.write(f'{readers} can read the tree of the log "{log.slug}".')

    def _witness(self, options: dict[str, Any]) -> None:
        log = find_log(options["slug"])
        with transaction.atomic():
            if options["add"]:
                self._add(log, *options["add"])
            if options["require"] is not None:
                self._require(log, options["require"])
            if options["remove"]:
                self._remove(log, options["remove"])
        self._list_witnesses(log)

    def _add(self, log: Log, url: str, key: str) -> None:
        try:
            asking.add(log, url=url, key=key)
        except asking.BadWitness as error:
            raise CommandError(str(error)) from None

    def _remove(self, log: Log, url: str) -> None:
        found = Witness.objects.filter(log=log, url=url.rstrip("/"))
        if not found:
            raise CommandError(f"Unknown witness {url}.")
        if Witness.objects.filter(log=log).count() - len(found) < publication.read(log).required:
            raise CommandError("The log requires this witness. Lower --require first.")
        found.delete()

    def _require(self, log: Log, required: int) -> None:
        number = Witness.objects.filter(log=log).count()
        if required and not number:
            raise CommandError(f"Log {log.slug} has no witnesses. Add one with --add URL KEY.")
        if not 0 <= required <= number:
            raise CommandError(f"--require must be from 0 to {number}, the number of witnesses.")
        publication.change(log, required=required)

    def _list_witnesses(self, log: Log) -> None:
        for witness in Witness.objects.filter(log=log).order_by("pk"):
            state = witness.problem or f"cosigned {leaves(witness.size)}"
            self.stdout.write(f"{witness.url}\t{witness.key}\t{state}")
        self.stdout.write(f"Required: {publication.read(log).required}")
