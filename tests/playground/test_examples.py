"""The examples show what they promise, and the page can show every one."""

import pytest
from django.test import Client

from playground.examples import BY_SLUG, CONVERSATION, EXAMPLES, Example
from playground.reading import Reading


def read(slug: str) -> Reading:
    return Reading(BY_SLUG[slug].text, protocol=None, tokenizer="o200k_base")


@pytest.mark.django_db
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.slug)
def test_an_example_is_a_page_with_its_lesson(client: Client, example: Example) -> None:
    page = client.get("/", {"example": example.slug}).content.decode()

    assert f'<p class="lesson"><strong>{example.title}.</strong>' in page
    assert ("Quoted from" in page) is bool(example.source)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.slug)
def test_every_example_holds_messages(example: Example) -> None:
    assert read(example.slug).total


def test_every_example_has_an_address_of_its_own() -> None:
    assert len(BY_SLUG) == len(EXAMPLES)


def test_the_conversation_is_six_valid_messages_and_their_comments() -> None:
    found = read("conversation")

    assert (found.total, found.invalid) == (6, 0)
    assert [one.reason for one in found.ignored] == ["comment"] * 6
    assert BY_SLUG["conversation"].text == CONVERSATION


def test_the_mistakes_are_mistakes_that_can_be_mended() -> None:
    found = read("mistakes")

    assert found.total == 4
    assert found.invalid >= 3
    assert sum(note.found.fix is not None for note in found.notes) >= 4


def test_the_folded_packet_is_one() -> None:
    assert [row.protocol for row in read("folded").rows] == ["aacp"]
    assert read("folded").valid == 1


def test_english_is_shorter_where_the_example_says_so() -> None:
    shown = read("shorter-english").shown

    assert shown is not None
    assert shown.cost.wire.count > shown.cost.english.count


def test_the_log_holds_several_protocols_behind_prefixes() -> None:
    found = read("log")

    assert {row.protocol for row in found.rows} == {"nslip", "tline", "slip", "nlip"}
    assert found.invalid == 0
    assert "log prefix" in {one.reason for one in found.ignored}


def test_the_injection_is_marked_where_it_cannot_be_seen() -> None:
    codes = {note.found.code for note in read("injection").notes}

    assert "nslip.invisible" in codes
