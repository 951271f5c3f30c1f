"""The table of the trail: its columns, and the lines of its packets."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from playground.audit.table.columns import COLUMNS, choose
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.audit.pages import read
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db
USUAL = ["Sent", "State", "Act", "English", "From → to", "Goal/task", "Tokens"]


def head(page: str) -> list[str]:
    row = page.partition("<thead>")[2].partition("</thead>")[0]
    return [
        words(cell).removesuffix(" (UTC)") for cell in re.findall(r"<th.*?</th>", row, re.DOTALL)
    ]


def cells(page: str) -> list[list[str]]:
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [words(cell) for cell in re.findall(r"<t[dh][ >].*?</t[dh]>", row, re.DOTALL)]
        for row in body.split("<tr>")[1:]
    ]


def test_a_packet_is_a_line_of_a_table(client: Client, ada: User) -> None:
    sent = "2026-11-20T10:00:01+01:00"
    keep(Item("REQ/TSK|g=42,t=1,p=2", sent_at=sent, from_="planner", to="coder"))

    page = read(client, "/audit/")

    assert head(page) == USUAL
    assert cells(page) == [
        [
            "2026-11-20 09:00:01", "●…", "request",
            "Requests task 1 of goal 42, medium priority.", "planner → coder", "42/1", "14",
        ]
    ]  # fmt: skip
    assert '<time data-at datetime="2026-11-20T09:00:01+00:00"' in page


def test_an_arrow_between_names_from_right_to_left_points_at_the_recipient(
    client: Client, ada: User
) -> None:
    keep(Item("REQ/TSK|g=42,t=1", from_="מתכנן", to="<b>מבצע"))

    assert "<bdi>מתכנן</bdi> → <bdi>&lt;b&gt;מבצע</bdi></td>" in read(client, "/audit/")


def test_a_packet_without_a_sent_time_shows_when_it_was_received(client: Client, ada: User) -> None:
    packet = keep(Item("REQ/TSK|g=42,t=1"))

    page = read(client, "/audit/")

    assert cells(page)[0][0] == f"{packet.received:%Y-%m-%d %H:%M:%S} received"
    assert "UTC. No sent time." in page


@pytest.mark.parametrize(
    "sent", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-23:59", "2016-12-31 23:59:60z"]
)
def test_a_sent_time_at_the_end_of_the_calendar_is_shown(
    client: Client, ada: User, sent: str
) -> None:
    keep(Item("REQ/TSK|g=42,t=1", sent_at=sent))

    assert len(cells(read(client, "/audit/"))) == 1


def test_text_of_no_protocol_is_shown_as_it_is(client: Client, ada: User) -> None:
    keep(Item("hello\nthere"))

    assert "No protocol: hello⏎there" in cells(read(client, "/audit/"))[0]


def test_columns_can_be_chosen_and_stay_in_every_link(client: Client, ada: User) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(51)), sender=make_sender())

    page = read(client, "/audit/", columns=["raw", "packet"], q="act:request")

    assert head(page) == ["State", "English", "Raw text", "Packet"]
    assert cells(page)[0][2:] == ["REQ/TSK|g=50,t=1", "50"]
    checked = re.findall(r'name="columns" value="(\w+)"\s+checked', page)
    assert checked == ["state", "english", "raw", "packet"]
    kept = re.findall(r'<input type="hidden" name="columns" value="(\w+)">', page)
    # Of the search, of the form that saves it, and of the choice itself.
    assert kept == ["raw", "packet"] * 2
    older = re.findall(r'rel="next"\s+href="([^"]+)"', page)[0]
    assert head(read(client, f"/audit/{unescape(older)}")) == head(page)


@pytest.mark.parametrize("columns", [[], ["nothing"], ["raw", "nothing"], [""]])
def test_unknown_columns_are_the_usual_ones(client: Client, ada: User, columns: list[str]) -> None:
    keep(Item("REQ/TSK|g=42,t=1"))

    assert head(read(client, "/audit/", columns=columns)) == USUAL


def test_every_column_can_be_shown_at_once(client: Client, ada: User) -> None:
    keep(Item("REQ/TSK|g=42,t=1", thread="n/1", tags=["<b>"]))

    page = read(client, "/audit/", columns=[column.name for column in COLUMNS])

    assert head(page) == [column.title for column in COLUMNS]
    assert "@<b>" in unescape(page)
    assert "@<b>" not in page


def test_state_and_english_are_always_shown() -> None:
    assert [column.name for column in choose(["tokens"])] == ["state", "english", "tokens"]
