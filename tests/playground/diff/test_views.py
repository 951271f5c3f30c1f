"""The page that compares two texts."""

import logging

import pytest
from django.test import Client

from playground.workbench.forms import TEXT_LIMIT
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

LEFT = "REQ/TSK|g=42,t=1,p=2\r\n"
RIGHT = "REQ/TSK|g=42,t=1,p=3\r\nCFM/TSK|g=42,t=1\r\n"


def test_the_page_starts_with_an_empty_form(client: Client) -> None:
    page = client.get("/diff").content.decode()

    assert page.count("<textarea") == 2
    assert "result-title" not in page


def test_the_answer_comes_first(client: Client) -> None:
    page = words(client.post("/diff", {"text": LEFT, "second": RIGHT}).content.decode())

    assert "2 of 2 messages differ: 1 added, 1 changed." in page
    assert page.index("2 of 2 messages") < page.index("First text")
    assert "1 of 1 conversation differs." in page
    assert "slots.p 2 3" in page


def test_the_same_is_said_plainly(client: Client) -> None:
    page = words(client.post("/diff", {"text": LEFT, "second": LEFT}).content.decode())

    assert "The texts are identical. The message is the same." in page


def test_the_workbench_sends_only_the_first_text(client: Client) -> None:
    page = client.post("/diff", {"text": LEFT, "message": "1"}).content.decode()

    assert LEFT.strip() in page
    assert "result-title" not in page


@pytest.mark.parametrize("second", [{"second": ""}, {"second": " \n"}, {"second_json": '""'}])
def test_two_empty_texts_are_not_compared(client: Client, second: dict[str, str]) -> None:
    answer = client.post("/diff", {"text": "", **second})
    page = answer.content.decode()

    assert answer.status_code == 422
    assert "Paste two texts to compare." in page
    assert "identical" not in page


def test_differences_are_marked_by_words_and_not_only_by_color(client: Client) -> None:
    page = words(client.post("/diff", {"text": LEFT, "second": RIGHT}).content.decode())

    assert "≠ Changed" in page
    assert "+ Added" in page
    assert "Not in the first text" in page


def test_hostile_text_is_text(client: Client) -> None:
    hostile = 'REQ/TSK|g=1,t=1,@=</textarea><script>alert("1")</script>\u202e\n'
    page = client.post("/diff", {"text": hostile, "second": "x", "lines": "on"}).content.decode()

    assert "<script>alert" not in page
    assert "⟨U+202E⟩" in page


@pytest.mark.parametrize("name", ["text", "second"])
def test_too_long_a_text_is_refused(client: Client, name: str) -> None:
    sent = {"text": "a", "second": "b"} | {name: "x" * (TEXT_LIMIT + 1)}
    answer = client.post("/diff", sent)

    assert answer.status_code == 422
    assert "The limit of the workbench is 1,048,576" in answer.content.decode()


def test_nothing_of_the_texts_is_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.post("/diff", {"text": "REQ/TSK|g=1,@=s3cr3t-word", "second": "s3cr3t-word"})

    assert "s3cr3t-word" not in caplog.text
