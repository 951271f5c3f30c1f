from argparse import ArgumentParser
from typing import Any

from auditlog.command import DatabaseCommand
from auditlog.findings.following import position
from cablese.amount import leaves


class Command(DatabaseCommand):
    help = "Show how far the findings of each log are made. A running server makes them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--again", action="store_true", help="have the findings of every packet made again"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["again"]:
            position.make_again()
        for log, behind, again in position.read_progress():
            state = f"{leaves(behind)} behind" if behind else "up to date"
            left = f", {leaves(again)} to be made again" if again else ""
            self.stdout.write(f"{log}: {state}{left}.")
