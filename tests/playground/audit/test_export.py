"""Exports of a search as NDJSON and CSV."""

import csv
import io
import json

import pytest
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import Client

from auditlog.ingest.item import Item
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.pages import BROKEN, WIRE

pytestmark = pytest.mark.django_db


def download(client: Client, form: str, **parameters: str) -> bytes:
    response = client.get(f"/audit/export.{form}", parameters)
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


def test_ndjson_is_what_the_search_finds_oldest_first(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(BROKEN), Item("REQ/TSK|g=43,t=1"), sender=make_sender())

    response = client.get("/audit/export.ndjson", {"q": "goal:42"})

    assert response.headers["Content-Type"].startswith("application/x-ndjson")
    assert response.headers["Content-Disposition"] == 'attachment; filename="default.ndjson"'
    found = [json.loads(line) for line in download(client, "ndjson", q="goal:42").splitlines()]
    assert [(one["wire"], one["valid"]) for one in found] == [(WIRE, True), (BROKEN, False)]


def test_csv_runs_no_formula(client: Client, ada: User) -> None:
    wires = ["=cmd|' /C calc'!A0", "@auth", "-1+1", "+1", "\tx", "REQ/TSK|g=42,t=1,@==cmd"]
    append(*(Item(wire) for wire in wires), sender=make_sender())

    table = list(csv.DictReader(io.StringIO(download(client, "csv").decode(), newline="")))

    assert [row["wire"] for row in table] == [
        "'=cmd|' /C calc'!A0", "'@auth", "'-1+1", "'+1", "'\tx", "REQ/TSK|g=42,t=1,@==cmd",
    ]  # fmt: skip
    assert all(
        not cell.startswith(("=", "+", "-", "@", "\t")) for row in table for cell in row.values()
    )


def test_an_export_holds_every_page(client: Client, ada: User) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(1_050)), sender=make_sender())

    assert len(download(client, "ndjson").splitlines()) == 1_050


def test_an_export_of_a_query_that_cannot_be_read_says_so(client: Client, ada: User) -> None:
    response = client.get("/audit/export.csv", {"q": "(goal:42"})

    assert response.status_code == 422
    assert response.content.decode() == "Unclosed parenthesis."


@pytest.mark.parametrize("form", ["xlsx", "CSV", "csv%0a", "%22x"])
def test_there_is_no_other_form_of_export(client: Client, ada: User, form: str) -> None:
    assert client.get(f"/audit/export.{form}").status_code == 404
