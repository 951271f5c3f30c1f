"""Pages that only take a form, and pages that only signed-in people open."""

import re
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, reverse

from auditlog.models import Packet
from playground.urls import urlpatterns

pytestmark = pytest.mark.django_db

UID = UUID(int=0)
POSTED: dict[str, dict[str, Any]] = {
    "aacp-decide": {"number": 1},
    "aacp-withdraw": {"number": 1},
    "add-checkpoint": {},
    "autopilot-panel": {},
    "columns": {},
    "edit": {},
    "examine": {"name": "injection"},
    "export-reading": {"ending": "md"},
    "fixes": {},
    "import-earlier": {},
    "import-piece": {},
    "import-preview": {},
    "key-revoke": {"key_id": "a"},
    "key-rotate": {"key_id": "a"},
    "log-health-check": {},
    "marks": {},
    "pad-close": {"key": "a"},
    "pad-save": {"key": "a"},
    "reading": {},
    "redacted": {},
    "review": {"log": "default", "uid": UID},
    "review-step": {},
    "review-undo": {},
    "rows": {},
    "sacp-spawn": {},
    "sacp-withdraw": {"kind": "verb", "name": "generate"},
    "save": {},
    "save-confirm": {},
    "search-rename": {"log": "default", "uid": UID},
    "search-save": {},
    "search-update": {"log": "default", "uid": UID},
    "signout": {},
    "spending": {"name": "strip"},
    "whole": {},
}
OPEN = {
    "aacp", "aacp-english", "aacp-workflow", "add-checkpoint", "autopilot", "autopilot-panel",
    "claims", "diff", "edit", "examine", "examples", "export-reading", "fixes", "found", "health",
    "import", "marks", "nlip", "nlip-exchange", "nlip-talk", "nlip-upload", "nlip-via",
    "nslip-training", "nslip-training-file", "offline-worker", "pad", "pad-close", "pad-events",
    "pad-lines", "pad-message", "pad-save", "places", "proof", "protocol", "protocols", "reading",
    "ready", "receipt", "redacted", "rows", "sacp", "sacp-assemble", "sacp-definition",
    "sacp-history", "sacp-new", "sacp-plan", "sacp-spawn", "save", "service-worker", "signin",
    "signin-link", "signout", "spending", "stream", "whole", "workbench",
}  # fmt: skip
"""Routes that everybody may use. Other tests try what some of them do for a few only."""
ADMINISTRATORS = (
    "aacp-decide", "aacp-slots", "aacp-withdraw", "erase", "erase-found", "key-revoke",
    "key-rotate", "keys", "proof-sign", "sacp-withdraw",
)  # fmt: skip
SAMPLES = {"uid": UID, "int": 1, "slug": "default", "str": "zip", "path": "0/000"}
"""A value for each kind of part of a path."""
GUARDED = {
    pattern.name: {
        part: SAMPLES[kind] for kind, part in re.findall(r"<(\w+):(\w+)>", str(pattern.pattern))
    }
    for pattern in urlpatterns
    if isinstance(pattern, URLPattern) and pattern.name and pattern.name not in OPEN
}
"""All other routes, with the parts of a path."""


@pytest.mark.parametrize("name", POSTED)
def test_a_link_sends_no_form(admin_client: Client, name: str) -> None:
    """A link or an image on another page would otherwise do what a form with a token does."""
    assert admin_client.get(reverse(name, kwargs=POSTED[name])).status_code == 405


@pytest.mark.parametrize("name", GUARDED)
def test_a_stranger_is_asked_to_sign_in(client: Client, name: str) -> None:
    address = reverse(name, kwargs=GUARDED[name])
    answers = (client.get(address), client.post(address))

    used = [answer for answer in answers if answer.status_code != 405]
    assert used
    for answer in used:
        assert answer.status_code in (302, 401, 403)
        assert answer.headers.get("Location", "/signin?").startswith("/signin?")


@pytest.mark.parametrize("name", ADMINISTRATORS)
def test_an_ordinary_person_is_no_administrator(client: Client, name: str) -> None:
    client.force_login(User.objects.create_user("bob"))
    address = reverse(name, kwargs=GUARDED[name])
    answers = [answer.status_code for answer in (client.get(address), client.post(address))]

    assert set(answers) - {405} == {403}


@pytest.mark.parametrize("name", POSTED)
def test_who_opens_the_address_of_a_form_sees_a_page(admin_client: Client, name: str) -> None:
    answer = admin_client.get(
        reverse(name, kwargs=POSTED[name]), headers={"Accept": "text/html,*/*;q=0.8"}
    )

    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
    assert "No form was sent" in answer.content.decode()


@pytest.mark.parametrize("name", ["review", "review-bulk", "review-step", "review-undo"])
def test_a_stranger_sends_no_form(client: Client, name: str) -> None:
    answer = client.post(reverse(name, kwargs=POSTED.get(name, {})), {"text": "REQ/TSK|g=1,t=1"})

    assert answer.status_code == 302
    assert answer.headers["Location"] == "/signin?next=/"
    assert not Packet.objects.exists()


@pytest.mark.parametrize(
    ("sender", "back"),
    [
        ("http://testserver/audit/?log=demo&q=a%20b", "/audit/%3Flog%3Ddemo%26q%3Da%2520b"),
        ("http://evil.example/audit/", "/"),
        ("http://[", "/"),
    ],
)
def test_a_form_that_needs_a_sign_in_leads_back_to_its_page(
    client: Client, sender: str, back: str
) -> None:
    answer = client.post("/audit/columns", headers={"Referer": sender})

    assert answer.headers["Location"] == f"/signin?next={back}"


@pytest.mark.parametrize("name", ["live-events", "live-lines", "live-message"])
def test_a_log_is_not_watched_by_strangers(client: Client, name: str) -> None:
    number = {"number": 0} if name == "live-message" else {}
    address = reverse(name, kwargs={"slug": "default", **number})

    assert client.get(address).status_code in (302, 401)


def test_a_disabled_person_is_a_stranger(client: Client) -> None:
    person = User.objects.create_superuser("ada")
    client.force_login(person)
    assert client.get("/audit/").status_code == 200
    User.objects.update(is_active=False)

    assert client.get("/audit/").status_code == 302
