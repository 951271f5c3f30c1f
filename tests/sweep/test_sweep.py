"""The short form of the sweep, and what it must not forget."""

import math
import signal
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from tests.sweep import measure, neighbor, report, shapes
from tests.sweep.caller import Answer, Caller
from tests.sweep.guesses import every_route, guess
from tests.sweep.routes import OTHERS, ROUTES, TEXT, Route, keys

HANGS = 60.0
"""Seconds after which a short text hangs its route. Bars belong to the command: the machine may be
busy.
"""
MINUTES = 60
"""Far more than the texts need, so that none is left out where the machine is busy."""


class Scripted:
    """A caller whose answers take what is written here, in order, and then no time."""

    def __init__(self, **seconds: list[float]) -> None:
        self.seconds = {name: iter(times) for name, times in seconds.items()}
        self.ends = math.inf
        self.asked = 0

    def send(self, route: object, text: str, values: object) -> Answer:
        self.asked += 1
        name = text.rstrip("#")
        times: Iterator[float] = self.seconds.get(name, iter(()))
        return Answer(200, next(times, 0.0), b"")

    def forget(self, kind: str, values: object) -> None:
        """Nothing is stored."""


PLAIN, SLOW = (shapes.Shape("test", name, shapes.after(name, "#")) for name in ("plain", "slow"))


def _swept(**seconds: list[float]) -> measure.Found:
    (found,), _ = _shown(ROUTES[:1], **seconds)
    return found


def _shown(
    routes: Sequence[Route], **seconds: list[float]
) -> tuple[list[measure.Found], list[str]]:
    """Return what a sweep found, and the routes that it showed in order."""
    told: list[str] = []
    sweep = measure.Sweep(
        cast("Caller", Scripted(**seconds)),
        routes,
        [PLAIN],
        minutes=1,
        show=lambda found, _: told.append(found.route.name),
    )
    sweep.run([SLOW], (measure.SMALL,), lambda _: None)
    return sweep.found, told


def test_what_was_slow_in_a_busy_moment_is_sent_again_later() -> None:
    found = _swept(plain=[0.2, 0.2, 0.2], slow=[0.7, 0.7, 0.7, 0.4])

    assert found.slowest(measure.SMALL) == ("test: slow", 0.4)
    assert not list(found.faults())


def test_what_stays_slow_is_a_fault() -> None:
    found = _swept(plain=[0.2, 0.2, 0.2], slow=[0.7] * 9)

    assert list(found.faults()) == ["test: slow: over 3 times ordinary text at 60 KB"]


def test_ordinary_text_is_as_quick_as_its_quickest_answer() -> None:
    found = _swept(plain=[0.9, 0.9, 0.1], slow=[2.8, 2.8, 2.8, 0.7, 0.7, 0.7])

    assert list(found.faults()) == ["test: slow: over 3 times ordinary text at 60 KB"]


def test_a_route_is_shown_when_it_exceeds_a_bar_and_when_it_has_been_measured() -> None:
    one = ROUTES[0]

    assert _shown([one])[1] == [one.name]
    assert _shown([one], plain=[0.2] * 2, slow=[0.7] * 9)[1] == [one.name] * 2


def test_ordinary_text_is_sent_once_more_where_times_count() -> None:
    asked = []
    for is_timed in (True, False):
        caller = Scripted()
        sweep = measure.Sweep(
            cast("Caller", caller), ROUTES[:1], [PLAIN], minutes=1, show=lambda *_: None
        )
        sweep.run([SLOW], (measure.SMALL,), lambda _: None, is_timed=is_timed)
        asked.append(caller.asked)

    assert asked == [3, 2]


def test_the_time_ends_between_two_routes_that_take_one_text() -> None:
    caller = Scripted()
    routes = [one for one in ROUTES if not one.stored][:5]
    sweep = measure.Sweep(cast("Caller", caller), routes, [PLAIN], minutes=1, show=lambda *_: None)
    send = caller.send

    def last(route: object, text: str, values: object) -> Answer:
        sweep.ends = -math.inf
        return send(route, text, values)

    caller.send = last  # type: ignore[method-assign]
    sweep.ends = math.inf
    sweep._send(PLAIN, measure.SMALL, sweep.found)

    assert caller.asked == 1
    assert sweep.left == 4


def test_an_interrupted_sweep_leaves_no_other_user_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[subprocess.Popen[str]] = []

    class Recorded(subprocess.Popen[str]):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)

    with pytest.raises(KeyboardInterrupt), neighbor.watching("http://127.0.0.1:9", ""):
        raise KeyboardInterrupt

    assert [one.returncode for one in started] == [-signal.SIGKILL]


def test_every_route_is_swept_or_left_out_for_a_reason() -> None:
    swept = {route.key for route in every_route()}

    assert swept | OTHERS.keys() == keys()
    assert not swept & OTHERS.keys()


def test_a_route_that_nobody_listed_gets_text_wherever_it_takes_any() -> None:
    decode, tool, search, page = guess(["api:decode", "api:register_tool", "api:search", "claims"])

    assert (page.name, page.fields) == ("GET /claims/?q=…&text=…", {"q": TEXT, "text": TEXT})
    assert search.name == "GET /api/v1/search?q=…"
    assert decode.name == "POST /api/v1/decode"
    assert decode.fields["text"] == TEXT
    assert tool.fields["supported_verbs"] == [TEXT]


def test_a_route_with_parts_in_its_path_is_not_guessed() -> None:
    assert not list(guess(["entry", "api:get_packet"]))


def test_there_are_enough_shapes_and_each_has_its_name() -> None:
    names = {str(shape) for shape in shapes.SHAPES}

    assert len(names) == len(shapes.SHAPES) >= 120


def test_a_shape_fills_the_size_that_is_asked_for() -> None:
    for shape in (*shapes.ORDINARY, *shapes.SHAPES):
        size = len(shape.text(measure.SMALL).encode())
        assert 0.7 * measure.SMALL <= size <= measure.SMALL, shape


@pytest.mark.slow
def test_hostile_text_is_answered_by_every_route() -> None:
    chosen = report.choose((), is_short=True)
    ordinary = [one for one in shapes.ORDINARY if one.name in report.SHORT_ORDINARY]

    sweep, waits = report.measure(
        every_route(), chosen, ordinary, (report.SHORT,), minutes=MINUTES, is_timed=False
    )
    hanging = {found.route.name: found.slowest(report.SHORT) for found in sweep.found}

    assert not [f"{found.route.name}: {fault}" for found in sweep.found for fault in found.failed]
    assert not {name: slowest for name, slowest in hanging.items() if slowest[1] >= HANGS}
    assert sweep.left == 0
    assert all(len(found.ordinary[report.SHORT]) == len(ordinary) for found in sweep.found)
    assert all(len(found.hostile[report.SHORT]) == len(chosen) for found in sweep.found)
    assert waits.pages
    assert waits.health
