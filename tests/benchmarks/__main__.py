"""Prints what was asked for, or everything, and says which targets were missed.

python -m tests.benchmarks tokens decode
python -m tests.benchmarks size growth export --packets 1000000
python -m tests.benchmarks compare main~5 decode      see `compare`
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import walk_packages

import django
from django.apps import apps

from tests.benchmarks import groups
from tests.benchmarks.line import Line

SIZED = ("size", "growth", "evidence", "export", "kinds", "selfcheck", "tree")
"""Groups that take a number of packets."""
COLUMNS = "{:<58} {:>10} {:>10} {:>8} {:>7}"


def main(chosen: list[str]) -> int:
    if not apps.ready:  # a second setup closes the handlers of every logging library
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        django.setup()
    if chosen[:1] == ["compare"]:
        return int(import_module("tests.benchmarks.compare").main(chosen[1:]))
    packets, chosen = _take_packets(chosen)
    found = find()
    if unknown := [name for name in chosen if name not in found]:
        print(
            f"There is no benchmark {', '.join(unknown)}; there are {', '.join(found)}.",
            file=sys.stderr,
        )
        return 2
    print(COLUMNS.format("what", "ours", "baseline", "ratio", "target"))
    missed = wrong = 0
    for name in chosen or found:
        try:
            for line in measure(name, packets if name in SIZED else None):
                missed += line.missed
                print(row(line), flush=True)
        except AssertionError as error:  # what was measured is not what it should do
            wrong += 1
            print(f"{name}: {error}", file=sys.stderr)
    if missed:
        print(f"{missed} below target")
    return 1 if wrong else 0


def find() -> dict[str, str]:
    """Return the names of the groups of figures, with their modules."""
    modules = walk_packages(groups.__path__, f"{groups.__name__}.")
    return {one.name.rpartition(".")[2]: one.name for one in modules if not one.ispkg}


def _take_packets(chosen: list[str]) -> tuple[int | None, list[str]]:
    """Return how many packets the groups in `SIZED` store, if that is given, and the names."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*")
    sized = ", ".join(SIZED)
    parser.add_argument("--packets", type=int, help=f"how many packets to store for {sized}")
    given = parser.parse_args(chosen)
    return given.packets, given.names


def measure(name: str, packets: int | None = None) -> Iterable[Line]:
    work: Callable[..., Iterable[Line]] = import_module(find()[name]).measure
    return work() if packets is None else work(packets)


def row(line: Line) -> str:
    ratio = "–" if line.ratio is None else f"{line.ratio:.2f} ×"
    target = "–" if line.target is None else f"{line.target:g} ×"
    mark = " below target" if line.missed else ""
    return COLUMNS.format(line.what, line.ours, line.baseline, ratio, target) + mark


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
