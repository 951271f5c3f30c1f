"""One decision for many packets, after a preview."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import review
from auditlog.models import Packet, Review
from tests.playground.drawn import words
from tests.playground.review.desk import fields, hidden, progress, read, shown

pytestmark = pytest.mark.django_db


def title(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page, re.DOTALL)
    assert found is not None
    return words(found[1])


def store(client: Client, page: str, **sent: str) -> str:
    """Send the form of a preview, and return the page that it leads to."""
    names = ("log", "q", "at", "now", "selected", "leaf", "seen", "state")
    form = page.replace('class="bulk-form"', 'id="bulk-form"')
    given = {name: hidden(form, name, "bulk-form") for name in names}
    answer = client.post("/audit/review/bulk", given | sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_preview_stores_nothing_and_says_what_would_be(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    review.mark(packet=stored[4], state="reviewed", note="", who=ada)
    page = read(client, fields(selected="1-2", row="5", state="flagged"), "bulk")

    assert title(page) == "Flag 3 packets"
    assert "Already decided: 1 reviewed, 0 flagged." in words(page)
    assert Review.objects.count() == 1


def test_a_bulk_decision_is_stored_and_undone_as_one(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    preview = read(client, fields("is:invalid", selected="1-2", state="flagged", leaf=4), "bulk")

    page = store(client, preview, note="odd")

    assert (shown(page), progress(page)) == (0, "2 of 3 done, 2 flagged")
    assert "2 packets flagged." in page
    assert {step.note for step in Review.objects.all()} == {"odd"}
    assert hidden(page, "steps", "undo") == "5-6"
    sent = fields("is:invalid", steps="5-6") | {"at": 5}
    page = client.post("/audit/review/undo", sent, follow=True).content.decode()
    assert progress(page) == "0 of 3 done, 0 flagged"
    assert "Undone for 2 packets." in page


def test_a_preview_that_is_sent_twice_decides_once(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    preview = read(client, fields(selected="1-2", state="flagged"), "bulk")
    store(client, preview, note="odd")

    page = store(client, preview, note="odd")

    assert "2 left out: you already flagged them." in page
    assert Review.objects.count() == 2


def test_a_packet_that_was_decided_after_the_preview_is_left_out(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    preview = read(client, fields(selected="1-5", state="reviewed"), "bulk")
    review.mark(packet=stored[2], state="flagged", note="", who=User.objects.create_user("bob"))

    page = store(client, preview)

    assert "4 packets reviewed." in page
    assert "1 left out: bob decided after the preview." in page
    assert review.find_states(stored[2].log, [stored[2].leaf]) == {stored[2].leaf: "flagged"}


def test_more_packets_than_the_limit_are_refused_with_a_way_out(
    client: Client, ada: User, stored: list[Packet], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "LIMIT", 2)
    page = read(client, fields(selected="1-3", state="reviewed"), "bulk", status=422)
    answer = client.post("/audit/review/bulk", fields(selected="1-3", state="reviewed"))

    assert "The limit is 2 packets. You selected 3." in page
    assert "selected=1-2&amp;state=reviewed" in page
    assert answer.status_code == 422
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {"state": "reviewed"},
        {"state": "undone", "selected": "1"},
        {"selected": "1"},
        {"state": "reviewed", "row": "x"},
        {"state": "reviewed", "selected": "99"},
    ],
)
def test_what_cannot_be_previewed_is_refused(
    client: Client, ada: User, stored: list[Packet], sent: dict[str, str]
) -> None:
    page = read(client, fields() | sent, "bulk", status=422)

    assert 'role="alert"' in page


def test_a_comment_on_many_packets_needs_a_note(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    sent = fields(selected="1-2", state="commented")
    assert client.post("/audit/review/bulk", sent | {"note": ""}).status_code == 422
    assert client.post("/audit/review/bulk", sent | {"note": "Why?"}).status_code == 302
    assert Review.objects.count() == 2


@pytest.fixture
def flagged(client: Client, ada: User, stored: list[Packet]) -> list[Packet]:
    """The invalid packets, flagged together by Ada in another queue."""
    preview = read(client, fields("is:invalid", selected="1-3", state="flagged"), "bulk")
    store(client, preview, note="odd")
    return [packet for packet in stored if not packet.valid]


def undo_form(page: str) -> str:
    return page.split('id="undo"')[1].split("</form>")[0]


def test_a_bulk_decision_is_undone_after_the_desk_is_opened_again(
    client: Client, ada: User, flagged: list[Packet]
) -> None:
    queue = fields("is:unreviewed")  # has none of them
    page = read(client, queue)
    step = Review.objects.latest("leaf")
    assert f"3 packets flagged by you at {step.at:%Y-%m-%d %H:%M:%S} UTC" in words(undo_form(page))
    sent = queue | {name: hidden(page, name, "undo") for name in ("steps", "seen", "leaf")}

    page = client.post("/audit/review/undo", sent, follow=True).content.decode()

    assert "Undone for 3 packets." in page
    assert (shown(page), progress(page)) == (4, "0 of 5 done, 0 flagged")
    assert 'name="steps"' not in undo_form(page)
    states = [step.state for step in Review.objects.order_by("leaf")]
    assert states == ["flagged"] * 3 + ["undone"] * 3


def test_a_script_is_told_to_open_the_queue_that_has_what_was_undone(
    client: Client, ada: User, flagged: list[Packet]
) -> None:
    sent = fields("is:unreviewed", leaf=1, steps="5-7")

    answer = client.post("/audit/review/undo", sent, headers={"HX-Request": "true"})

    found = re.search(r'id="changes" data-opens="([^"]*)"', answer.content.decode())
    assert found is not None
    page = client.get(found[1].replace("&amp;", "&")).content.decode()
    assert "Undone for 3 packets." in page
    assert progress(page) == "0 of 5 done, 0 flagged"


def test_where_all_packets_have_a_decision_the_last_bulk_decision_can_be_undone(
    client: Client, ada: User, stored: list[Packet]
) -> None:
    store(client, read(client, fields(selected="1-5", state="reviewed"), "bulk"))

    page = read(client, fields("is:unreviewed"))

    assert "No packets to review" in page
    assert "5 packets reviewed by you at" in words(undo_form(page))


def test_what_others_decided_since_is_left_out_and_said(
    client: Client, ada: User, flagged: list[Packet]
) -> None:
    queue = fields("is:invalid")
    page = read(client, queue)
    sent = queue | {name: hidden(page, name, "undo") for name in ("steps", "seen")}
    review.mark(packet=flagged[0], state="reviewed", note="", who=User.objects.create_user("bob"))

    after = client.post("/audit/review/undo", sent | {"leaf": 2}, follow=True).content.decode()

    left = "1 left out: erased, undone, or decided by others meanwhile."
    assert f"Undone for 2 packets. {left}" in after
    assert progress(after) == "1 of 3 done, 0 flagged"


def test_the_decisions_of_others_are_not_offered(
    client: Client, ada: User, flagged: list[Packet]
) -> None:
    client.force_login(User.objects.create_user("bob"))
    queue = fields("is:invalid")
    assert 'name="steps"' not in undo_form(read(client, queue))
    answer = client.post("/audit/review/undo", queue | {"steps": "5-7", "leaf": 2})
    assert answer.status_code == 422
    assert Review.objects.count() == 3
