"""The filter above the list of messages, in the language of the trail."""

import re

import pytest
from django.test import Client

from tests.playground.drawn import words

TEXT = "\n".join(("REQ/TSK|g=42,t=1,@=auth", "REJ/PLN|g=42,t=1,!=too large", "RJE/PLN|g=42,t=1"))


def found(page: str) -> list[int]:
    listed = page.partition('aria-label="Matching messages"')[2].partition("</ol>")[0]
    return [int(number) for number in re.findall(r'value="(\d+)"', listed)]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [("act:reject", [2]), ("is:invalid", [3]), ("is:valid goal:42", [1, 2]), ("", [])],
)
def test_it_lists_matching_messages_with_their_numbers(
    client: Client, query: str, numbers: list[int]
) -> None:
    sent = {"text": TEXT, "filter": query}

    part = client.post("/reading/found/messages", sent, headers={"HX-Request": "true"})
    page = client.post("/reading/found/messages", sent)

    assert found(part.content.decode()) == found(page.content.decode()) == numbers
    assert ("<html" in page.content.decode(), "<html" in part.content.decode()) == (True, False)
    if query:
        assert f"{len(numbers)} of 3" in words(part.content.decode())


def test_a_sender_on_a_log_line_is_found(client: Client) -> None:
    wire = TEXT[:23]
    text = f"2026-11-20T10:00:01Z a -> b {wire}\n2026-11-21T10:00:01Z x -> y {wire}"

    part = client.post("/reading/found/messages", {"text": text, "filter": "sent:2026-11-20"})

    assert found(part.content.decode()) == [1]


def test_an_error_shows_its_place_and_what_to_write(client: Client) -> None:
    sent = {"text": TEXT, "filter": "is:x<b>"}

    part = client.post("/reading/found/messages", sent, headers={"HX-Request": "true"})

    assert part.status_code == 200
    assert "<mark>x&lt;b&gt;</mark>" in part.content.decode()
    assert "Expected valid, invalid" in part.content.decode()


def test_one_message_needs_no_filter(client: Client) -> None:
    page = client.post("/", {"text": TEXT[:23]}).content.decode()

    assert 'name="filter"' not in page
