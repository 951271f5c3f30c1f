"""Counts of tokens."""

from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import tokens
from cablese.protocols.nslip.codec import codec as nslip
from cablese.tokens import engine, tokenizer, vocabulary
from tests import fuzz
from tests.cablese.tokens.texts import (
    HARD,
    LONG,
    OPENAI,
    any_text,
    awkward,
    ids,
    spelled,
    tiktokens,
)

# Each sample with its count in o200k_base. The texts are quoted from the sources.
CLAIMS = {
    "nSLIP's natural-language example": (
        (
            '"I need you to create a plan for implementing a health-check endpoint \n'
            "for the authentication service. This is a medium priority task. \n"
            'Please develop an approach and let me know your proposed solution."'
        ),
        39,
    ),
    "nSLIP's message": ("REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck", 19),
    "the JSON baseline of docs/design/protocols.md": (
        '{"act":"REQUEST","frame":"TASK","goal":42,"task":1,"priority":2,"tag":"auth_refactor"}',
        27,
    ),
    "AACP's fetch instruction": (
        (
            "Please retrieve the employee salary records for the period ending 31 August 2024. "
            "I need all active employees, their departments, cost centres, base salary, "
            "any changes made this month, and pension contribution rates. Return as JSON array."
        ),
        48,
    ),
    "AACP's fetch packet": (
        (
            "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2024-08|"
            "filter:status=active|fmt:json"
        ),
        41,
    ),
    "a T-line": ("T|17|Q|obj=test_scope;ctx=api_auth", 14),
}

CYCLE = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "PRO/PLN|g=42,t=1,p=2,@=plan_incremental",
    "INF/OBS|g=42,t=1,r=1,s=done,@=tests_pass",
    "EVL/EVL|g=42,t=1,sc=8,@=good_coverage",
)


@cache
def splintrs_o200k() -> engine.Splintr:
    pytest.importorskip("splintr")
    return engine.Splintr("o200k_base")


@pytest.mark.parametrize(("text", "expected"), CLAIMS.values(), ids=CLAIMS)
def test_it_counts_what_the_claims_table_says(text: str, expected: int) -> None:
    assert tokens.count(text) == tokens.Count(expected, exact=True)


def test_it_counts_nslips_cycle() -> None:
    plain = [msgspec.json.encode(nslip.plain(nslip.decode(wire))).decode() for wire in CYCLE]

    assert sum(count.count for count in tokens.count_batch(CYCLE)) == 79
    assert sum(count.count for count in tokens.count_batch(plain)) == 118


@pytest.mark.parametrize("name", OPENAI)
@given(texts=st.lists(any_text, max_size=5))
def test_it_counts_as_tiktoken_does(name: str, texts: list[str]) -> None:
    reference = tiktokens(name)

    counts = tokens.count_batch(texts, name)

    assert counts == [
        tokens.Count(len(reference.encode(text, disallowed_special=())), exact=True)
        for text in texts
    ]


@pytest.mark.parametrize("name", OPENAI)
@fuzz.examples(60)
@given(text=st.text(st.characters(max_codepoint=127)))
def test_it_counts_ascii_as_tiktoken_does(name: str, text: str) -> None:
    assert tokens.count(text, name).count == len(tiktokens(name).encode_ordinary(text))


@pytest.mark.parametrize("name", OPENAI)
def test_it_counts_as_tiktoken_does_where_toktok_does_not(name: str) -> None:
    text = "\u088f's"
    expected = len(tiktokens(name).encode_ordinary(text))

    assert vocabulary.carried(name).count(text) != expected
    assert tokens.count(text, name).count == expected


@pytest.mark.parametrize("name", tokens.names())
@pytest.mark.parametrize("text", HARD)
def test_it_takes_any_text(name: str, text: str) -> None:
    pieces = tokens.pieces(text, name)

    assert spelled(pieces) == text
    assert tokens.count(text, name).count == len(ids(pieces))


def test_parts_of_a_text_that_repeats_itself_are_counted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[str] = []

    class Counting(engine.Engine):
        def counts(self, texts: list[str]) -> list[int]:
            counted.extend(texts)
            return [len(text) for text in texts]

        def split(self, text: str) -> Iterator[tuple[int, int]]:
            return iter(())

    monkeypatch.setattr(tokenizer, "_engine", lambda _name: Counting())
    text = "-" * 500_000
    counts = tokens.count_batch([text, text, "-"])

    assert [count.count for count in counts] == [500_000, 500_000, 1]
    assert sorted(map(len, counted)) == [1, 100_000, 200_000]


@pytest.mark.parametrize("name", tokens.names())
def test_it_takes_long_texts(name: str) -> None:
    assert all(count.count > 0 and not count.exact for count in tokens.count_batch(LONG, name))


@pytest.mark.parametrize("name", tokens.names())
def test_a_special_token_in_a_text_is_text(name: str) -> None:
    assert tokens.count("<|endoftext|>", name).count > 1
    assert tokens.count("<|im_start|>", name).count > 1


def test_it_says_why_a_count_is_not_exact() -> None:
    blanks, surrogate = tokens.count_batch([" " * 300_000, "\ud800"])

    assert (blanks.exact, surrogate.exact) == (False, False)
    assert "200,000" in blanks.reason
    assert "U+FFFD" in surrogate.reason


def test_the_first_tokenizer_is_o200k_base() -> None:
    assert tokens.names()[:2] == OPENAI
    assert [tokens.info(name).name for name in tokens.names()] == list(tokens.names())


def test_it_names_the_tokenizers_there_are_when_asked_for_another() -> None:
    for call in (
        tokens.info,
        lambda name: tokens.count("", name),
        lambda name: tokens.pieces("", name),
    ):
        told = 'Unknown tokenizer "claude". Expected o200k_base, cl100k_base'
        with pytest.raises(tokens.UnknownTokenizer, match=told):
            call("claude")


def test_without_the_extra_only_openais_tokenizers_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        tokenizer, "find_spec", lambda package: None if package == "splintr" else object()
    )
    tokenizer.names.cache_clear()
    try:
        assert tokens.names() == OPENAI
        with pytest.raises(tokens.UnknownTokenizer):
            tokens.info("llama3")
    finally:
        tokenizer.names.cache_clear()


@given(text=st.one_of(st.text(), awkward))
def test_splintr_agrees_with_tiktoken_on_the_vocabulary_both_have(text: str) -> None:
    ours = [token for token, _ in splintrs_o200k().split(text)]

    assert ours == tiktokens("o200k_base").encode_ordinary(text)
