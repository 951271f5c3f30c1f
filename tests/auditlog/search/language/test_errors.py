"""Errors of the language: the place, and what to write instead."""

import pytest

from auditlog.search.explain import explain
from auditlog.search.query import QueryError
from tests.auditlog.search.packets import CONVERSATION, places, put

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "span", "hint"),
    [
        ("tokens:many", (7, 11), "tokens:120"),
        ("tokens:1*", (7, 9), "tokens:120"),
        ("tokens:a..9", (7, 11), "quotes"),
        ("tokens:>=", (7, 9), ">=2"),
        ("tokens:>=1*", (7, 11), "star"),
        ("tokens:..", (7, 9), "1.."),
        ("sent:soon", (5, 9), "2026-11-20"),
        ("sent:7d", (5, 7), "sent:>=7d"),
        ("sent:2026-11-20*", (5, 16), "sent:2026-11-20"),
        ("sent:2026-11-20..2026-11-01", (5, 27), "2026-11-01..2026-11-20"),
        ("token:5", (0, 5), "tokens:"),
        ("evnt:a", (0, 4), "event:"),
        ("is:warn", (3, 7), "is:warning"),
        ("is:sensitiv", (3, 11), "is:sensitive"),
        ("is:zzz", (3, 6), "valid, invalid, warning"),
        ("act:requst", (4, 10), "act:request"),
        ("act:rejects", (4, 11), 'act:"rejects"'),
        ("has:proto", (4, 9), "Remove"),
        ("has:tokens", (4, 10), "Remove"),
        ("()", (0, 2), "Remove"),
        ("(" * 21 + "a" + ")" * 21, (20, 21), "Remove"),
        ("goal:1 " * 51, (350, 356), "Remove"),
        ("a" * 4_001, (4_000, 4_001), "part"),
        ("a -", (2, 3), "Remove"),
    ],
)
def test_an_error_says_where_and_what_to_write(text: str, span: tuple[int, int], hint: str) -> None:
    put(CONVERSATION)

    with pytest.raises(QueryError) as caught:
        places(text)

    assert caught.value.span == span
    assert caught.value.suggestion is not None
    assert hint in caught.value.suggestion


@pytest.mark.parametrize("text", ["act:REQ", "act:req*", 'act:"requst"', "act:zzz", "act:reject"])
def test_an_act_of_the_wire_is_no_error(text: str) -> None:
    put(CONVERSATION)

    assert isinstance(places(text), list)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sent:>=7d", "sent since 7 days ago"),
        ("sent:2026-11-01..2026-11-20", "sent from 2026-11-01 to 2026-11-20"),
        ("sent:<2026-11-01", "sent before 2026-11-01"),
        ("sent:2026-11-20", "sent is 2026-11-20"),
        ("tokens:>=100", "token count is 100 or more"),
        ("event:run*", "event ID starts with run"),
        ("code:leading-zero", "diagnostic code is leading-zero"),
        ("is:warning", "packet has a warning"),
        ("is:flow", "packet does not fit its conversation"),
        ("is:repeated", "packet is repeated"),
    ],
)
def test_new_keys_are_explained(text: str, words: str) -> None:
    assert "".join(piece.text for piece in explain(text)) == words


def test_ranges_have_a_limit() -> None:
    put(CONVERSATION)
    spans = [
        f"sent:{1990 + at}-06-05T07:08:11.{111111 + at}Z..{2049 - at}-11-28T21:58:58.{888889 - at}Z"
        for at in range(20)
    ]

    assert places(spans[0]) == []
    with pytest.raises(QueryError, match=r"searches of the index\. The limit is 1,000"):
        places(" OR ".join(spans))
