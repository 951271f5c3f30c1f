"""The examples show what they promise, and the page can show every one."""

import pytest
from django.test import Client

from playground.display.message import FullMessage
from playground.workbench.document import Reading
from playground.workbench.examples import BY_SLUG, CONVERSATION, EXAMPLES, Example, grouped
from playground.workbench.parts.threads import Threads


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
    assert [fragment.reason for fragment in found.ignored] == ["comment"] * 6
    assert BY_SLUG["conversation"].text == CONVERSATION


def test_the_mistakes_are_mistakes_that_can_be_mended() -> None:
    found = read("mistakes")

    assert found.total == 4
    assert found.invalid >= 3
    assert sum(note.diagnostic.fix is not None for note in found.notes) >= 4


def test_the_folded_packet_is_one() -> None:
    assert [row.message.protocol for row in read("folded").rows] == ["aacp"]
    assert read("folded").valid == 1


def test_english_is_shorter_where_the_example_says_so() -> None:
    shown = read("shorter-english").shown

    assert shown is not None
    assert shown.cost.wire.count > shown.cost.english.count


def test_the_log_holds_several_protocols_behind_prefixes() -> None:
    found = read("log")

    assert {row.message.protocol for row in found.rows} == {"nslip", "tline", "slip", "nlip"}
    assert found.invalid == 0
    assert "log prefix" in {fragment.reason for fragment in found.ignored}


def test_the_injection_is_marked_where_it_cannot_be_seen() -> None:
    codes = {note.diagnostic.code for note in read("injection").notes}

    assert "nslip.invisible" in codes


def shown_of(slug: str) -> list[FullMessage]:
    text = BY_SLUG[slug].text
    readings = [
        Reading(text, protocol=None, tokenizer="o200k_base", chosen=number + 1)
        for number in range(read(slug).total)
    ]
    return [reading.shown for reading in readings if reading.shown is not None]


def test_the_packets_that_beat_json_do() -> None:
    costs = [shown.cost for shown in shown_of("beats-json")]

    assert len(costs) == 3
    assert all(cost.plain is not None and cost.wire.count < cost.plain.count for cost in costs)
    assert all(cost.wire.count < cost.english.count for cost in costs)


def test_only_the_first_reject_lacks_its_reason() -> None:
    notes = read("reject").notes

    assert [(note.diagnostic.code, note.message) for note in notes] == [
        ("nslip.reject-without-reason", 2)
    ]


def test_the_conversation_goes_wrong_though_each_message_is_right() -> None:
    found = read("wrong")
    codes = {finding.code for one in Threads(found).all for finding in one.findings}

    assert (found.invalid, found.notes) == (0, [])
    assert {"thread.accept-of-nothing", "thread.contradictory-status"} <= codes


def test_wrappers_of_two_frameworks_are_taken_off() -> None:
    carriers = [cut.carrier.title for cut in read("carried").cuts if cut.carrier is not None]

    assert carriers == ["MCP", "A2A", "MCP"]


def test_each_protocol_has_an_example() -> None:
    assert {name for example in EXAMPLES for name in example.protocols} >= {
        "nslip",
        "aacp",
        "sacp",
        "nlip",
        "tline",
        "slip",
    }


@pytest.mark.django_db
def test_the_gallery_shows_every_example_under_what_it_teaches(client: Client) -> None:
    page = client.get("/examples/").content.decode()

    for example in EXAMPLES:
        assert f'href="/?example={example.slug}"' in page
    for group, _ in grouped():
        assert f">{group}</h2>" in page


@pytest.mark.django_db
def test_the_gallery_is_filtered_by_words_and_says_when_nothing_fits(client: Client) -> None:
    found = client.get("/examples/", {"q": "AACP folded"}).content.decode()
    nothing = client.get("/examples/", {"q": "<b>morse"}).content.decode()

    assert found.count('class="example') == 1
    assert 'href="/?example=folded"' in found
    assert "No matching examples." in nothing
    assert "<b>morse" not in nothing
