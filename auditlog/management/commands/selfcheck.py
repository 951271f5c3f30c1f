from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.check import bars
from auditlog.check.run import Overtaken, Run
from auditlog.check.table import SelfCheck
from auditlog.command import DatabaseCommand, find_log
from auditlog.models import Log


class Command(DatabaseCommand):
    help = (
        "Compare everything stored for a log with its leaves, tree, and keys. Can be"
        " stopped and continued. The result becomes a leaf of the log."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--log", metavar="NAME", help="check one log (default: all logs)")
        parser.add_argument(
            "--full",
            action="store_true",
            help="also compare the search index, findings, and statistics with the packets",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        every = options["log"] is None
        logs = Log.objects.order_by("slug") if every else [find_log(options["log"])]
        if sum(self._check(log, full=options["full"]) for log in logs):
            raise CommandError("The self-check found faults.")

    def _check(self, log: Log, *, full: bool) -> int:
        row, _ = SelfCheck.objects.get_or_create(log=log)
        if row.asked is not None or row.began is None or row.ended is not None:
            row.full = full or (row.asked is not None and row.full)
        else:
            self.stdout.write(f"{log.slug}: continues at leaf {max(row.leaves, row.terms):,}.")
        run = Run(row)
        try:
            bars.show(run.steps(), self.stdout)
        except Overtaken:
            raise CommandError(f'Another process is checking the log "{log.slug}".') from None
        for one in run.faults.named:
            self.stdout.write(f"{log.slug}: {one}")
        self.stdout.write(bars.summarize(row))
        return row.faults
