from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from auditlog.log import logs
from auditlog.models import Log


class Command(DatabaseCommand):
    help = "Create a log, or list all logs."

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

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["act"] == "create":
            try:
                log = logs.create(
                    slug=options["slug"], title=options["title"], host=options["host"]
                )
            except logs.BadLog as error:
                raise CommandError(str(error)) from None
            self.stdout.write(log.origin or log.slug)
            return
        for log in Log.objects.select_related("end").order_by("slug"):
            origin = log.origin or "-"
            self.stdout.write(f"{log.slug}\t{origin}\t{log.end.size}\t{log.title}")
