"""A pasted message is recognized, and its queries find it."""

import pytest

from auditlog.search import terms
from auditlog.search.language.paste import LIMIT, recognize
from auditlog.search.query import parse
from cablese import registry
from tests.auditlog.search.packets import CONVERSATION, places, put
from tests.benchmarks.corpus import cases


@pytest.mark.parametrize(
    ("wire", "title", "meaning"),
    [
        (
            "REQ/TSK|g=42,t=1,@=auth_refactor",
            "nSLIP",
            "act:request goal:42 task:1 @auth_refactor",
        ),
        ("  REJ/PLN|g=42,t=1,!=scope too large\n", "nSLIP", "act:reject goal:42 task:1"),
        ("REQ/TSK|g=4*2,@=a b", "nSLIP", 'act:request goal:"4*2" @"a b"'),
        ("T|1|S|keydef=obj:task", "T-line", "act:state id:1"),
    ],
)
def test_a_message_is_recognized(wire: str, title: str, meaning: str) -> None:
    offer = recognize(wire)

    assert offer is not None
    assert (offer.title, offer.meaning) == (title, meaning)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "goal:42", "@auth*", "a|b", "hello", "REQ", "{}", '"scope too large"',
        "is:invalid",
        "act:request -act:reject", "sent:>=2026-11-20T10:00Z", "leaf:1..2", "x" * 70_000,
    ],
)  # fmt: skip
def test_a_query_is_no_message(text: str) -> None:
    assert recognize(text) is None


@pytest.mark.parametrize("name", registry.get_names())
def test_every_query_of_an_offer_can_be_read(name: str) -> None:
    found = [offer for case in cases(name) if (offer := recognize(case["wire"]))]

    assert len(found) > 5
    for offer in found:
        for query in offer.queries:
            parse(query)


@pytest.mark.django_db
def test_its_queries_find_the_packet() -> None:
    put(CONVERSATION)
    for leaf, wire in enumerate(CONVERSATION):
        offer = recognize(wire)
        assert offer is not None
        assert len(offer.queries) == 2
        for query in offer.queries:
            assert leaf in places(query), query


@pytest.mark.django_db
def test_a_long_message_is_found_by_its_first_words() -> None:
    long = "INF/OBS|g=42,r=" + "_".join(f"w{n}" for n in range(500))
    put([long])
    offer = recognize(long)

    assert offer is not None
    assert offer.words is not None
    assert len(terms.atoms(offer.words)) < 150
    assert places(offer.words) == [0]


@pytest.mark.django_db
def test_a_phrase_of_long_words_ends_before_a_word_that_would_be_cut() -> None:
    long = "INF/OBS|g=42,r=" + " ".join(
        "abcdefghijklmnopqrstuvwxyz0123456789"[n:] for n in range(36)
    )
    long = f"{long} {long[15:]} {long[15:]}"
    put([long])
    offer = recognize(long)

    assert offer is not None
    assert offer.words is not None
    assert 900 < len(offer.words) < 1_050
    assert places(offer.words) == [0]


def test_a_very_long_text_is_no_message() -> None:
    begin = "INF/OBS|g=42,r="

    assert recognize(begin + "x" * (LIMIT - len(begin))) is not None
    assert recognize(begin + "x" * (LIMIT - len(begin) + 1)) is None
