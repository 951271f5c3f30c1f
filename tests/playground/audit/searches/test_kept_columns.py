"""Columns that a person chose, in their order."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from playground.audit.searches.models import ChosenColumns
from playground.audit.table.columns import USUAL as NAMES
from playground.audit.table.columns import choose, move
from tests.auditlog.sending import keep
from tests.playground.audit.pages import read
from tests.playground.audit.trail.test_columns import USUAL, head

pytestmark = pytest.mark.django_db
ALWAYS = ("state", "english")


def send(client: Client, *columns: str, **fields: str) -> str:
    response = client.post("/audit/columns", {"columns": columns, "log": "default", **fields})
    assert response.status_code == 302
    return response.headers["Location"]


def test_a_choice_is_kept_for_its_person(client: Client, ada: User) -> None:
    keep(Item("REQ/TSK|g=42,t=1"))
    grace = Client()
    grace.force_login(User.objects.create_user("grace"))

    address = send(client, "raw", "packet", *ALWAYS, q="goal:42", at="1")

    assert address == "/audit/?log=default&q=goal%3A42&at=1"
    assert head(read(client, address)) == ["Raw text", "Packet", "State", "English"]
    assert head(read(client, "/audit/")) == ["Raw text", "Packet", "State", "English"]
    assert head(read(grace, "/audit/")) == USUAL
    assert head(read(client, "/audit/", columns=["act"])) == ["State", "Act", "English"]
    send(client, reset="1")
    assert head(read(client, "/audit/")) == USUAL
    assert ChosenColumns.objects.count() == 0


def test_a_column_moves_and_its_button_keeps_the_focus(client: Client, ada: User) -> None:
    keep(Item("REQ/TSK|g=42,t=1"))

    address = send(client, *NAMES, up="act")
    page = read(client, address)

    assert head(page) == ["Sent", "Act", "State", "English", "From → to", "Goal/task", "Tokens"]
    assert '<details class="menu columns-menu" open>' in page
    focused = page.partition("autofocus")[0].rpartition("<button")[2]
    assert 'name="up" value="act"' in focused
    assert page.count("autofocus") == 1
    last = read(client, send(client, "sent", *ALWAYS, "raw", down="english"))
    assert head(last) == ["Sent", "State", "Raw text", "English"]
    # It can move no further, so its other button has the focus.
    focused = last.partition("autofocus")[0].rpartition("<button")[2]
    assert 'name="up" value="english"' in focused


def test_the_menu_lists_what_is_shown_first_and_cannot_move_beyond_the_ends(
    client: Client, ada: User
) -> None:
    keep(Item("REQ/TSK|g=42,t=1"))
    send(client, "raw", *ALWAYS)

    menu = read(client, "/audit/").partition("columns-menu")[2].partition("</details>")[0]

    boxes = menu.split('type="checkbox"')[1:]
    assert [box.partition('value="')[2].partition('"')[0] for box in boxes][:3] == [
        "raw", *ALWAYS,
    ]  # fmt: skip
    assert 'aria-label="Move Raw text up" disabled' in menu
    assert 'aria-label="Move English down" disabled' in menu
    assert menu.count("aria-label") == 6


@pytest.mark.parametrize("columns", [("nothing",), ("raw", "<b>")])
def test_unknown_columns_are_refused(client: Client, ada: User, columns: tuple[str, ...]) -> None:
    response = client.post("/audit/columns", {"columns": columns, "log": "default"})

    assert response.status_code == 404
    assert ChosenColumns.objects.count() == 0


def test_a_stored_column_that_no_longer_exists_is_left_out(client: Client, ada: User) -> None:
    keep(Item("REQ/TSK|g=42,t=1"))
    ChosenColumns.objects.create(person=ada, names="english state gone raw")

    assert head(read(client, "/audit/")) == ["English", "State", "Raw text"]


@pytest.mark.parametrize(
    ("name", "by", "moved"),
    [
        ("raw", -1, ["raw", "english", "state"]),
        ("english", -1, ["english", "raw", "state"]),
        ("english", 1, ["raw", "english", "state"]),
        ("state", 1, ["english", "raw", "state"]),
        ("nothing", 1, ["english", "raw", "state"]),
    ],
)
def test_a_move_stays_within_the_columns(name: str, by: int, moved: list[str]) -> None:
    columns = choose(["english", "raw", "state"])

    assert [column.name for column in move(columns, name, by)] == moved
