"""Attributes: what an item can hold, and how much of what a log line says is stored."""

import math
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auditlog.ingest.attributes import (
    DEPTH,
    EXACT,
    KEY_LIMIT,
    LEFT_OUT,
    LIMIT,
    SIZE,
    find_problem,
    fit,
)
from tests import fuzz


def nest(depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return dict(value)


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {f"k{at}": None for at in range(LIMIT)},
        {"a": "x" * (SIZE - len('{"a":""}'))},
        nest(DEPTH),
        {"k" * KEY_LIMIT: [True, None, 0.1, -EXACT, EXACT, "", {}, []]},
    ],
    ids=["none", "64 keys", "16 KiB", "deep", "values"],
)
def test_what_is_within_the_limits_can_be_stored(attributes: dict[str, Any]) -> None:
    assert find_problem(attributes) is None
    assert fit(attributes) == attributes


@pytest.mark.parametrize(
    ("attributes", "pointer"),
    [
        ({f"k{at}": None for at in range(LIMIT + 1)}, ""),
        ({"a": "x" * (SIZE - len('{"a":""}') + 1)}, ""),
        (nest(DEPTH + 1), "/a" * DEPTH),
        ({"a": [0, {"": 1}]}, "/a/1"),
        ({"a": {"k" * (KEY_LIMIT + 1): 1}}, "/a"),
        ({"a/b": [1, EXACT + 1]}, "/a~1b/1"),
        ({"a": -EXACT - 1}, "/a"),
        ({"a": 1e16}, "/a"),
        ({"a": math.nan}, "/a"),
        ({"a": "\ud800"}, ""),
    ],
    ids=[
        "65 keys",
        "size",
        "depth",
        "empty key",
        "long key",
        "big",
        "small",
        "big fraction",
        "NaN",
        "surrogate",
    ],
)
def test_the_first_problem_has_its_place(attributes: dict[str, Any], pointer: str) -> None:
    problem = find_problem(attributes)
    assert problem is not None
    assert problem.pointer == pointer


def test_attributes_have_at_most_16_kib() -> None:
    problem = find_problem({"a": "x" * (16_384 - len('{"a":""}') + 1)})
    assert problem is not None
    assert problem.detail.endswith("have 16,385 bytes as canonical JSON. The limit is 16,384.")


def test_a_number_that_is_not_exact_is_stored_as_text() -> None:
    line = {
        "id": 2**64,
        "n": {"at": [1e300, math.nan, -math.inf]},
        "huge": 10**5000,
        "name": "a\udcffb",
    }
    assert fit(line) == {
        "id": "18446744073709551616",
        "n": {"at": ["1e+300", "NaN", "-Infinity"]},
        "huge": hex(10**5000),
        "name": "a\ufffdb",
    }


def test_what_exceeds_a_limit_is_named() -> None:
    stored = fit({"trace_id": "4b", "stack": "x" * SIZE, "": 1, "level": "INFO"})
    assert stored == {"trace_id": "4b", "level": "INFO", LEFT_OUT: ["stack", ""]}


def test_an_attribute_that_is_nested_too_deep_is_left_out_alone() -> None:
    assert fit({"deep": nest(10_000), "level": 2**64}) == {
        "level": "18446744073709551616",
        LEFT_OUT: ["deep"],
    }


def test_the_name_of_an_attribute_that_is_left_out_is_cut() -> None:
    assert fit({"k" * (KEY_LIMIT + 1): 1, "a": 1}) == {"a": 1, LEFT_OUT: ["k" * KEY_LIMIT]}


def test_a_line_with_many_attributes_leaves_room_for_the_names_of_the_rest() -> None:
    stored = fit({f"k{at}": at for at in range(1000)})
    assert len(stored) == LIMIT
    assert stored[LEFT_OUT][:2] == ["k63", "k64"]
    assert find_problem(stored) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=30) | st.integers() | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=30,
)


@given(st.dictionaries(st.text(max_size=300), JSON, max_size=70))
@fuzz.examples(40)
def test_whatever_a_line_says_what_is_stored_has_no_problem(line: dict[str, Any]) -> None:
    stored = fit(line)
    assert find_problem(stored) is None
    assert len(rfc8785.dumps(stored)) <= SIZE
    assert set(stored) - {LEFT_OUT} <= set(line)
