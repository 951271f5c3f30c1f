from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from auditlog.continuity import clock, segments
from auditlog.log.leaf import format_time
from auditlog.models import Log


class Command(DatabaseCommand):
    help = "Compare this machine's clock with the newest leaf of each log, or accept the clock."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act")
        accept = acts.add_parser(
            "accept",
            help="use this machine's time for new packets, even if leaves have later times",
        )
        accept.add_argument(
            "--log",
            action="append",
            metavar="SLUG",
            help="only this log; can be repeated",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["act"] == "accept":
            self._accept(options["log"])
        else:
            self._show()

    def _show(self) -> None:
        now = clock.read()
        self.stdout.write(f"clock\t{format_time(now)}")
        ends = Log.objects.exclude(end__received=None).order_by("slug")
        for slug, received in ends.values_list("slug", "end__received"):
            assert received is not None
            ahead = received - now
            words = f"{clock.long(ahead)} ahead" if ahead > clock.TOLERANCE else "not ahead"
            refused = ", accepts no packets" if ahead > clock.limit() else ""
            self.stdout.write(f"{slug}\t{format_time(received)}\t{words}{refused}")

    def _accept(self, slugs: list[str] | None) -> None:
        missing = set(slugs or ()) - set(Log.objects.values_list("slug", flat=True))
        if missing:
            raise CommandError(f"Unknown log {', '.join(sorted(missing))}.")
        accepted = segments.accept(slugs)
        if not accepted:
            raise CommandError("Nothing to accept: the clock is not behind any of these logs.")
        for one in accepted:
            self.stdout.write(
                f'The log "{one.log}" uses this machine\'s time from leaf {one.leaf:,} on, '
                f"{clock.long(one.ahead)} earlier than the leaf before."
            )
