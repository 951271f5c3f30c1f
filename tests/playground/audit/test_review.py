"""Reviews are appended, by people who signed in."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import review
from auditlog.ingest.item import Item
from auditlog.models import Review
from tests.auditlog.sending import keep
from tests.playground.audit.pages import BROKEN, WIRE, find, read, rows
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def test_review_is_append_only_with_who_and_when(client: Client, ada: User) -> None:
    packet = keep(Item(BROKEN))
    address = f"/audit/default/{packet.uid}"

    first = client.post(f"{address}/review", {"state": "flagged", "note": "<b>odd</b>"})
    client.force_login(User.objects.create_user("grace"))
    client.post(f"{address}/review", {"state": "reviewed", "note": ""})

    assert first.headers["Location"] == address
    page = read(client, address)
    steps = [
        words(step)
        for step in re.findall(
            r"<li[^>]*>(.*?)</li>", page.split('<ol class="steps">')[1], re.DOTALL
        )
    ]
    assert [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", "WHEN", step) for step in steps[:2]] == [
        "reviewed grace WHEN leaf 2 Undo",
        "flagged ada WHEN leaf 1 <b>odd</b>",
    ]
    assert [(step.state, step.who.get_username()) for step in Review.objects.order_by("leaf")] == [
        ("flagged", "ada"),
        ("reviewed", "grace"),
    ]
    assert rows(find(client, q="is:reviewed")) == [BROKEN]
    assert rows(find(client, q="is:flagged")) == []


def test_a_comment_decides_nothing_and_an_own_step_is_undone_by_a_step(
    client: Client, ada: User
) -> None:
    packet = keep(Item(BROKEN))
    address = f"/audit/default/{packet.uid}"
    client.post(f"{address}/review", {"state": "flagged", "note": "odd"})
    client.post(f"{address}/review", {"state": "commented", "note": "Who?"})
    assert rows(find(client, q="is:flagged is:commented")) == [BROKEN]

    client.post(f"{address}/review", {"undoes": "1"})

    assert [(step.state, step.undoes) for step in Review.objects.order_by("leaf")] == [
        ("flagged", None),
        ("commented", None),
        ("undone", 1),
    ]
    page = read(client, address)
    assert page.count('class="is-undone"') == 1
    assert rows(find(client, q="is:unreviewed is:invalid")) == [BROKEN]


@pytest.mark.parametrize("undoes", ["0", "1", "7", "x"])
def test_what_is_no_own_step_of_the_packet_is_not_undone(
    client: Client, ada: User, undoes: str
) -> None:
    packet = keep(Item(BROKEN))
    review.mark(packet=packet, state="flagged", note="", who=User.objects.create_user("grace"))

    answer = client.post(f"/audit/default/{packet.uid}/review", {"undoes": undoes})

    assert answer.status_code == 422
    assert Review.objects.count() == 1


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"state": "new"},
        {"state": "reviewed", "note": "x" * 10_001},
        {"state": "flagged", "note": "a\0b"},
    ],
)
def test_a_step_that_cannot_be_taken_is_said_and_leaves_no_trace(
    client: Client, ada: User, sent: dict[str, str]
) -> None:
    packet = keep(Item(WIRE))

    response = client.post(f"/audit/default/{packet.uid}/review", sent)

    assert response.status_code == 422
    assert '<p class="tally error">' in response.content.decode()
    assert not Review.objects.exists()


def test_a_review_of_another_site_is_refused() -> None:
    packet = keep(Item(WIRE))
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.create_user("ada"))

    assert (
        browser.post(f"/audit/default/{packet.uid}/review", {"state": "reviewed"}).status_code
        == 403
    )
    assert not Review.objects.exists()
