"""Queries over messages that are in no log find what a log would find."""

import random
from collections.abc import Sequence

import pytest

from auditlog.search import terms
from auditlog.search.language import evaluate
from auditlog.search.query import QueryError
from cablese import registry
from tests.auditlog.search.packets import CONVERSATION, START
from tests.auditlog.search.test_oracle import make, query

MOST_ERRORS = 40


def index(wires: Sequence[str]) -> list[tuple[str, terms.Terms]]:
    codec = registry.get("nslip")
    return [
        (
            "nslip",
            terms.stream(
                log="", protocol="nslip", valid=message.valid, wire=wire,
                fields=terms.find_fields(message), meaning=codec.meaning(message),
            ),
        )
        for wire in wires
        for message in (codec.decode(wire),)
    ]  # fmt: skip


def find(text: str, wires: Sequence[str] = CONVERSATION) -> list[int]:
    return evaluate.find(text, index(wires), now=START)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [0, 1, 2, 3, 4, 5]),
        ("act:reject", [2]),
        ('"scope too large"', [2]),
        ('"scope too l"*', [2]),
        ('"too scope"', []),
        ('"scope is large"', []),
        ("@auth_*", [0, 1, 4]),
        ("goal:42 -act:request OR score:>=7", [1, 2, 4, 5]),
        ("has:reason", [2]),
        ("nslip.g:43", [3]),
        ("is:invalid", []),
    ],
)
def test_a_query_finds_messages(text: str, found: list[int]) -> None:
    assert find(text) == found


@pytest.mark.parametrize("seed", range(4))
def test_it_finds_what_reading_everything_finds(seed: int) -> None:
    dice = random.Random(seed)
    codec, facts, messages = registry.get("nslip"), [], []
    for leaf in range(40):
        wire, supplied, fact = make(dice, leaf)
        message = codec.decode(wire)
        made = terms.stream(
            log="default", protocol="nslip", valid=message.valid, wire=wire,
            fields=terms.flatten(message.values), meaning=codec.meaning(message),
            supplied=supplied, source="HR bot", columns=fact.columns(dice),
        )  # fmt: skip
        facts.append(fact)
        messages.append(("nslip", made))
    errors = 0
    for _ in range(100):
        text, test = query(dice, 2)
        try:
            found = evaluate.find(text, messages, now=START)
        except QueryError as error:
            if not error.message.startswith("Only packets in a log"):
                raise
            errors += 1
            continue
        assert found == [at for at, fact in enumerate(facts) if test(fact)], text
    assert errors < 100 - MOST_ERRORS


@pytest.mark.parametrize(
    ("text", "span", "hint"),
    [
        ("goal:42 since:7d", (8, 16), "sent:>=7d"),
        ("until:7d", (0, 8), "sent:<=2026-11-20"),
        ("ts:7d", (0, 5), "sent:2026-11-20"),
        ("leaf:1..3", (0, 9), "Remove"),
        ("is:flagged", (0, 10), "Remove"),
        ("-is:sensitive", (1, 13), "Remove"),
        ("has:event", (0, 9), "Remove"),
        ("gaol:42", (0, 4), "goal:"),
        ("is:vald", (3, 7), "is:valid"),
        ("(a", (0, 1), "Add a )"),
    ],
)
def test_an_error_says_where_and_what_to_write(text: str, span: tuple[int, int], hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        find(text)

    assert caught.value.span == span
    assert hint in (caught.value.suggestion or "")
