"""The fragment with suggestions, and the operation of the API."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import logs
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db
HOSTILE = '<b>"x" & y</b>'


@pytest.fixture(autouse=True)
def filled() -> None:
    items = [Item(f"REQ/TSK|g={n},t=1,@=auth_refactor") for n in range(2)]
    append(*items, Item("REJ/PLN|g=1,t=1", attributes={"note": HOSTILE}), sender=make_sender())


def ask(client: Client, **fields: str | int) -> str:
    response = client.get("/audit/complete", fields)
    assert response.status_code == 200
    return response.content.decode()


def inserts(page: str) -> list[str]:
    return [html.unescape(one) for one in re.findall('data-insert="([^"]*)"', page)]


def test_it_lists_values_with_their_counts_and_the_typed_part(client: Client, ada: User) -> None:
    page = ask(client, q="goal:1 @auth", caret=12)

    assert inserts(page) == ["auth_refactor "]
    assert "<mark>auth</mark><span\n      >_refactor</span>" in page
    assert '<span class="count">2</span>' in page
    assert 'data-start="8" data-end="12" data-summary="1 suggestion"' in page


def test_places_are_those_of_the_browser(client: Client, ada: User) -> None:
    page = ask(client, q="\U0001f600 act:re (", caret=9)

    assert 'data-start="7" data-end="9"' in page
    assert inserts(page) == ["request", "reject"]
    assert '<p data-start="10"\n    data-end="11">Unclosed parenthesis. Add a ) at the end.' in page


def test_what_is_listed_is_escaped(client: Client, ada: User) -> None:
    page = ask(client, q="attr.note:", caret=10)

    assert inserts(page) == [r'"<b>\"x & y</b>" ']
    assert "<b>" not in page


def test_it_wants_a_person_a_log_that_is_there_and_a_caret(client: Client, ada: User) -> None:
    for wrong in ({"log": "nowhere"}, {"caret": "-1"}, {"q": "x" * 4_001}, {"q": "\0"}):
        assert client.get("/audit/complete", wrong).status_code == 400
    client.logout()
    assert client.get("/audit/complete", {"q": "a"}).status_code == 302


def test_the_trail_and_the_conversations_complete_their_box(client: Client, ada: User) -> None:
    for address in ("/audit/", "/audit/conversations"):
        page = client.get(address).content.decode()
        assert 'data-complete="/audit/complete"' in page
        assert "audit/completion.js" in page
        assert "audit/completion.css" in page


def read(client: Client, token: str, **fields: str | int) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {token}"}
    response = client.get("/api/v1/search/complete", fields, headers=headers)
    answer: dict[str, object] = response.json()
    return answer | {"code": response.status_code}


def test_the_api_completes_in_code_points(client: Client) -> None:
    token = access.create_key(source="reader", scopes=("read",))[1]

    answer = read(client, token, q="\U0001f600 @auth x:y", caret=7)

    assert answer["span"] == [3, 7]
    assert answer["completions"] == [
        {"insert": "auth_refactor", "label": "auth_refactor", "detail": "", "count": 2}
    ]
    assert answer["exact"] is True
    problem = answer["problem"]
    assert isinstance(problem, dict)
    assert (problem["span"], problem["message"]) == (
        [8, 9],
        'Unknown field "x": no packet in this log has it.',
    )
    at_the_end = read(client, token, q="act:rej")
    assert at_the_end["completions"] == [
        {"insert": "reject ", "label": "reject", "detail": "", "count": 1}
    ]


def test_the_api_reads_only_what_a_key_may_read(client: Client) -> None:
    log = logs.create(slug="secret")
    limited = access.create_key(source="one", scopes=("read",), log=log)[1]
    ingest = access.create_key(source="two", scopes=("ingest",))[1]

    assert read(client, limited, q="@auth")["completions"] == []
    assert read(client, limited, q="@auth", log="default")["code"] == 403
    assert read(client, ingest, q="@auth")["code"] == 403
    assert read(client, "", q="@auth")["code"] == 401
    reader = access.create_key(source="three", scopes=("read",))[1]
    assert read(client, reader, q="@auth", log="nowhere")["code"] == 404
    assert read(client, reader, q="@auth", caret=-1)["code"] == 422
