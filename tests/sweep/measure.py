"""The sweep itself: every shape to every route, the slowest again and larger, and what is too slow.

A time is that of a request on a real server, as its client sees it. One above a bar is taken again,
at once and after all others of its size, and the shortest counts: other programs may run on the
machine, and a busy moment outlasts a request.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil

from .caller import Answer, Caller
from .routes import Route
from .shapes import Shape

SMALL, LARGE = 60_000, 1_000_000
TENTH = 0.1
"""The share of the shapes, the slowest of a route, that are sent large."""
TIMES = 3.0
"""How many times as long as ordinary text a hostile one may take."""
GROWTH = 25.0
"""How many times as long a large text may take as a small one."""
MOST = {SMALL: 1.0, LARGE: 5.0}
"""Seconds that an answer may take."""
AT_ONCE = 0.1
"""An answer within so many seconds is quick, however quick another one is.

Hostile text is compared with no less: some routes answer ordinary text within a few milliseconds,
of which three times is less than a busy machine adds.
"""
FIRST = 2 / 3
"""The share of the time that small texts may take when there are larger ones."""
AGAIN = 2
"""Times that what is too slow is measured again."""
SEED = 1
"""Of the order of the shapes: when the time is over, each family has had its share."""


@dataclass
class Found:
    """What a route took: the seconds of ordinary text by size, and of hostile shapes by size."""

    route: Route
    ordinary: dict[int, dict[str, float]] = field(default_factory=dict)
    hostile: dict[int, dict[str, float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """Shapes that were answered with a failure of the server."""
    is_told: bool = False
    """Whether it has been reported that a bar is exceeded."""

    def usual(self, size: int) -> float:
        """Return the seconds of the ordinary text that takes longest."""
        return max(self.ordinary.get(size, {}).values(), default=0.0)

    def allowed(self, size: int) -> float:
        """Return the seconds that hostile text may take."""
        return min(MOST.get(size, MOST[SMALL]), TIMES * max(self.usual(size), AT_ONCE))

    def slowest(self, size: int) -> tuple[str, float]:
        times = self.hostile.get(size, {})
        return max(times.items(), key=lambda one: one[1], default=("", 0.0))

    def growth(self) -> tuple[str, float]:
        """Return the shape that grows most, and how many times as long the large one takes."""
        small, large = self.hostile.get(SMALL, {}), self.hostile.get(LARGE, {})
        grown = {name: taken / max(small[name], AT_ONCE / GROWTH) for name, taken in large.items()}
        return max(grown.items(), key=lambda one: one[1], default=("", 0.0))

    def faults(self) -> Iterator[str]:
        yield from self.failed
        for size, most in MOST.items():
            name, taken = self.slowest(size)
            if taken > most:
                yield f"{name}: over {most:g} s at {words_of(size)}"
            if taken > TIMES * max(self.usual(size), AT_ONCE):
                yield f"{name}: over {TIMES:g} times ordinary text at {words_of(size)}"
        name, times = self.growth()
        if times > GROWTH:
            yield f"{name}: over {GROWTH:g} times as long at {words_of(LARGE)}"


class Sweep:
    """Sends shapes to routes until ``minutes`` are over; ``left`` is what was not sent.

    ``show`` gets each route when it has been measured at a size, and the first time it exceeds a
    bar.
    """

    def __init__(
        self,
        caller: Caller,
        routes: Sequence[Route],
        ordinary: Sequence[Shape],
        *,
        minutes: float,
        show: Callable[[Found, int], None],
    ) -> None:
        self.caller = caller
        self.ordinary = ordinary
        self.found = sorted(map(Found, routes), key=lambda found: _place(found, LARGE))
        self.began = time.monotonic()
        self.minutes = minutes
        self.show = show
        self.ends = self.began
        self.left = 0

    def run(
        self,
        shapes: Sequence[Shape],
        sizes: Sequence[int],
        tell: Callable[[str], None],
        *,
        is_timed: bool = True,
    ) -> None:
        """Send everything. If the times count, send ordinary text once before that, because the
        first request loads vocabularies.
        """
        small, *larger = sizes
        self.caller.ends = self.began + 60 * self.minutes
        shapes = random.Random(SEED).sample(shapes, len(shapes))
        self.ends = self.began + 60 * self.minutes * (FIRST if larger else 1)
        texts = (*(self.ordinary if is_timed else ()), *self.ordinary, *shapes)
        for number, shape in enumerate(texts):
            self._send(shape, small, self.found)
            tell(f"{number + 1} of {len(texts)} texts, {shape}")
        self.ends = self.began + 60 * self.minutes
        for found in self.found:
            self._again(found, shapes, small)
            self.show(found, small)
        for size in larger:
            self._larger(shapes, small, size, tell)
            for found in self.found:
                if self._again(found, shapes, size):
                    self.show(found, size)

    def _again(self, found: Found, shapes: Sequence[Shape], size: int) -> bool:
        """Send again what was too slow, and the ordinary text of that route, both some time
        later. Return whether there was any.
        """
        times, allowed = found.hostile.get(size, {}), found.allowed(size)
        slow = [shape for shape in shapes if times.get(str(shape), 0.0) > allowed]
        for shape in (*self.ordinary, *slow) if slow else ():
            self._send(shape, size, [found])
        return bool(slow)

    def _larger(
        self, shapes: Sequence[Shape], small: int, size: int, tell: Callable[[str], None]
    ) -> None:
        """Send the slowest shapes of each route, those of the slowest routes first."""
        by_name = {str(shape): shape for shape in shapes}
        slowest = sorted(self.found, key=lambda found: -found.slowest(small)[1])
        for number, found in enumerate(one for one in slowest if one.route.limit >= size):
            times = found.hostile.get(small, {})
            worst = sorted(times, key=lambda name: -times[name])[: ceil(len(times) * TENTH)]
            for shape in (*self.ordinary, *(by_name[name] for name in worst)):
                self._send(shape, size, [found])
            self.show(found, size)
            tell(f"route {number + 1} at {words_of(size)}, {found.route.name}")

    def _send(self, shape: Shape, size: int, founds: Iterable[Found]) -> None:
        """Send one text to some routes, and store it once for all that show what is stored."""
        for stored, some in groupby(founds, key=lambda found: _place(found, size)):
            wanted = list(some)
            if self._is_over():
                self.left += len(wanted)
                continue
            kind, length = stored
            text = shape.text(length)
            with self._stored(kind, text) as values:
                for found in wanted:
                    if self._is_over():
                        self.left += 1
                    else:
                        self._take(found, shape, size, text, values)

    def _is_over(self) -> bool:
        return time.monotonic() > self.ends

    @contextmanager
    def _stored(self, kind: str, text: str) -> Iterator[dict[str, str]]:
        values = self.caller.store(kind, text) if kind else {}
        try:
            yield values
        finally:
            self.caller.forget(kind, values)

    def _take(
        self, found: Found, shape: Shape, size: int, text: str, values: dict[str, str]
    ) -> None:
        answer = self.caller.send(found.route, text, values)
        taken = answer.seconds
        if found.route.stored == "pad" and size != SMALL:
            # It keeps the rows that it has drawn, and of small texts another route drew them first.
            taken = min(taken, self.caller.send(found.route, text, values).seconds)
        is_ordinary = shape in self.ordinary
        allowed = found.allowed(size)
        for _ in range(AGAIN):
            if is_ordinary or self._is_over() or not allowed < taken < TIMES * allowed:
                break
            taken = min(taken, self.caller.send(found.route, text, values).seconds)
        if answer.status != found.route.refusal and _is_failure(answer):
            found.failed.append(
                f"{shape}: answered {answer.status or 'nothing'} at {words_of(size)}"
            )
        times = (found.ordinary if is_ordinary else found.hostile).setdefault(size, {})
        times[str(shape)] = min(taken, times.get(str(shape), taken))
        if not is_ordinary and taken > allowed and not found.is_told:
            found.is_told = True
            self.show(found, size)


def _place(found: Found, size: int) -> tuple[str, int]:
    return found.route.stored, min(size, found.route.limit)


def _is_failure(answer: Answer) -> bool:
    return answer.status == 0 or answer.status >= 500


def words_of(size: int) -> str:
    return f"{size // 1000:,} KB"
