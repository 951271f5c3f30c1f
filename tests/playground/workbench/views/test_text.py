"""Text stays text: line ends, sizes, markup, hidden characters, and offsets."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from playground.workbench.forms import TEXT_LIMIT
from tests.playground.drawn import unfold, words
from tests.playground.workbench.views.pages import decoded, textarea

pytestmark = pytest.mark.django_db

HOSTILE = (
    "INF/OBS|g=42,t=1,@=<script>alert(1)</script>\n"
    'REQ/TSK|g=42,t=1,@="onmouseover="alert(2)\n'
    "REJ/PLN|g=42,t=1,!={{reason}}{%_now_%}\n"
    "</textarea><img src=x onerror=alert(3)>\n"
    '{"format":"text","content":"</script><b>bold</b>"}\n'
)


def test_what_a_browser_makes_of_line_ends_is_undone(client: Client) -> None:
    page = client.post("/", {"text": "REQ/TSK|g=1,t=1\r\nREQ/TSK|g=2,t=1\r\n"}).content.decode()

    assert textarea(page) == "REQ/TSK|g=1,t=1\nREQ/TSK|g=2,t=1\n"


def test_blanks_around_the_text_stay(client: Client) -> None:
    assert textarea(client.post("/", {"text": "\n\n  x  \n"}).content.decode()) == "\n\n  x  \n"


def test_too_large_a_text_is_refused_with_the_limit_and_given_back(client: Client) -> None:
    text = "é" * (TEXT_LIMIT // 2 + 1)

    response = client.post("/", {"text": text})
    page = response.content.decode()

    assert response.status_code == 200
    assert "1,048,578 bytes" in page
    assert "1,048,576" in page
    assert textarea(page) == text


def test_a_body_beyond_every_form_is_413_with_the_way_to_the_import(client: Client) -> None:
    response = client.post("/", {"text": "x" * 11_000_000})

    assert response.status_code == 413
    offered, other = (
        page.content.decode().partition("<main")[2] for page in (response, client.get("/nowhere"))
    )
    assert f'href="{reverse("import")}"' in offered
    assert reverse("import") not in other


def test_a_mebibyte_is_read(client: Client) -> None:
    assert "1 message" in words(decoded(client, "REQ/TSK|g=1,t=1 " + "x" * (TEXT_LIMIT - 20)))


@pytest.mark.parametrize(
    "address", ["/", "/reading", "/reading/rows", "/reading/spending/costs", "/reading/whole"]
)
def test_hostile_text_is_escaped_everywhere(client: Client, address: str) -> None:
    ours = client.post(address, {"text": "REQ/TSK|g=1,t=1"}).content.decode().count("</textarea>")
    for message in range(1, 6):
        page = client.post(address, {"text": HOSTILE, "message": str(message)}).content.decode()
        for tag in ("<script>alert", "<img", "<b>", '"onmouseover="', "</script><b>"):
            assert tag not in page
        assert page.count("</textarea>") == ours


def test_a_hostile_text_comes_back_as_it_was(client: Client) -> None:
    assert textarea(client.post("/", {"text": HOSTILE}).content.decode()) == HOSTILE


@pytest.mark.parametrize(
    ("character", "glyph"),
    [
        ("\u202e", "⟨U+202E⟩"),
        ("\x00", "␀"),
        ("\x1b", "␛"),
        ("\u200b", "⟨U+200B⟩"),
        ("\x7f", "␡"),
        ("\u2066", "⟨U+2066⟩"),
    ],
)
def test_a_character_that_cannot_be_seen_is_drawn_as_a_glyph(
    client: Client, character: str, glyph: str
) -> None:
    page = decoded(client, f"INF/OBS|g=42,t=1,@=safe{character}gpj.exe")

    assert glyph in page.split('id="panel-fields"')[0]
    assert glyph in page.split('id="panel-fields"')[1].split('id="panel-means"')[0]
    assert character not in page


def test_offsets_for_the_browser_are_utf_16_units(client: Client) -> None:
    page = decoded(client, "🙂🙂\nRJE/PLN|g=42,t=1,@=🙂\nACC/PLN|g=42,t=01\n")
    begins = [start for start, _ in unfold(re.findall(r'data-spans="([^"]*)"', page)[0])]
    starts = [
        (begins[int(message) - 1] + int(start), begins[int(message) - 1] + int(end))
        for message, start, end in re.findall(
            r'class="fix"[^>]*data-message="(\d+)"\s+data-start="(\d+)" data-end="(\d+)"', page
        )
    ]
    units = "🙂🙂\nRJE/PLN|g=42,t=1,@=🙂\nACC/PLN|g=42,t=01\n".encode("utf-16-le")

    assert [units[2 * start : 2 * end].decode("utf-16-le") for start, end in starts] == [
        "RJE",
        "01",
    ]
