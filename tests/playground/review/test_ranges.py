"""Numbers as a short text."""

import pytest

from playground.review import ranges


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", []),
        ("7", [7]),
        ("1-3,5", [1, 2, 3, 5]),
        ("5,1-3", [1, 2, 3, 5]),
        ("3-3", [3]),
        ("1-2,2-4", [1, 2, 3, 4]),
        ("3-1", []),
        (",1,", [1]),
    ],
)
def test_it_reads_ranges(text: str, numbers: list[int]) -> None:
    assert ranges.read(text, limit=10) == numbers


@pytest.mark.parametrize("numbers", [[], [7], [1, 2, 3, 5], [0, 2, 4], list(range(1000))])
def test_it_reads_what_it_wrote(numbers: list[int]) -> None:
    assert ranges.read(ranges.write(reversed(numbers)), limit=1000) == numbers


@pytest.mark.parametrize(
    "text",
    ["x", "1-", "-1", "1--2", "1-2-3", "1 2", "²", "1" * 19, "1-11", "1-9,20-29", "0-" + "9" * 18],
)
def test_it_refuses_other_texts_and_too_many_numbers(text: str) -> None:
    with pytest.raises(ranges.BadRanges):
        ranges.read(text, limit=10)


def test_it_reads_no_further_than_the_limit() -> None:
    with pytest.raises(ranges.BadRanges, match="The limit is 10 numbers"):
        ranges.read("1-9,20-29,30,x", limit=10)
