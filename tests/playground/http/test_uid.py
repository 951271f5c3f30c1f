"""An ID in an address is found in either case, as RFC 9562 asks for."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from auditlog import access
from auditlog.ingest.item import Item
from tests.auditlog.sending import keep

pytestmark = pytest.mark.django_db


def test_a_packet_is_found_by_its_id_in_upper_case(client: Client) -> None:
    _, key = access.create_key(source="bot", scopes=access.SCOPES)
    uid = keep(Item("REQ/TSK|g=1,t=1")).uid
    found = [
        client.get(f"/api/v1/packets/{each}", headers={"Authorization": f"Bearer {key}"})
        for each in (uid, uid.upper(), uid[:10] + uid[10:].upper())
    ]

    assert [answer.status_code for answer in found] == [200, 200, 200]
    assert {answer.json()["id"] for answer in found} == {uid}


def test_pages_are_found_by_it_and_link_to_it_in_lower_case(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    uid = keep(Item("REQ/TSK|g=1,t=1")).uid

    assert client.get(f"/audit/default/{uid.upper()}").status_code == 200
    response = client.get(f"/audit/{uid.upper()}")
    assert response.headers["Location"] == reverse("entry", args=["default", uid])
    assert response.headers["Location"].endswith(uid)


@pytest.mark.parametrize("wrong", ["0" * 32, "0" * 36, "g0000000-0000-7000-8000-000000000000"])
def test_another_form_is_none(client: Client, wrong: str) -> None:
    assert client.get(f"/audit/default/{wrong}").status_code == 404
    assert client.get(f"/api/v1/packets/{wrong}").status_code == 404
