from argparse import ArgumentParser
from typing import Any

from auditlog.command import DatabaseCommand
from auditlog.log import reindex
from cablese.amount import count


class Command(DatabaseCommand):
    help = "Index packets again for search, while the log is in use. Can be stopped and continued."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--all",
            action="store_true",
            help="every packet (default: packets that an earlier version has indexed)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["all"]:
            reindex.forget()
        done = 0
        for progress in reindex.run():
            done = progress.done
            self.stdout.write(f"Indexed {done:,} of {count(progress.total, 'packet')}.")
        if not done:
            self.stdout.write(
                "Every packet is indexed. To index all again: manage.py reindex --all."
            )
