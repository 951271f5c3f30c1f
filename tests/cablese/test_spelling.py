"""Which known word was meant: beyond doubt, as a suggestion, or not at all."""

import pytest

from cablese import spelling as spelling_of
from cablese.spelling import Guess, Spelling

ACTS = Spelling(
    ("REQ", "PRO", "INF", "EVL", "ACC", "REJ", "QRY", "CFM"),
    {"REQUEST": "REQ", "REJECT": "REJ", "EVAL": "EVL"},
)
FORCES = Spelling(("Accept", "Reject", "Request", "Ask", "Error"))
KEYS = Spelling(("period", "return", "to", "res"), {"resource": "res"}, is_open=True)


@pytest.mark.parametrize(
    ("spelling", "text", "guess"),
    [
        (ACTS, "req", Guess("REQ", safe=True, exact=True)),
        (ACTS, "Request", Guess("REQ", safe=True, exact=True)),
        (ACTS, "RJE", Guess("REJ", safe=True)),
        (ACTS, "RQE", Guess("REQ", safe=True)),
        (ACTS, "REQQ", Guess("REQ", safe=False)),
        (ACTS, "REQEUST", Guess("REQ", safe=False)),
        (ACTS, "REQUES", Guess("REQ", safe=False)),
        (ACTS, "RE", None),
        (ACTS, "REX", None),
        (ACTS, "ACK", None),
        (ACTS, "QRE", None),
        (ACTS, "", None),
        (FORCES, "Reqest", Guess("Request", safe=False)),
        (FORCES, "Requesd", Guess("Request", safe=False)),
        (FORCES, "Eject", Guess("Reject", safe=False)),
        (FORCES, "sak", Guess("Ask", safe=True)),
        (FORCES, "Reqst", None),
        (KEYS, "perod", Guess("period", safe=False)),
        (KEYS, "peroid", Guess("period", safe=False)),
        (KEYS, "resource", Guess("res", safe=True, exact=True)),
        (KEYS, "ot", None),
        (KEYS, "too", None),
        (KEYS, "period" * 5, None),
        (KEYS, "pe\u200briod", None),
        (KEYS, "\u212aey", None),
    ],
)
def test_it_finds_the_word_that_was_meant(
    spelling: Spelling, text: str, guess: Guess | None
) -> None:
    assert spelling.find(text) == guess


@pytest.mark.parametrize("text", ["ABCE", "ABDC"])
def test_of_two_words_that_are_as_near_it_takes_none(text: str) -> None:
    """ABDC is ABCD with two letters swapped, but ABDE with one wrong letter as well."""
    assert Spelling(("ABCD", "ABDE", "WXYZ")).find(text) is None
    assert Spelling(("ABCD", "WXYZ")).find("ABDC") == Guess("ABCD", safe=True)


def test_a_word_of_more_than_24_letters_is_not_compared() -> None:
    word = "interoperabilities-layers"
    assert Spelling((word,)).find(word[:24]) == Guess(word, safe=False)
    assert Spelling((word[:24],)).find(word) is None


def test_a_word_of_two_vocabularies_stands_for_itself_first() -> None:
    """EVAL is a code here, and the full word of EVL: a code wins."""
    assert Spelling(("EVL", "EVAL"), {"EVAL": "EVL"}).find("eval") == Guess(
        "EVAL", safe=True, exact=True
    )


def test_a_misspelled_word_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spelling = Spelling(("REQ", "REJ"))
    compared: list[str] = []
    compare = spelling_of._compare

    def noted(text: str, word: str) -> object:
        compared.append(text)
        return compare(text, word)

    monkeypatch.setattr(spelling_of, "_compare", noted)

    assert {spelling.find("RJE") for _ in range(100)} == {Guess("REJ", safe=True)}
    assert 0 < len(compared) < 5
