import pytest

from cablese.text import both, either


@pytest.mark.parametrize(
    ("words", "all_of", "one_of"),
    [
        (["A"], "A", "A"),
        (["A", "B"], "A and B", "A or B"),
        (["A", "B", "C"], "A, B, and C", "A, B, or C"),
    ],
)
def test_lists_for_people_have_a_serial_comma(words: list[str], all_of: str, one_of: str) -> None:
    assert both(words) == all_of
    assert either(words) == one_of
