"""The short form of the sweep, and what it must not forget."""

from tests.sweep import measure, report, shapes
from tests.sweep.routes import OTHERS, ROUTES, keys

MOST = 10.0
"""Seconds that an answer to a short text may take on a machine that does other things too."""


def test_every_route_is_swept_or_left_out_for_a_reason() -> None:
    swept = {route.key for route in ROUTES}

    assert swept | OTHERS.keys() == keys()
    assert not swept & OTHERS.keys()


def test_there_are_enough_shapes_and_each_has_its_name() -> None:
    names = {str(shape) for shape in shapes.SHAPES}

    assert len(names) == len(shapes.SHAPES) >= 120


def test_a_shape_fills_the_size_that_is_asked_for() -> None:
    for shape in (*shapes.ORDINARY, *shapes.SHAPES):
        size = len(shape.text(measure.SMALL).encode())
        assert 0.7 * measure.SMALL <= size <= measure.SMALL, shape


def test_hostile_text_is_answered_by_every_route() -> None:
    chosen = report.choose((), is_short=True)
    ordinary = [one for one in shapes.ORDINARY if one.name in report.SHORT_ORDINARY]

    sweep, waits = report.measure(ROUTES, chosen, ordinary, (report.SHORT,), minutes=10)

    assert not [failed for found in sweep.found for failed in found.failed]
    assert all(found.slowest(report.SHORT)[1] < MOST for found in sweep.found)
    assert all(len(found.hostile[report.SHORT]) == len(chosen) for found in sweep.found)
    assert waits.pages
    assert waits.health
