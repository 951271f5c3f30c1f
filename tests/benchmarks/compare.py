"""Is this revision as fast as another? The same work by both, in turns, in one run.

    python -m tests.benchmarks compare main~5 decode "split mixed" --rounds 9 --strict

The other revision is checked out beside this one, without what is not committed; each side is a
process of its own. They take turns, and who goes first changes every round. A figure is the median
over the rounds of the other's time divided by ours (above 1: we became faster), with the middle
half of the rounds behind it. See `figures` for what is timed and how.
"""

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from statistics import median, quantiles

from tests.benchmarks.figures import Figure, all_figures
from tests.benchmarks.line import duration
from tests.checkout import worktree

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 9
LEAST = 0.90
"""Below this ratio a figure is marked."""
COLUMNS = "{:<44} {:>10} {:>10} {:>8}  {}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks compare")
    parser.add_argument("revision", help="what to compare with, as git names it")
    parser.add_argument("names", nargs="*", help="groups or parts of the names of figures")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument(
        "--strict", action="store_true", help=f"fail when a figure is below {LEAST}"
    )
    given = parser.parse_args(words)
    chosen = [figure for figure in all_figures() if matches(figure, given.names)]
    if not chosen or given.rounds < 2:
        parser.error(
            f"there is no figure {', '.join(given.names)}"
            if not chosen
            else "--rounds is at least 2"
        )
    print(
        f"Best of a few runs in {given.rounds} rounds; seconds of the processor, and for a"
        f" browser of the clock."
    )
    print(COLUMNS.format("what", given.revision[:10], "ours", "ratio", "middle half"), flush=True)
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM)
    )  # the checkout is then taken away too
    slower = 0
    with worktree(given.revision) as other:
        for _, group in groupby(chosen, key=lambda figure: figure.group):
            with side(other) as theirs, side(ROOT) as ours:
                for figure in group:
                    slower += compare(figure, theirs, ours, given.rounds)
    print(f"{slower} below {LEAST}" if slower else f"None below {LEAST}")
    return 1 if slower and given.strict else 0


def matches(figure: Figure, names: list[str]) -> bool:
    return not names or any(name == figure.group or name in figure.name for name in names)


def compare(figure: Figure, theirs: "Side", ours: "Side", rounds: int) -> bool:
    """Print the row of a figure; True when we are slower than is allowed."""
    times = []
    for number in range(rounds):
        sides = (theirs, ours) if number % 2 else (ours, theirs)
        taken = {one: one.seconds(figure.name) for one in sides}
        times.append((taken[theirs], taken[ours]))
    ratios = [before / now for before, now in times]
    ratio = median(ratios)
    low, _, high = quantiles(ratios, n=4)
    slow = ratio < LEAST
    before, now = (duration(median(column)) for column in zip(*times, strict=True))
    mark = f"{low:.2f} to {high:.2f}{f' below {LEAST}' if slow else ''}"
    print(COLUMNS.format(figure.name, before, now, f"{ratio:.2f} ×", mark), flush=True)
    return slow


class Side:
    """A process that takes figures of one revision, see `side.py`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._answer()

    def seconds(self, name: str) -> float:
        assert self.process.stdin
        self.process.stdin.write(json.dumps([name]) + "\n")
        self.process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        assert self.process.stdout
        if line := self.process.stdout.readline():
            answer: str = json.loads(line)
            return answer
        raise SystemExit("A side ended; its words are above.")


@contextmanager
def side(root: Path) -> Iterator[Side]:
    program = [sys.executable, "-P", str(Path(__file__).with_name("side.py")), str(root)]
    with subprocess.Popen(
        program, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Side(process)
        finally:
            assert process.stdin
            process.stdin.close()  # it then takes down what it has set up
            process.wait(timeout=60)
