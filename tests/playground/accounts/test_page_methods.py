"""Pages that only take a form, and pages that only signed-in people open."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from auditlog.models import Packet

pytestmark = pytest.mark.django_db

UID = UUID(int=0)
POSTED: dict[str, dict[str, Any]] = {
    "aacp-decide": {"number": 1},
    "aacp-withdraw": {"number": 1},
    "autopilot-panel": {},
    "edit": {},
    "examine": {"name": "injection"},
    "export-reading": {"ending": "md"},
    "import-piece": {},
    "import-preview": {},
    "marks": {},
    "mend": {},
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
    "signout": {},
    "spending": {"name": "strip"},
    "whole": {},
}
SIGNED_IN: dict[str, dict[str, Any]] = {
    "aacp-candidates": {},
    "audit": {},
    "conversations": {},
    "drawer": {"log": "default", "uid": UID},
    "entry": {"log": "default", "uid": UID},
    "entry-in-any-log": {"uid": UID},
    "erase": {"log": "default", "uid": UID},
    "erase-found": {},
    "erased": {},
    "evidence": {},
    "evidence-file": {"form": "zip"},
    "evidence-progress": {},
    "export": {"form": "csv"},
    "growth": {"log": "default", "size": 1},
    "live": {"slug": "default"},
    "packet-proof": {"log": "default", "uid": UID},
    "picture": {"form": "svg"},
    "proof-file": {"log": "default", "uid": UID, "form": "leaf"},
    "receipts-file": {},
    "review-bulk": {},
    "review-desk": {},
    "review-packet": {},
    "review-rows": {},
}


@pytest.mark.parametrize("name", POSTED)
def test_a_link_sends_no_form(admin_client: Client, name: str) -> None:
    """A link or an image on another page would otherwise do what a form with a token does."""
    assert admin_client.get(reverse(name, kwargs=POSTED[name])).status_code == 405


@pytest.mark.parametrize("name", SIGNED_IN)
def test_a_stranger_is_asked_to_sign_in(client: Client, name: str) -> None:
    address = reverse(name, kwargs=SIGNED_IN[name])
    answer = client.get(address)

    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/signin?next={address}"


@pytest.mark.parametrize(
    "name", ["review", "review-bulk", "review-step", "review-undo", "save-confirm"]
)
def test_a_stranger_sends_no_form(client: Client, name: str) -> None:
    answer = client.post(reverse(name, kwargs=POSTED.get(name, {})), {"text": "REQ/TSK|g=1,t=1"})

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/signin?next=/")
    assert not Packet.objects.exists()


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
