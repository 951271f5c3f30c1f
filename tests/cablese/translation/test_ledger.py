"""What counts as the same value after a translation, and what is reported as a difference."""

from typing import Any

import pytest
from msgspec import UNSET

from cablese.translation.ledger import Difference, compare, differences, same
from cablese.translation.statement import Place

ALIKE = [
    (1, True), (0, False), (1, 1.0), (1, "1"), ([1], [True]), ([1], (1,)), ([1], [1, 2]),
    ({"a": 1}, {"a": True}), ({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1, "b": 2}), (None, False),
    ({"a": [{"b": 0}]}, {"a": [{"b": False}]}), ("", None),
]  # fmt: skip
"""Values that Python, or a reader in a hurry, takes for equal."""


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_values_that_only_look_alike_are_not_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize("value", [1, True, 1.0, "1", None, [1, [2]], {"a": {"b": [True, 1]}}])
def test_a_value_is_the_same_as_itself(value: Any) -> None:
    assert same(value, value)


def test_a_number_that_comes_back_as_a_boolean_is_a_difference() -> None:
    assert list(differences({"t": 1}, {"t": True})) == [Difference("t", before=1, after=True)]
    assert list(differences({"a": {"t": 1}}, {"a": {"t": True}})) == [
        Difference("a.t", before=1, after=True)
    ]
    assert list(differences({"a": [1, 2]}, {"a": [1, 2.0]})) == [Difference("a", [1, 2], [1, 2.0])]


def test_what_is_gone_and_what_is_new_are_differences() -> None:
    assert list(differences({"a": 1, "b": 2}, {"b": 2, "c": 3})) == [
        Difference("a", 1, UNSET),
        Difference("c", UNSET, 3),
    ]
    assert list(differences({"a": 1}, {"a": 1})) == []


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (Place("t", 1), Place("t", 1), "kept"),
        (Place("t", 1), Place("task", 1), "renamed"),
        (Place("t", 1), Place("t", value=True), "coerced"),
        (Place("t", 1), Place("t", "1"), "coerced"),
        (Place("t", "a b"), Place("t", "a_b"), "coerced"),
    ],
)
def test_a_verdict_looks_at_the_value_and_its_type(
    before: Place, after: Place, verdict: str
) -> None:
    assert compare("t", before, after, "Maps to t.").verdict == verdict
