"""What is wrong with the installation, on each page of a signed-in person."""

import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from playground.health import readiness
from playground.health.readiness import Problem, State
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

SINCE = datetime(2026, 11, 20, 10, 30, tzinfo=UTC)
FULL = Problem("database", "error", "The disk is <full>.", "Free space.", SINCE, reason="hunter2")
CLOCK = Problem("clock", "warning", "The clock is behind.", "Set it right.", SINCE)


@pytest.fixture(autouse=True)
def in_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "current", lambda: State((FULL, CLOCK), checked=SINCE))


@pytest.mark.parametrize(
    "path", ["/", "/audit/", "/protocols/", "/stream/", "/import/", "/no/such/page"]
)
def test_a_signed_in_person_reads_it_on_every_page(client: Client, path: str) -> None:
    client.force_login(User.objects.create_user("ada"))
    page = client.get(path).content.decode()
    (banner,) = re.findall(
        r'<section class="installation" aria-label="Problems with this installation">.*?</section>',
        page,
        re.DOTALL,
    )
    assert re.findall(r'<p class="notice (\w+)">', banner) == ["error", "warning"]
    said = words(banner)
    assert "The disk is <full>. Free space. Since 2026-11-20 10:30:00 UTC" in said
    assert "The clock is behind. Set it right." in said
    assert "hunter2" not in page


def test_a_stranger_does_not(client: Client) -> None:
    assert 'class="installation"' not in client.get("/").content.decode()


def test_a_page_without_problems_has_no_banner(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "current", lambda: State(checked=SINCE))
    client.force_login(User.objects.create_user("ada"))
    assert 'class="installation"' not in client.get("/").content.decode()


def test_a_fragment_has_no_banner(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    fragment = client.post("/reading", {"text": "REQ/TSK|g=1,t=1"}, headers={"HX-Request": "true"})
    assert 'class="installation"' not in fragment.content.decode()
