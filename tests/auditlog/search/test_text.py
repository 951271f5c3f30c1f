"""Text of any kind and length is found, or refused at its place."""

import pytest

from auditlog.search.query import QueryError
from tests.auditlog.search.packets import CONVERSATION, places, put

pytestmark = pytest.mark.django_db


def test_hostile_text_finds_itself_and_nothing_else() -> None:
    odd = [
        "auth-health",
        "HR-Agent",
        "goal:42 OR",
        'a"b',
        "x*",
        "nul\x00nul",
        "O'Brien\\",
        "日本語",
        "🔥fire",
        "İstanbul",
        "a=b",
    ]
    put([f"REQ/TSK|!={text}" for text in odd])

    for leaf, text in enumerate(odd):
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        assert leaf in places(quoted), text
        assert leaf in places(f"!:{quoted}"), text
    assert places("auth-health") == [0]
    assert places("HR-Agent") == [1]
    assert places("日本*") == [7]
    assert places("🔥") == [8]


def test_the_longest_packets_are_found_by_their_terms_and_their_beginning() -> None:
    put(
        [
            "REQ/TSK|!=" + " ".join(f"{n}{'ж' * 190}" for n in range(5_000)),
            "REQ/TSK|!=" + "spam " * 20_000 + "egg",
        ]
    )

    assert places("is:invalid") == [1, 0]
    assert places("100ж*") == [0]
    assert places('"spam spam spam"') == [1]


@pytest.mark.parametrize("query", ["{}", '"{}"', "{}*", "!:{}", "!:{}*", '!:"{}"*'])
def test_a_word_longer_than_a_token_is_found(query: str) -> None:
    put(["REQ/TSK|!=" + "x" * 250, "REQ/TSK|!=" + "x" * 150])

    assert places(query.format("x" * 250)) == [0]
    assert places(query.format("x" * 190)) == ([0] if query.endswith("*") else [])


def test_a_long_query_is_answered_or_refused() -> None:
    put(CONVERSATION)

    for text in (
        "x" * 100_000,
        "(" * 3_000,
        "a " * 60,
        '"' + "a" * 100_000,
        "@x OR " * 60,
        '"' + "a " * 1_900 + '"',
    ):
        with pytest.raises(QueryError):
            places(text)
    assert places(" OR ".join(f"goal:>={n}" for n in range(50))) == [5, 4, 3, 2, 1, 0]
    assert places("-" * 100 + "goal:43") == [3]
    assert places("(" * 19 + "a -(b OR goal:42)" + ")" * 19) == []


def test_a_phrase_of_as_many_words_as_are_taken_is_found() -> None:
    put(["REQ/TSK|!=" + "spam " * 99 + "egg", "REQ/TSK|!=" + "spam " * 98 + "egg"])

    assert places('"' + "spam " * 99 + 'egg"') == [0]
    assert places('!:"' + "spam " * 99 + 'egg"') == [0]
    assert places('"' + "spam " * 98 + 'egg"') == [1, 0]


@pytest.mark.parametrize(
    ("text", "number", "span"),
    [
        ('"' + "spam " * 101 + '"', 101, (0, 507)),
        ('goal:42 "a b" OR -("' + "x " * 99 + '")', 101, (19, 219)),
        ('!:"' + "spam " * 101 + '"', 101, (0, 509)),
        ('"' + "日" * 101 + '"', 101, (0, 103)),
    ],
)
def test_phrases_of_more_words_are_refused_at_their_place(
    text: str, number: int, span: tuple[int, int]
) -> None:
    put(["REQ/TSK|g=42,!=x"])

    with pytest.raises(QueryError) as caught:
        places(text)
    assert (
        caught.value.message == f"The phrases of this query have {number} words. The limit is 100."
    )
    assert caught.value.span == span


def test_names_of_several_parts_are_words_of_their_own() -> None:
    name = "0199c2d1-7d5e-7000-8000-000000000000"
    put([f"REQ/TSK|!={name}"])

    assert places(" ".join([name] * 50)) == [0]
    assert places(" ".join([f"!:{name}"] * 50)) == [0]
