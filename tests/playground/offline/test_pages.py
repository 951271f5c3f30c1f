"""What pages say about decoding in the browser, and which texts the server refuses."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from playground.offline import built, middleware

pytestmark = pytest.mark.django_db

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'none'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
ORDINARY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
TEXT = "REQ/TSK|g=42"
SWITCH = 'id="browser-only"'
TAKING = [
    "/", "/reading", "/reading/whole", "/reading/rows", "/reading/marks", "/reading/edit",
    "/reading/spending/strip", "/reading/examine/lens", "/reading/export.md", "/fixes", "/diff",
    "/autopilot", "/autopilot/panel", "/share/redacted", "/save", "/save/confirm", "/import/piece",
    "/import/earlier", "/import/preview", "/aacp/english", "/sacp/plan", "/nlip/exchange",
]  # fmt: skip


def test_without_the_files_pages_have_no_switch(client: Client) -> None:
    answer = client.get("/")

    assert SWITCH not in answer.content.decode()
    assert answer.headers["Content-Security-Policy"] == ORDINARY


def test_the_workbench_offers_the_switch(client: Client, offered: built.Built) -> None:
    answer = client.get("/")
    page = answer.content.decode()

    assert SWITCH in page
    assert 'data-size="8.7"' in page
    assert "data-only" not in page
    assert answer.headers["Content-Security-Policy"] == ORDINARY


def test_off_means_off(client: Client, offered: built.Built, settings: Settings) -> None:
    settings.OFFLINE = "off"

    assert SWITCH not in client.get("/").content.decode()


def test_whoever_asks_for_it_gets_a_page_that_can_send_nothing(
    client: Client, offered: built.Built
) -> None:
    client.cookies["browser_only"] = "1"
    answer = client.get("/")

    assert answer.headers["Content-Security-Policy"] == STRICT
    assert "data-only" in answer.content.decode()


def test_the_cookie_does_nothing_without_the_files(client: Client) -> None:
    client.cookies["browser_only"] = "1"

    assert client.get("/").headers["Content-Security-Policy"] == ORDINARY
    assert client.post("/reading", {"text": TEXT}).status_code == 200


@pytest.mark.parametrize("address", TAKING)
def test_an_administrator_can_refuse_all_texts(
    client: Client, offered: built.Built, settings: Settings, address: str
) -> None:
    settings.OFFLINE = "only"
    answer = client.post(address, {"text": TEXT})

    assert answer.status_code == 403
    assert "browser only" in answer.content.decode()
    assert TEXT not in answer.content.decode()


def test_enforcing_it_leaves_no_choice(
    client: Client, offered: built.Built, settings: Settings
) -> None:
    settings.OFFLINE = "only"
    answer = client.get("/")

    assert answer.headers["Content-Security-Policy"] == STRICT
    assert "disabled" in answer.content.decode().partition(SWITCH)[2].partition(">")[0]


@pytest.mark.parametrize("address", ["/import/", "/diff", "/autopilot", "/sacp/plan"])
def test_a_page_that_takes_texts_says_why_it_is_off(
    client: Client, offered: built.Built, settings: Settings, address: str
) -> None:
    settings.OFFLINE = "only"
    answer = client.get(address, headers={"Accept": "text/html"})

    assert answer.status_code == 403
    assert middleware.REFUSAL in answer.content.decode()
    assert "<form" not in answer.content.decode().partition("<main")[2].partition("</main>")[0]


def test_a_program_can_still_send(client: Client, offered: built.Built, settings: Settings) -> None:
    settings.OFFLINE = "only"
    answer = client.post("/api/v1/decode", {"text": TEXT}, content_type="application/json")

    assert answer.status_code == 200


def test_only_a_page_of_nobody_is_marked(client: Client, offered: built.Built) -> None:
    assert client.get("/").headers[middleware.MARK] == middleware.ANONYMOUS
    assert middleware.MARK not in client.get("/protocols/").headers
    assert middleware.MARK not in client.post("/", {"text": TEXT}).headers

    client.force_login(User.objects.create_user("ada"))
    assert middleware.MARK not in client.get("/").headers
