import io

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/reading", "/save", "/save/confirm", "/signout"])
def test_a_form_with_a_file_is_refused(address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/")

    response = client.post(address, {"text": "", "file": io.BytesIO(b"x")})

    assert response.status_code == 400


@pytest.mark.django_db
def test_a_form_without_one_is_read(client: Client) -> None:
    assert b"3 messages" in client.post("/reading", {"text": "REQ/TSK|g=1,t=1\n" * 3}).content
