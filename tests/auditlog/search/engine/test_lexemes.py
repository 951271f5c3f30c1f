"""Phrases ask PostgreSQL for pairs of words too, which say less than the places of words."""

from importlib import import_module
from itertools import count

import pytest
from django.apps import apps
from django.db import connection

from auditlog.search.engine.lexemes import name_pairs, render
from auditlog.search.expression import Phrase
from tests.auditlog.search.packets import places, put


def pair(first: str, second: str) -> str:
    (found,) = name_pairs(f"{first} {second}")
    return found


def test_words_that_follow_each_other_are_pairs() -> None:
    tokens = "!p.act=request !tok=#c120 what became of 日 本 of 42 g x auth = deploy auth_deploy"

    assert name_pairs(tokens) == [
        pair("what", "became"), pair("became", "of"), pair("of", "日"), pair("日", "本"),
        pair("本", "of"),
    ]  # fmt: skip


def test_a_repeated_pair_is_one() -> None:
    assert name_pairs("spam spam spam") == [pair("spam", "spam")]


def test_pairs_have_a_few_names() -> None:
    names = {pair("auth", f"word{chr(97 + at % 26)}{chr(97 + at // 26)}") for at in range(26 * 26)}

    assert {len(name) for name in names} == {len("=abc")}
    assert len(names) > 26


def test_a_phrase_asks_for_its_pairs() -> None:
    words = ("the", "auth", "refactor")

    first, second = pair("the", "auth"), pair("auth", "refactor")
    assert render(Phrase(words)) == f"('the' <-> 'auth' <-> 'refactor' & '{first}' & '{second}')"
    assert render(Phrase(words, prefix=True)) == f"('the' <-> 'auth' <-> 'refactor':* & '{first}')"
    assert render(Phrase(("auth",))) == "('auth')"


@pytest.mark.django_db
def test_pairs_with_the_same_name_are_told_apart() -> None:
    words = (f"w{''.join(chr(97 + int(digit)) for digit in str(number))}" for number in count())
    other = next(word for word in words if pair("large", word) == pair("scope", "large"))
    put([f"REQ/TSK|!=large scope large {other}", f"REQ/TSK|!=large {other} scope"])

    assert places('"scope large"') == [0]
    assert places(f'"large {other}"') == [1, 0]


_TAKE_PAIRS = """\
UPDATE auditlog_search SET terms = ts_delete(
    terms, ARRAY(SELECT lexeme FROM unnest(terms) WHERE lexeme ~ '^=[0-9a-f]{3}$')
)"""


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="FTS5 knows the places of words")
def test_the_migration_adds_pairs_to_stored_packets() -> None:
    put(["REQ/TSK|g=42,!=scope too large 日本 größe x,@=auth_refactor", "REQ/TSK|!=large"])
    before = read_terms()
    with connection.cursor() as cursor:
        cursor.execute(_TAKE_PAIRS)
    without = read_terms()
    migration = import_module("auditlog.migrations.0011_search_pairs")
    with connection.schema_editor() as schema_editor:
        migration.add_pairs(apps, schema_editor)

    assert [len(terms) for terms in without] < [len(terms) for terms in before]
    assert read_terms() == before


def read_terms() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT terms::text FROM auditlog_search ORDER BY leaf")
        return [terms for (terms,) in cursor.fetchall()]
