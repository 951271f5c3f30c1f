"""Counts and places of composed text."""

from unicodedata import normalize

import pytest
from hypothesis import given

from cablese import tokens
from cablese.tokens import composed
from tests.cablese.tokens.texts import awkward


def test_qwen_counts_composed_text() -> None:
    pytest.importorskip("splintr")

    assert tokens.count("e\u0301", "qwen3") == tokens.count("é", "qwen3")
    assert [piece.text for piece in tokens.pieces("ae\u0301b", "qwen3")] == ["a", "e\u0301", "b"]


@given(text=awkward)
def test_places_of_composed_text_are_those_of_nfc(text: str) -> None:
    ends = composed.composed_ends(text)

    assert [normalize("NFC", text[:at]) for at in ends.values()] == [
        normalize("NFC", text)[:at] for at in ends
    ]


def test_a_cluster_of_marks_does_not_join_its_neighbours() -> None:
    assert composed.composed_ends("a\u0327\u0301bc") == {0: 0, 2: 3, 3: 4, 4: 5}
