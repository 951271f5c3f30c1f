"""Receipts of what a person stored in the browser, as a file that the receipt check reads."""

import io
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from playground.audit import receipt_text, receipts
from tests.auditlog.sending import keep
from tests.playground.audit.pages import WIRE

pytestmark = pytest.mark.django_db
FILE = "/audit/receipts.ndjson"


def download(client: Client, address: str) -> list[dict[str, object]]:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment;")
    return [json.loads(line) for line in answer.getvalue().splitlines()]


def test_what_was_saved_can_be_checked_with_the_file(client: Client, ada: User) -> None:
    page = client.post(
        "/save/confirm",
        {"text": f"{WIRE}\nACC/PLN|g=1", "shown_zone": "UTC", "log": "default"},
        follow=True,
    ).content.decode()
    assert f'<a href="{FILE}?log=default&amp;first=0&amp;last=1" download>' in page

    answer = client.get(f"{FILE}?log=default&first=0&last=1")
    given = receipt_text.read(answer.getvalue().decode())
    checked = [receipts.check(one, reads=lambda _log: False).verdict for one in given]
    assert checked == ["verified", "verified"]


def test_an_import_offers_them_without_a_script(client: Client, ada: User) -> None:
    file = io.BytesIO(f"{WIRE}\n".encode())
    file.name = "a.log"
    page = client.post("/import/", {"file": file, "log": "default", "kind": "text", "zone": "UTC"})
    assert f"{FILE}?log=default&amp;first=0&amp;last=0" in page.content.decode()
    assert len(download(client, f"{FILE}?log=default&first=0&last=0")) == 1


def test_only_ones_own_are_in_the_file(client: Client, ada: User) -> None:
    keep(Item(WIRE))
    assert download(client, f"{FILE}?log=default&first=0&last=9") == []


@pytest.mark.parametrize("query", ["", "log=x&first=0&last=1", "log=default&first=-1&last=x"])
def test_a_range_that_is_none_is_not_found(client: Client, ada: User, query: str) -> None:
    assert client.get(f"{FILE}?{query}").status_code == 404
