"""`manage.py traindata`: write training examples for nSLIP."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditlog.command import end_silently
from cablese.protocols.nslip.training.examples import ROLES, SEED_LIMIT, make_examples, write_lines
from playground.server.launch.progress import watch


class Command(BaseCommand):
    help = "Writes training examples for nSLIP as NDJSON. The same seed gives the same bytes."
    requires_system_checks = ()  # as for DatabaseCommand

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=_whole, required=True, help="the number of examples")
        parser.add_argument(
            "--seed", type=_whole, required=True, help="a whole number that selects the examples"
        )
        parser.add_argument(
            "--roles",
            default=",".join(ROLES),
            help="roles, separated by commas (default: %(default)s)",
        )
        parser.add_argument(
            "--out", type=Path, help="a file to overwrite (default: standard output)"
        )

    def handle(
        self, *_: Any, count: int, seed: int, roles: str, out: Path | None, **__: Any
    ) -> None:
        chosen = list(dict.fromkeys(roles.split(",")))
        if strange := [role for role in chosen if role not in ROLES]:
            raise CommandError(f'Unknown role "{strange[0]}". Expected {", ".join(ROLES)}.')
        lines = watch(write_lines(make_examples(seed, count, chosen)), count, sys.stderr)
        try:
            with out.open("wb") if out else nullcontext(sys.stdout.buffer) as file:
                file.writelines(lines)
                file.flush()
        except BrokenPipeError:
            raise end_silently() from None
        except OSError as error:
            raise CommandError(
                f"{out or 'Standard output'} cannot be written: {error.strerror}."
            ) from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= SEED_LIMIT):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 0 to {SEED_LIMIT:,}")
    return int(text)
