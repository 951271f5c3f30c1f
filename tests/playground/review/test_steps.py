"""Decisions, comments, and undo on the review desk, with and without a script."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import review
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet, Review
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.sending import append, make_sender
from tests.playground.drawn import words
from tests.playground.review.desk import (
    SCRIPT,
    fields,
    hidden,
    progress,
    read,
    shown,
    states,
)

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, queue: dict[str, Any], status: int = 200, **more: Any) -> str:
    """Send a form, and return the page that it leads to."""
    answer = client.post(f"/audit/review/{path}", queue | more, follow=True)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def script(client: Client, path: str, state: dict[str, Any], status: int = 200) -> str:
    answer = client.post(f"/audit/review/{path}", state, headers=SCRIPT)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def steps() -> list[tuple[int, str, str]]:
    return [(step.packet_leaf, step.state, step.note) for step in Review.objects.order_by("leaf")]


def test_a_decision_leads_to_the_next_packet_without_one(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    review.mark(packet=stored[2], state="reviewed", note="", who=ada)
    state = fields("is:invalid")

    page = post(client, "step", state, leaf=4, state="flagged", note="odd\r\nvery")

    assert steps()[1:] == [(4, "flagged", "odd\nvery")]
    assert (shown(page), progress(page)) == (0, "2 of 3 done, 1 flagged")
    assert "Packet 4 flagged." in page

    page = post(client, "step", state, leaf=0, state="commented", note="Why?")
    assert (shown(page), progress(page)) == (0, "2 of 3 done, 1 flagged")
    page = post(client, "step", state, leaf=0, state="reviewed", note="")
    assert (shown(page), progress(page)) == (0, "3 of 3 done, 1 flagged")


def test_a_packet_that_was_erased_meanwhile_is_said_and_the_next_is_shown(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    state = fields("is:invalid")
    erase_leaves(4)

    answer = script(client, "step", state | {"leaf": 4, "state": "flagged"}, status=410)
    page = post(client, "step", state, leaf=4, state="flagged")

    assert 'data-leaf="4">' in answer
    assert words(answer) == "Packet 4: It was erased. Nothing was stored."
    assert "Packet 4 was erased." in page
    assert shown(page) != 4
    assert steps() == []
    assert "Packet 4 was erased." in read(client, state | {"leaf": 4})


def test_after_the_last_packet_the_first_without_a_decision_comes(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    page = post(client, "step", fields("is:invalid"), leaf=0, state="reviewed", note="")
    assert shown(page) == 4


def test_a_script_gets_what_has_changed(client: Client, ada: User, stored: list[Packet]) -> None:
    state = fields("is:invalid", leaf=4, state="flagged", note="odd")
    answer = script(client, "step", state)

    assert "<!DOCTYPE" not in answer
    assert 'id="changes" data-leaf="4" data-ahead="2 0"' in answer
    assert states(answer) == {4: "flagged"}
    assert progress(answer) == "1 of 3 done, 1 flagged"
    assert hidden(answer, "steps", "undo") == "5"


def test_the_last_step_is_undone_again_and_again(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    review.mark(packet=stored[0], state="reviewed", note="", who=ada)
    state = fields("is:invalid")
    for leaf, what in ((4, "reviewed"), (2, "flagged")):
        page = post(client, "step", state, leaf=leaf, state=what, note="")

    page = post(client, "undo", state, leaf=0, steps=hidden(page, "steps", "undo"))
    assert (shown(page), progress(page)) == (2, "2 of 3 done, 0 flagged")
    assert "Undone for packet 2." in page
    page = post(client, "undo", state, leaf=0, steps=hidden(page, "steps", "undo"))
    assert (shown(page), progress(page)) == (4, "1 of 3 done, 0 flagged")

    # What was decided before the queue was opened is not offered.
    assert 'name="steps"' not in page.split('id="undo"')[1].split("</form>")[0]
    assert [state for _, state, _ in steps()] == [
        "reviewed", "reviewed", "flagged", "undone", "undone",
    ]  # fmt: skip


def test_a_step_in_the_history_is_undone(client: Client, ada: User, stored: list[Packet]) -> None:
    review.mark(packet=stored[4], state="flagged", note="", who=ada)
    page = read(client, fields(leaf=4))
    assert 'form="undo-step" name="steps"' in page

    answer = script(client, "undo", fields(leaf=4, steps="5"))

    assert shown(answer) == 4
    assert review.find_states(stored[4].log, [stored[4].leaf]) == {}


def test_a_step_of_another_log_is_not_undone(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    logs.create(slug="other")
    append(Item("REQ/TSK|g=1", log="other"), sender=make_sender())
    review.mark(packet=Packet.objects.get(log__slug="other"), state="flagged", note="", who=ada)

    answer = script(client, "undo", fields(leaf=4, steps="1"), status=422)

    assert "There is nothing to undo." in answer
    assert [(step.leaf, step.state) for step in Review.objects.all()] == [(1, "flagged")]


@pytest.mark.parametrize("sent", ["", "0", "99", "5", "x"])
def test_what_is_no_own_step_is_not_undone(
    client: Client, ada: User, stored: list[Packet], sent: str
) -> None:
    review.mark(packet=stored[4], state="flagged", note="", who=User.objects.create_user("bob"))

    answer = script(client, "undo", fields(leaf=4, steps=sent), status=422)

    assert 'role="alert"' in answer
    assert Review.objects.count() == 1


def test_a_decision_that_another_person_has_overtaken_is_refused_once(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    state = fields("is:invalid")
    seen = hidden(read(client, state | {"leaf": 4}), "seen", "decide")
    review.mark(packet=stored[4], state="flagged", note="", who=User.objects.create_user("bob"))
    sent = state | {"leaf": 4, "state": "reviewed", "note": "fine"}

    answer = script(client, "step", sent | {"seen": seen}, status=409)
    assert "Packet 4: bob flagged this packet after you opened it. Nothing was stored." in (
        " ".join(answer.split())
    )
    assert "1 of 3 done, 1 flagged" in words(answer)
    page = post(client, "step", sent | {"seen": seen}, status=409)
    assert ">fine</textarea>" in page
    assert Review.objects.count() == 1

    # The page shows what bob did, so that the next try is not blind.
    post(client, "step", sent | {"seen": hidden(page, "seen", "decide")})
    assert Review.objects.count() == 2


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"state": "commented", "note": " "}, 422),
        ({"state": "undone"}, 422),
        ({}, 422),
        ({"state": "flagged", "note": "x" * 10_001}, 422),
        ({"state": "flagged", "note": "a\0b"}, 422),
        ({"state": "flagged", "seen": "x"}, 422),
        ({"state": "flagged", "leaf": 99}, 404),
        ({"state": "flagged", "leaf": ""}, 404),
        ({"state": "flagged", "q": "(goal"}, 404),
    ],
)
def test_a_step_that_cannot_be_taken_leaves_no_trace(
    client: Client, ada: User, stored: list[Packet], sent: dict[str, Any], status: int
) -> None:
    script(client, "step", fields(leaf=4) | sent, status=status)
    post(client, "step", fields(leaf=4) | sent, status=status)

    assert not Review.objects.exists()


@pytest.mark.parametrize("path", ["step", "undo", "bulk"])
def test_a_form_of_another_site_is_refused(stored: list[Packet], path: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.create_user("ada"))
    sent = fields(leaf=4, state="reviewed", steps="0", selected="1")

    assert browser.post(f"/audit/review/{path}", sent).status_code == 403
    assert not Review.objects.exists()
