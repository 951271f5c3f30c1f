"""Forms that are sent after the session has ended."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from auditlog.ingest.item import Item
from auditlog.models import Review
from tests.auditlog.sending import keep

pytestmark = pytest.mark.django_db

BROWSER = {"Accept": "text/html,*/*;q=0.8", "Referer": "http://testserver/audit/"}
NOTE = 'Who is "HR"?\n<script>x</script> & more'


def test_what_was_entered_is_kept_and_sent_after_the_sign_in() -> None:
    packet = keep(Item("REQ/TSK|g=1,t=1"))
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    token = client.cookies["csrftoken"].value
    address = reverse("review", args=[packet.log.slug, packet.uid])
    given = {"note": NOTE, "state": "flagged", "csrfmiddlewaretoken": token}

    answer = client.post(address + "?q=is:invalid", given, headers=BROWSER)

    page = answer.content.decode()
    assert answer.status_code == 403
    assert "no-store" in answer.headers["Cache-Control"]
    assert f'action="{address}?q=is:invalid"' in page
    assert "<script>x" not in page
    kept = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    assert [name for name, _ in kept] == ["csrfmiddlewaretoken", "note", "state"]
    assert not Review.objects.exists()

    client.force_login(User.objects.create_superuser("ada"))
    client.post(address, {name: unescape(value) for name, value in kept}, headers=BROWSER)

    assert Review.objects.get().note == NOTE
    assert Review.objects.get().state == "flagged"


def test_the_answer_to_a_script_is_the_sign_in(client: Client) -> None:
    answer = client.post(reverse("review-step"), headers={**BROWSER, "Accept": "*/*"})

    assert answer.headers["Location"].startswith("/signin?next=/audit/")
