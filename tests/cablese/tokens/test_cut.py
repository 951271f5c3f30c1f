"""Long texts are cut where no token can be."""

import pytest

from cablese import tokens
from cablese.tokens import cut, tokenizer


@pytest.mark.parametrize("name", tokens.names())
def test_a_long_text_of_words_is_counted_exactly(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Plan 42 isn't ready:\n\tnaïve 日本 a🧠 (see r2) \r\n\r\n  p=1; x_y" * 40
    whole = tokens.count(text, name)
    whole_pieces = tokens.pieces(text, name)

    monkeypatch.setattr(cut, "LIMIT", 100)
    monkeypatch.setattr(tokenizer, "LIMIT", 100)

    assert len(list(cut.cut(text))) > 10
    assert tokens.count(text, name) == whole
    assert tokens.pieces(text, name) == whole_pieces


def test_parts_are_cut_between_a_word_and_a_blank_within_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cut, "LIMIT", 5)

    assert list(cut.cut("ab cd e")) == [("ab cd", True), (" e", True)]
    assert list(cut.cut("ab;;;;;;c")) == [("ab;;;", False), (";;;c", True)]
    assert list(cut.cut("12345")) == [("12345", True)]


def test_no_tokenizer_has_a_token_across_a_cut() -> None:
    text = "a b\nc\td\r1 2\n3\t4\rz  y\n\nx"

    for name in tokens.names():
        for piece in tokens.pieces(text, name):
            assert not any(
                a.isalnum() and b.isspace()
                for a, b in zip(piece.text, piece.text[1:], strict=False)
            )
