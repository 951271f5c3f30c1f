"""Pieces of tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import tokens
from cablese.message import Span
from tests import fuzz
from tests.cablese.tokens.texts import OPENAI, any_text, ids, spelled, tiktokens


@pytest.mark.parametrize("name", OPENAI)
@given(text=any_text)
def test_its_pieces_are_tiktokens_tokens(name: str, text: str) -> None:
    reference = tiktokens(name)
    encoded = reference.encode(text, disallowed_special=())

    pieces = tokens.pieces(text, name)

    assert ids(pieces) == encoded
    assert [reference.decode(list(piece.ids), errors="strict") for piece in pieces] == [
        piece.text for piece in pieces
    ]


@pytest.mark.parametrize("name", tokens.names())
@fuzz.examples(20)
@given(text=st.one_of(any_text, st.text(st.characters(exclude_categories=()))))
def test_its_pieces_cover_the_text(name: str, text: str) -> None:
    pieces = tokens.pieces(text, name)

    assert spelled(pieces) == text
    assert [text[piece.span.start : piece.span.end] for piece in pieces] == [
        piece.text for piece in pieces
    ]
    assert [piece.span.start for piece in pieces] == [0, *[piece.span.end for piece in pieces]][
        : len(pieces)
    ]
    assert all(piece.text and piece.ids for piece in pieces)
    assert len(ids(pieces)) == tokens.count(text, name).count


def test_a_character_of_several_tokens_is_one_piece() -> None:
    assert tokens.pieces("a 🧠!") == (
        tokens.Piece("a", (64,), Span(0, 1)),
        tokens.Piece(" 🧠", (9552, 100, 254), Span(1, 3)),
        tokens.Piece("!", (0,), Span(3, 4)),
    )


@pytest.mark.parametrize("name", tokens.names())
@fuzz.examples(20)
@given(text=st.one_of(any_text, st.text(st.characters(exclude_categories=()))))
def test_each_token_begins_in_its_piece(name: str, text: str) -> None:
    places = tokens.starts(text, name)
    pieces = [
        (piece, number) for piece in tokens.pieces(text, name) for number in range(len(piece.ids))
    ]

    assert len(places) == tokens.count(text, name).count
    assert places == sorted(places)
    for place, (piece, number) in zip(places, pieces, strict=True):
        assert piece.span.start <= place < piece.span.end
        assert number or place == piece.span.start


def test_a_token_that_begins_inside_the_bytes_of_a_character_begins_in_it() -> None:
    """The blank and three bytes of 🧠 are two tokens: the second and the third begin in the
    character.
    """
    assert tokens.starts("a 🧠!") == [0, 1, 2, 2, 3]
