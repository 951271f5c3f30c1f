"""Hostile text is read in time that grows as it does."""

from time import process_time

import pytest

from cablese import registry
from cablese.transcript import split

from .shapes import ORDINARY, SHAPES, Shape

SMALL, LARGE = 4_000, 32_000
MOST = 3 * LARGE / SMALL
"""Times as long: eight times is linear, and 64 times quadratic."""
QUICK = 0.05
"""Seconds in which a large text may be read, however quick a small one is."""


def read(text: str) -> None:
    for cut in split(text, most=100_000).messages:
        codec = registry.get(cut.protocol)
        message = codec.decode(cut.wire)
        message.fields  # noqa: B018 - reading them is the work
        codec.describe(message)
        codec.meaning(message)
        codec.canonical(message)


def seconds(text: str) -> float:
    begin = process_time()
    read(text)
    return process_time() - begin


@pytest.mark.parametrize(
    "shape", [*ORDINARY, *SHAPES], ids=lambda shape: f"{shape.family} {shape.name}"
)
def test_a_longer_text_takes_no_more_than_its_share(shape: Shape) -> None:
    small, large = shape.text(SMALL), shape.text(LARGE)
    for _ in range(3):  # other programs may run beside this one
        growth = seconds(large) / max(seconds(small), QUICK / MOST)
        if growth < MOST:
            return
    raise AssertionError(f"{growth:.0f} times as long for {LARGE // SMALL} times the text")
