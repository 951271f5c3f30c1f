"""Transcripts of tasks, followed on their page and on the workbench."""

import pytest
from django.test import Client

from tests.playground.drawn import words
from tests.playground.sacp.pages.requests import get, post

pytestmark = pytest.mark.django_db

TALK = """\
{"g":"FIND","msg_id":"a","plan":[["s","H_API",{}]],"state":"IN_PROGRESS"}
{"status":"ERR","code":"BAD_PARAM","details":"Step 1: no answer.","reply_to":"a"}
{"g":"FIND","reply_to":"a","plan":[["s","H_API",{}]],"state":"DONE"}
HOTEL_FINDER: I am <b>sorry</b>.
REPORT_WRITER: Here they are.
{"g":"FIND","reply_to":"a","plan":[["s","H_API",{}]],"state":"IN_PROGRESS"}
Something else was said.
"""
PROSE = (
    "Agents with the role Executor must answer with SACP unless out_fmt is human. Here it is raw."
)


@pytest.mark.requirement("SACP-16")
@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_a_transcript_is_followed(client: Client) -> None:
    assert "takes over from HOTEL_FINDER" in words(get(client, "/sacp/history"))

    page = words(post(client, "/sacp/history", {"text": TALK}))
    formatted = words(post(client, "/sacp/history", {"text": TALK, "role": "Formatter"}))

    assert "1 task ✖ 1 invalid transition ▲ 2 answers in prose instead of data" in page
    assert "✖ invalid transition: IN_PROGRESS IN_PROGRESS cannot follow DONE" in page
    assert page.count("✖ invalid transition:") == 1
    assert "IN_PROGRESS cannot follow DONE: the message has ended." in page
    assert "Step 1, s with H_API: HOTEL_ARCHIVE takes over from HOTEL_FINDER." in page
    said = f"{PROSE} HOTEL_FINDER: I am <b>sorry</b>."
    assert f"{said} SACP-16 HOTEL_FINDER, Executor, in line 4, after message 3" in page
    assert "Something else was said. SACP-16 in line 7, after message 4" in page
    assert "REPORT_WRITER" not in page.partition("1 task")[2]
    assert "▲ 1 answer in prose" in formatted


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"g":5,"state":7}', "a: b", '{"status":"ERR","details":{}}']
)
def test_any_transcript_is_answered(client: Client, text: str) -> None:
    post(client, "/sacp/history", {"text": text}, 200 if text else 422)
    post(client, "/sacp/history", {"text": text, "role": "Pope"}, 422)


@pytest.mark.requirement("SACP-16")
@pytest.mark.requirement("SACP-21")
def test_the_workbench_shows_tasks_and_says_nothing_twice(client: Client) -> None:
    page = words(post(client, "/", {"text": TALK}))
    panel, _, rest = page.partition("Task states")[2].partition("Conversation")

    assert "HOTEL_ARCHIVE takes over from HOTEL_FINDER." in panel
    assert f"{PROSE} HOTEL_FINDER: I am" in panel
    assert "Something else was said." not in panel
    assert "invalid transition: IN_PROGRESS" in panel
    assert panel.count("invalid transition:") == 1
    assert "cannot follow" not in panel
    assert 'The status changes to "IN_PROGRESS" after "DONE".' in rest


@pytest.mark.requirement("SACP-21")
@pytest.mark.parametrize(
    "text",
    ['{"g":"A","plan":[["s","H_API",{}]],"state":"PENDING"}', "REQ/TSK|g=42,t=1\nACC/TSK|g=42,t=1"],
)
def test_the_workbench_shows_no_tasks_where_messages_say_as_much(client: Client, text: str) -> None:
    assert "Task states" not in post(client, "/", {"text": text})
