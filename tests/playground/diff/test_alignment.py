"""A longest common subsequence, against the textbook's table, and with hostile sequences."""

from collections.abc import Callable
from random import Random
from time import process_time

import pytest

from playground.diff.alignment import match
from tests import fuzz


def longest(left: str, right: str) -> int:
    """Return the length of the longest common subsequence, by the table of the textbook."""
    row = [0] * (len(right) + 1)
    for one in left:
        before, row = row, [0]
        for at, other in enumerate(right):
            row.append(before[at] + 1 if one == other else max(before[at + 1], row[-1]))
    return row[-1]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("", "", []),
        ("a", "", []),
        ("", "a", []),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "axc", [(0, 0), (2, 2)]),
        ("abc", "bc", [(1, 0), (2, 1)]),
        ("ab", "abc", [(0, 0), (1, 1)]),
        ("aaa", "aa", [(0, 0), (1, 1)]),
        ("abcd", "xbyd", [(1, 1), (3, 3)]),
    ],
)
def test_equal_elements_are_matched_in_order(
    left: str, right: str, expected: list[tuple[int, int]]
) -> None:
    assert match(left, right) == expected


@fuzz.mark
def test_no_longer_subsequence_exists() -> None:
    dice = fuzz.dice()
    for _ in range(fuzz.many(400)):
        left, right = _word(dice), _word(dice)
        pairs = match(left, right)

        assert all(left[one] == right[other] for one, other in pairs)
        assert [one for one, _ in pairs] == sorted({one for one, _ in pairs})
        assert [other for _, other in pairs] == sorted({other for _, other in pairs})
        assert len(pairs) == longest(left, right), (left, right)


def _word(dice: Random) -> str:
    return "".join(dice.choices("abc"[: dice.randint(1, 3)], k=dice.randint(0, 30)))


@pytest.mark.parametrize(
    "elements",
    [
        lambda at: at * 0,
        lambda at: at % 2,
        lambda at: at % 71,
        lambda at: at * at % 9_973,
        lambda at: -at,
    ],
)
def test_hostile_sequences_take_no_longer(elements: Callable[[int], int]) -> None:
    """difflib takes minutes for some of these."""
    left = ["x", *(elements(at) for at in range(5_000)), "y"]
    right = ["z", *(elements(at * 7 + 3) for at in range(5_000)), "w"]
    begin = process_time()
    match(left, right)

    assert process_time() - begin < 1.5
