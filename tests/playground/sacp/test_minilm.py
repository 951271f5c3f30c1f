"""The model on NumPy against the original, and what it makes of texts that are none."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playground.sacp.minilm import MiniLM

ORIGINAL = {
    "book me a flight": [0.0781788, -0.0050755, -0.0313544, 0.0739479, -0.0137329],
    "Straße, naïve café — Ünïcödé 漢字テスト 🙂": [
        0.0240486,
        0.0350825,
        -0.0358013,
        0.0209332,
        -0.0396733,
    ],
    "ok! ??? ... $100,000.50 #tag @user http://x.y/z?q=1": [
        -0.0126755,
        0.0652036,
        -0.0316079,
        -0.0250964,
        0.0143778,
    ],
    "word " * 1000: [-0.0081237, -0.0955860, -0.0386731, 0.0496620, -0.0437937],
}
"""The first five of 384 numbers, as transformers 5.23 with torch 2.13 computes them on a CPU; 256
tokens at most.
"""


@pytest.mark.parametrize("text", ORIGINAL, ids=lambda text: text[:16])
def test_it_gives_the_vectors_of_the_original(minilm: "MiniLM", text: str) -> None:
    vector = minilm.embed(text)

    assert vector is not None
    assert vector.shape == (384,)
    assert vector[:5].tolist() == pytest.approx(ORIGINAL[text], abs=1e-6)
    assert float(vector @ vector) == pytest.approx(1, abs=1e-5)


def test_like_meanings_point_the_same_way(minilm: "MiniLM") -> None:
    flight, seat, bread = map(
        minilm.embed, ("book me a flight", "reserves seats on planes", "bakes bread")
    )

    assert flight is not None
    assert seat is not None
    assert bread is not None
    assert float(flight @ seat) > 0.3 > 0.2 > float(flight @ bread)


@pytest.mark.parametrize("text", ["", " \n\t", "\0", "\ud800", "\u200b\ufffd\x7f"])
def test_a_text_without_anything_to_read_has_no_vector(minilm: "MiniLM", text: str) -> None:
    assert minilm.embed(text) is None


@pytest.mark.parametrize(
    "text", ["a " * 500_000, "é" * 1_000_000, "\0" * 1_000_000 + "a", "\ud800a\udfff"]
)
def test_any_text_is_answered(minilm: "MiniLM", text: str) -> None:
    vector = minilm.embed(text)

    assert vector is None or float(vector @ vector) == pytest.approx(1, abs=1e-5)


def test_what_comes_late_in_a_text_is_not_looked_at(minilm: "MiniLM") -> None:
    assert minilm.embed(" " * 9_999 + "a") is not None
    assert minilm.embed(" " * 10_000 + "a") is None


def test_half_characters_are_left_out(minilm: "MiniLM") -> None:
    whole, broken = minilm.embed("hotels"), minilm.embed("hot\ud800els")

    assert whole is not None
    assert broken is not None
    assert whole.tolist() == broken.tolist()
