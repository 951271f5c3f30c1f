import pytest

from cablese.text import both, either, join, quote, say


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
    assert "".join(join(at, len(words)) + word for at, word in enumerate(words)) == all_of


@pytest.mark.parametrize(
    ("text", "said"),
    [("four", "four"), ("fives", '"five…"'), ("a b.", '"a b."'), ("a b c", '"a b …"')],
)
def test_text_in_a_description_is_cut_and_then_quoted(text: str, said: str) -> None:
    assert say(text, 4) == said


def test_forty_characters_of_a_quoted_value_are_shown() -> None:
    assert quote("x" * 40) == f'"{"x" * 40}"'
    assert quote("x" * 41) == f'"{"x" * 40}…"'
