"""Tests of many texts, in a short form and a long one.

`make test` tries few texts, the same ones in every run. `make fuzz` runs these tests only, with
`TIMES` as many texts, and chooses them by a seed that it prints.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import settings

TIMES = 50
_USUAL = 40
"""Examples of a Hypothesis test that does not say how many."""

mark = pytest.mark.fuzz
"""Marks a test that chooses its texts itself. The tests of Hypothesis are found without it."""

settings.register_profile(
    "short", max_examples=_USUAL, deadline=None, derandomize=True, database=None
)
settings.register_profile("long", max_examples=_USUAL * TIMES, deadline=None)

Text = TypeVar("Text")


class _Run:
    times = 1
    seed = 20261121


def begin(option: Any) -> None:
    """Choose the form of this run by its options, before a module of tests is imported."""
    settings.load_profile("long" if option.fuzz else "short")
    _Run.times = TIMES if option.fuzz else 1
    _Run.seed = int(option.hypothesis_seed or _Run.seed)


def many(number: int) -> int:
    """Return how many texts to try where the short form tries `number`."""
    return number * _Run.times


def examples(number: int) -> settings:
    """Let a Hypothesis test try `number` examples in the short form."""
    return settings(max_examples=many(number))


def seed() -> int:
    """Return the number that the texts of this run are chosen by."""
    return _Run.seed


def dice() -> Random:
    """Return the source of the texts that a test chooses itself."""
    return Random(_Run.seed)


def some(texts: Sequence[Text], number: int) -> Sequence[Text]:
    """Return `many(number)` of the texts, or all if there are not so many."""
    return dice().sample(texts, min(len(texts), many(number)))
