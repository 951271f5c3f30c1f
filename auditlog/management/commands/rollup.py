from argparse import ArgumentParser
from typing import Any

from auditlog.command import DatabaseCommand
from auditlog.models import Log
from auditlog.rollup import recount
from cablese.amount import leaves


class Command(DatabaseCommand):
    help = (
        "Count packets for the statistics, while the log is in use. Can be stopped and continued."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--all",
            action="store_true",
            help="count every packet again (default: packets that are not counted yet)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["all"]:
            for log in Log.objects.order_by("pk"):
                recount.begin(log.pk)
        done = None
        for done in recount.run():
            self.stdout.write(f"{done.log}: counted {done.done:,} of {leaves(done.total)}.")
        if done is None:
            self.stdout.write(
                "Every packet is counted. To count all again: manage.py rollup --all."
            )
