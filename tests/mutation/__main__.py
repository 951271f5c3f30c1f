"""Run mutants of the product and print which no test notices; fail if one is not accepted.

python -m tests.mutation                      everything: at most an hour on two cores
python -m tests.mutation --kind hand          escapes, permissions, limits, expiries, and proofs
python -m tests.mutation --area search        one area; may be repeated
python -m tests.mutation --only auditlog/log  files whose path starts with this
python -m tests.mutation --list               print the mutants and run nothing

Accepted survivors are in tests/mutation/survivors/, each with a reason.
"""

import argparse
import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tests.mutation import schedule
from tests.mutation.coverage_map import CoverageMap, part_of
from tests.mutation.mutants.areas import AREAS, OTHER, read_product
from tests.mutation.mutants.hand import KINDS, make_hand
from tests.mutation.mutants.mutant import Mutant
from tests.mutation.mutants.operators import COUNT, SEED, make_seeded
from tests.mutation.report import find_missed, read_accepted, report
from tests.mutation.selection import ESCAPES, guards_of, rooms_of
from tests.rooms import ROOT

RESULTS = ROOT / "build/mutation"
LISTED = "results.jsonl"
"""One result a line, written at once, so that a run that is stopped has told what it saw."""


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--minutes", type=float, default=60, help="when to stop (default: 60)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--area", action="append", choices=[*AREAS, OTHER], help="of one area")
    parser.add_argument("--kind", action="append", choices=["hand", "seeded", *KINDS])
    parser.add_argument("--only", action="append", help="of files whose path starts with this")
    parser.add_argument(
        "--tests", action="append", help="run only tests whose path starts with this"
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"of seeded mutants ({SEED})")
    parser.add_argument("--count", type=int, default=COUNT, help=f"of seeded mutants ({COUNT})")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument(
        "--again", action="store_true", help="run only what the last run did not notice"
    )
    parser.add_argument(
        "--reuse", action="store_true",
        help="measure only tests that changed since the last run, or whose code did",
    )  # fmt: skip
    return parser.parse_args(words)


def choose(given: argparse.Namespace, files: dict[str, str]) -> list[Mutant]:
    """Return the mutants that the options ask for, those by hand first, those accepted last."""
    kinds = set(given.kind or ["hand", "seeded"])
    every = [*make_hand(files), *make_seeded(files, given.count, given.seed)]
    survived = read_survivors() if given.again else set()
    accepted = read_accepted()
    chosen = [
        mutant
        for mutant in every
        if (mutant.kind in kinds or (mutant.is_by_hand and "hand" in kinds))
        and (not given.area or mutant.area in given.area)
        and (not given.only or mutant.path.startswith(tuple(given.only)))
        and (not given.again or mutant.key in survived)
    ]
    # Those that were accepted run last: what survives takes the most time.
    return sorted(chosen, key=lambda mutant: mutant.key in accepted)


def read_survivors() -> set[str]:
    """Return the keys of the mutants that the last run did not notice."""
    results = map(json.loads, (RESULTS / LISTED).read_text().splitlines())
    return {result["key"] for result in results if result["outcome"] == "survived"}


def say(mutant: Mutant, result: dict[str, Any]) -> None:
    took = f"{result.get('seconds', 0):5.1f} s, {result['way']}"
    by = result.get("by") or f"{result.get('tests', 0)} tests"
    print(f"{result['outcome']:8}  {mutant.kind}  {mutant.key}  ({took}; {by})", flush=True)
    with (RESULTS / LISTED).open("a") as listed:
        listed.write(json.dumps({"key": mutant.key, **result}) + "\n")


def choose_tests(mutants: list[Mutant], wanted: list[str] | None) -> list[str]:
    """Return the files of tests that some of the mutants need, or those that are wanted."""
    if wanted:
        return [path for path in schedule.test_files() if path.startswith(tuple(wanted))]
    rooms = {room for mutant in mutants for room in rooms_of(mutant.path)}
    rooms |= {path for mutant in mutants for path in guards_of(mutant)}
    if any(mutant.kind == "escape" for mutant in mutants):
        rooms |= set(ESCAPES)
    return [path for path in schedule.test_files() if path.startswith(tuple(rooms))]


def read_coverage(tests: list[str], made: list[schedule.Copy], *, reuse: bool) -> CoverageMap:
    """Measure the tests; with `reuse`, only files that were not, or have changed since, or that
    execute a module that has: its lines have other numbers.
    """
    folder = RESULTS / "coverage"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [
        path for path in tests if not (reuse and is_current(part_of(folder, path), ROOT / path))
    ]
    print(f"Measuring {len(missing)} of {len(tests)} files of tests", flush=True)
    schedule.measure(made, missing, folder)
    coverage = CoverageMap()
    for path in tests:
        if (part := part_of(folder, path)).exists():
            for line in part.read_text().splitlines():
                coverage.add(json.loads(line))
    return coverage


def is_current(part: Path, test: Path, root: Path = ROOT) -> bool:
    """Return whether a map is newer than its tests and than everything that they execute."""
    if not part.exists():
        return False
    executed = {
        name for line in part.read_text().splitlines() for name in json.loads(line)["lines"]
    }
    newest = max(map(_changed, (test, *(root / name for name in executed))))
    return _changed(part) > newest


def _changed(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0


def main(words: list[str]) -> int:
    given, began = parse(words), time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    files = dict(read_product())
    mutants = choose(given, files)
    if given.list:
        print(*(f"{each.kind:10} {each.area:11} {each.key}" for each in mutants), sep="\n")
        return 0
    tests = choose_tests(mutants, given.tests)
    print(f"{len(mutants)} mutants", flush=True)
    with schedule.copies(given.jobs) as made:
        coverage = read_coverage(tests, made, reuse=given.reuse)
        (RESULTS / LISTED).unlink(missing_ok=True)
        until = began + given.minutes * 60
        results = schedule.run(mutants, files, coverage, tests, made, until, say)
    accepted = read_accepted()
    print(*report(mutants, results, files, accepted), sep="\n")
    spent = sum(result.get("cpu", 0) for result in results.values())
    print(f"\nTests of mutants took {spent / 60:.0f} minutes of one processor")
    missed = find_missed(mutants, results, accepted)
    print(
        f"\n{len(missed)} mutants were not noticed; {(time.monotonic() - began) / 60:.0f} minutes"
    )
    return 1 if missed or len(results) < len(mutants) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
