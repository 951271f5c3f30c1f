"""What a message costs beside its baseline, in one sentence."""

import pytest

from cablese.tokens import Count
from playground.display.cost import compare


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ((19, True), (27, True), "8 fewer tokens than English (−30%, o200k_base)"),
        ((27, True), (19, True), "8 more tokens than English (+42%, o200k_base)"),
        ((2_000, True), (2_001, True), "1 fewer token than English (0%, o200k_base)"),
        ((5, True), (5, True), "same token count as English (o200k_base)"),
        ((5, False), (10, True), "≈ 5 fewer tokens than English (−50%, o200k_base)"),
        ((5, True), (10, False), "≈ 5 fewer tokens than English (−50%, o200k_base)"),
        ((5, True), (0, True), ""),
    ],
)
def test_a_difference_has_its_sign_and_its_share(
    ours: tuple[int, bool], theirs: tuple[int, bool], words: str
) -> None:
    assert compare(Count(*ours), Count(*theirs), "English", "o200k_base") == words
