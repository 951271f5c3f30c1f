"""The panel Translate, with and without JavaScript."""

import pytest
from django.test import Client

from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def translated(client: Client, text: str, to: str) -> str:
    """The workbench as a browser without JavaScript gets it."""
    response = client.post("/", {"text": text, "to": to})
    assert response.status_code == 200
    return response.content.decode()


def test_a_message_is_translated_with_its_ledger_and_the_way_back(client: Client) -> None:
    page = translated(client, "PRO/PLN|g=42,t=1", "aacp")

    assert "REPORT|PLN|return:unstated|aacp:1.1|x-cablese-act:propose" in page
    assert "approximated act = PRO → task = REPORT" in words(page)
    assert "converted g = 42 → x-cablese-goal = 42" in words(page)
    assert "Lossless." in words(page)
    assert "Required by AACP: return = unstated" in words(page)
    assert "It depends on 3 private fields that only Cablese reads: x-cablese-act, " in words(page)


def test_what_is_lost_is_said(client: Client) -> None:
    page = translated(client, "EVL/EVL|g=42,sc=8", "slip")

    assert "SLIP v3 unstated unstated Eval EVL" in page
    assert 'SLIP v3 has no equivalent of "sc".' in words(page)
    assert "Lossy. The round trip loses fields." in words(page)
    assert '<option value="slip" selected>' in page


def test_the_choice_stays_while_the_text_is_typed(client: Client) -> None:
    page = client.post("/reading", {"text": "REQ/TSK|g=1", "to": "english"}).content.decode()

    assert "Requests a task for goal 1." in words(page)
    assert "English cannot be translated back" in words(page)


def test_a_refusal_is_said_and_nothing_is_flattened(client: Client) -> None:
    page = translated(
        client, '{"Format":"binary","Subformat":"image/png","Content":"iVBORw=="}', "tline"
    )

    assert "Not translated. The message contains binary content (image/png)" in words(page)


def test_hostile_text_stays_text(client: Client) -> None:
    text = "INF/OBS|g=1,@=<script>alert(1)</script>\u202e,<b>=<i>x</i>"
    for to in ("aacp", "sacp", "nlip", "tline", "slip", "english", "json"):
        page = translated(client, text, to)
        assert "<script>alert" not in page
        assert "<i>x" not in page
        assert "\u202e" not in page.split("panel-translate")[1]


def test_without_a_message_there_is_no_panel(client: Client) -> None:
    assert (
        "panel-translate"
        not in client.post("/reading", {"text": "", "to": "slip"}).content.decode()
    )


LINE = "2026-11-29T10:12:33Z planner -> executor: "


def test_what_only_the_line_states_is_translated_with_a_note(client: Client) -> None:
    page = translated(client, f"{LINE}REQ/TSK|g=42,t=1", "slip")

    assert "SLIP v3 planner executor Request TSK" in page
    note = "From the line around the message: src = planner, dst = executor."
    assert f"{note} The round trip is without them." in words(page)
    assert "Required by SLIP v3" not in words(page)


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("2026-11-29T10:12:33Z", "2026-11-29T10:12:33Z"),
        ("2026-11-29T10:12:33.120+01:00", "2026-11-29T09:12:33.120000Z"),
        ("2026-11-29 10:12:33,120 +0000", "2026-11-29T10:12:33.120000Z"),
    ],
)
def test_a_time_with_its_zone_is_translated(client: Client, time: str, shown: str) -> None:
    page = words(translated(client, f"{time} REQ/TSK|g=42,t=1", "sacp/1.0"))

    assert f"From the line around the message: ts = {shown}. The round trip is without it." in page


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("", "slip"),
        (LINE, "aacp"),
        (LINE, "tline"),
        ("2026-11-29 10:12:33 ", "sacp/1.0"),  # in an unknown zone
        ("2016-12-31T23:59:60+01:00 ", "sacp/1.0"),  # a second that Python has not
        ("Nov 29 10:12:33 ", "sacp/1.0"),
    ],
)
def test_without_a_field_or_a_certain_value_the_line_adds_nothing(
    client: Client, line: str, to: str
) -> None:
    assert "From the line around" not in translated(client, f"{line}REQ/TSK|g=42,t=1", to)
