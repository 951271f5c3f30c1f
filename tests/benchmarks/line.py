"""One line of a benchmark's table, and how its two numbers are measured."""

import gc
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

ROUNDS = 15


@dataclass(frozen=True, kw_only=True)
class Line:
    """``ratio`` says how many times better ours is than the baseline; ``target`` what it has to
    reach.
    """

    what: str
    ours: str
    baseline: str = "–"
    ratio: float | None = None
    target: float | None = None

    @property
    def missed(self) -> bool:
        return self.ratio is not None and self.target is not None and self.ratio < self.target


def faster(
    what: str, *, ours: float, baseline: float, items: int = 1, target: float | None = None
) -> Line:
    """A line of two durations in seconds, each shown as the time of one of `items`."""
    return Line(
        what=what,
        ours=duration(ours / items),
        baseline=duration(baseline / items),
        ratio=baseline / ours,
        target=target,
    )


def interleaved(*sides: Callable[[], float], rounds: int = ROUNDS) -> tuple[float, ...]:
    """The median of each side's durations. The sides take turns, so that what else this machine
    does meets them all.

    A side runs once and says how long that took (see `timed`): it may do so in another process. The
    first round warms up and is not counted.
    """
    times = [[side() for side in sides] for _ in range(rounds + 1)][1:]
    return tuple(statistics.median(column) for column in zip(*times, strict=True))


def timed(
    work: Callable[[], object], clock: Callable[[], float] = perf_counter
) -> Callable[[], float]:
    """`work` as a side of `interleaved`. The garbage of the side before it is not charged to it."""

    def side() -> float:
        gc.collect()
        begin = clock()
        work()
        return clock() - begin

    return side


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
