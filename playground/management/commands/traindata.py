"""`manage.py traindata`: examples from which a model learns to speak nSLIP."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cablese.protocols.nslip.training.examples import ROLES, SEED_LIMIT, make_examples, write_lines
from playground.server.launch.progress import watch


class Command(BaseCommand):
    help = (
        "Writes training examples for nSLIP as lines of JSON. The same seed gives the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=_whole, required=True, help="how many examples")
        parser.add_argument(
            "--seed", type=_whole, required=True, help="a whole number; another one, other examples"
        )
        parser.add_argument(
            "--roles",
            default=",".join(ROLES),
            help="which roles, separated by commas (%(default)s)",
        )
        parser.add_argument(
            "--out", type=Path, help="a file, which is written anew; standard output when left out"
        )

    def handle(
        self, *_: Any, count: int, seed: int, roles: str, out: Path | None, **__: Any
    ) -> None:
        chosen = list(dict.fromkeys(roles.split(",")))
        if strange := [role for role in chosen if role not in ROLES]:
            raise CommandError(
                f'"{strange[0]}" is no role that answers; there are {", ".join(ROLES)}.'
            )
        lines = watch(write_lines(make_examples(seed, count, chosen)), count, sys.stderr)
        try:
            with out.open("wb") if out else nullcontext(sys.stdout.buffer) as file:
                file.writelines(lines)
                file.flush()
        except BrokenPipeError:
            # The reader has had enough (`| head`). What Python writes when it ends must go
            # somewhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            raise CommandError(
                f"{out or 'Standard output'} cannot be written: {error.strerror}."
            ) from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= SEED_LIMIT):
        raise ArgumentTypeError(f"{text!r} is no whole number from 0 to {SEED_LIMIT:,}")
    return int(text)
