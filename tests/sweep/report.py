"""The sweep's choice of routes and shapes, and its table."""

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.installation import running

from .caller import Caller
from .guesses import every_route
from .measure import AT_ONCE, LARGE, SMALL, Found, Sweep, words_of
from .neighbor import Waits, percentile, watching
from .routes import Route
from .shapes import ORDINARY, SHAPES, Shape

SHORT = 8_000
SHORT_SHAPES = ("mark: combining", "JSON: deep goals", "JSON: many keys", "wrapper: logged braces")
SHORT_ORDINARY = ("messages", "records")
PAGE, HEALTH = 0.5, 0.1
"""Seconds that a page (95 of 100) and the health page (99 of 100) of another user may take."""
HEAD = (
    f"Seconds. An answer within {AT_ONCE:g} s is not compared. "
    "Ordinary: the slowest of a few texts of messages."
)
COLUMNS = "{:<52} {:>8} {:>8} {:>6}  {:<30} {:>5} {:>6}"


def run(given: Namespace) -> int:
    routes = [
        one
        for one in every_route()
        if not given.routes or any(part in one.name for part in given.routes)
    ]
    shapes = choose(given.shape, is_short=given.short)
    sizes = (SHORT,) if given.short else (SMALL,) if given.small else (SMALL, LARGE)
    ordinary = [one for one in ORDINARY if not given.short or one.name in SHORT_ORDINARY]
    print(HEAD)
    sweep, waits = measure(
        routes, shapes, ordinary, sizes, minutes=given.minutes, show=_show, tell=_tell
    )
    print()
    for line in table(sweep.found, sizes):
        print(line)
    done = f"{len(shapes)} shapes, {len(routes)} routes"
    print(f"{done}; {sweep.left} requests left out when the time was over")
    print(*neighbor(waits), sep="\n")
    wrong = [f"{found.route.name}: {fault}" for found in sweep.found for fault in found.faults()]
    print(f"{len(wrong)} above a bar", *wrong, sep="\n  ")
    return 1 if wrong else 0


def choose(parts: Sequence[str], *, is_short: bool) -> list[Shape]:
    if is_short:
        return [one for one in SHAPES if str(one) in SHORT_SHAPES]
    return [one for one in SHAPES if not parts or any(part in str(one) for part in parts)]


def measure(
    routes: Sequence[Route],
    shapes: Sequence[Shape],
    ordinary: Sequence[Shape],
    sizes: Sequence[int],
    *,
    minutes: float,
    show: Callable[[Found, int], None] | None = None,
    tell: Callable[[str], None] | None = None,
    is_timed: bool = True,
) -> tuple[Sweep, Waits]:
    """Sweep a server of its own. Print nothing but through ``show`` and ``tell``."""
    began = time.monotonic()
    with (
        TemporaryDirectory(prefix="cablese-sweep-") as folder,
        running(Path(folder, "data")) as installation,
    ):
        caller = Caller(installation)
        cookies = "; ".join(
            f"{name}={value}" for name, value in Caller(installation).cookies.items()
        )
        left = minutes - (time.monotonic() - began) / 60
        sweep = Sweep(caller, routes, ordinary, minutes=left, show=show or _nothing)
        with watching(installation.base_url, cookies) as waits:
            sweep.run(shapes, sizes, tell or _nothing, is_timed=is_timed)
    return sweep, waits


def table(found: Sequence[Found], sizes: Sequence[int]) -> Iterator[str]:
    """Yield the slowest shape of each route beside ordinary text of the same size."""
    yield HEAD
    for size in sizes:
        yield COLUMNS.format(words_of(size), "ordinary", "hostile", "times", "shape", "", "growth")
        for one in sorted(found, key=lambda one: -one.slowest(size)[1]):
            if size in one.hostile:
                yield row(one, size)


def row(one: Found, size: int) -> str:
    name, taken = one.slowest(size)
    times = f"{taken / max(one.usual(size), 1e-3):.1f}" if taken > AT_ONCE else "–"
    grown = f"{one.growth()[1]:.1f}" if size == LARGE else ""
    mark = "slow" if taken > one.allowed(size) else ""
    seconds = f"{one.usual(size):.3f}", f"{taken:.3f}"
    return COLUMNS.format(one.route.name[:52], *seconds, times, name, mark, grown).rstrip()


def _nothing(*_: object) -> None:
    """Print nothing."""


def _show(found: Found, size: int) -> None:
    print(f"{words_of(size):>8} {row(found, size)}", flush=True)


def _tell(words: str) -> None:
    print(words, file=sys.stderr)


def neighbor(waits: Waits) -> Iterator[str]:
    for what, times, share, most in (
        ("page", waits.pages, 95, PAGE),
        ("health page", waits.health, 99, HEALTH),
    ):
        taken = percentile(times, share)
        mark = "" if taken <= most else f", above {most:g} s"
        yield (
            f"Another user's {what}: {share} of 100 within {taken:.3f} s{mark} ({len(times)}"
            f" requests)"
        )
