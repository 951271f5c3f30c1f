"""The short form of the sweep, and what it must not forget."""

from tests.sweep import measure, report, shapes
from tests.sweep.routes import OTHERS, ROUTES, keys

HANGS = 60.0
"""Seconds after which a short text hangs its route. Bars belong to the command: the machine may be busy."""
MINUTES = 60
"""Far more than the texts need, so that none is left out where the machine is busy."""


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

    sweep, waits = report.measure(ROUTES, chosen, ordinary, (report.SHORT,), minutes=MINUTES)
    hanging = {found.route.name: found.slowest(report.SHORT) for found in sweep.found}

    assert not [f"{found.route.name}: {fault}" for found in sweep.found for fault in found.failed]
    assert not {name: slowest for name, slowest in hanging.items() if slowest[1] >= HANGS}
    assert sweep.left == 0
    assert all(len(found.hostile[report.SHORT]) == len(chosen) for found in sweep.found)
    assert waits.pages
    assert waits.health
