"""Small writes that can wait: merged by what they are about, bounded, and taken all at once."""

import operator
from collections.abc import Mapping
from typing import Any

from django.db.backends.utils import CursorWrapper

from auditlog.database.errands import Errand, Errands


def write(_cursor: CursorWrapper, _values: Mapping[Any, Any]) -> None:
    """Nothing is written here."""


COUNT, LAST = Errand(write, operator.add), Errand(write, max)


def test_values_about_the_same_thing_become_one() -> None:
    errands = Errands()
    for about, value in (("a", 1), ("b", 1), ("a", 2)):
        errands.add(COUNT, about, value)
        errands.add(LAST, about, value)
    assert errands.take() == {COUNT: {"a": 3, "b": 1}, LAST: {"a": 2, "b": 1}}
    assert errands.take() == {}


def test_only_the_first_that_waits_calls_for_attention() -> None:
    errands = Errands()
    assert [errands.add(COUNT, about, 1) for about in "aab"] == [True, False, False]
    errands.take()
    assert errands.add(COUNT, "a", 1)


def test_more_than_the_most_are_dropped_and_those_that_wait_are_still_merged() -> None:
    errands = Errands(most=2)
    for about in "abcab":
        errands.add(COUNT, about, 1)
    assert len(errands) == 2
    assert errands.take() == {COUNT: {"a": 2, "b": 2}}


def test_what_is_put_back_is_merged_with_what_came_meanwhile() -> None:
    errands = Errands()
    errands.add(COUNT, "a", 1)
    taken = errands.take()
    errands.add(COUNT, "a", 5)
    errands.put_back(taken)
    assert errands.take() == {COUNT: {"a": 6}}
