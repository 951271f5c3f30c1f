"""Packets and searches over HTTP."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from auditlog.models import Packet
from auditlog.search import table
from auditlog.search.engine import sqlite
from tests.playground.audit.api.requests import WIRE, get, post, refused
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def test_a_packet_is_given_with_what_it_says(client: Client, key: str) -> None:
    uid = post(client, "packets", {"wire": "ACC/PLN|g=42,t=01"}, key).json()["results"][0]["packet"]

    packet = get(client, f"packets/{uid}", key).json()

    assert packet["id"] == uid
    assert packet["wire"] == "ACC/PLN|g=42,t=01"
    assert packet["canonical"] == "ACC/PLN|g=42,t=1"
    assert packet["values"]["slots"] == {"g": 42, "t": 1}
    assert [field["name"] for field in packet["fields"]] == ["act", "frame", "g", "t"]
    assert "".join(piece["text"] for piece in packet["english"])
    assert packet["tokens"]["tokenizer"] == "o200k_base"
    assert packet["review"] is None


def test_bytes_that_are_not_utf_8_are_given_back_as_they_came(client: Client, key: str) -> None:
    post(client, "packets/batch", b"ACC/PLN|g=42,t=1,@=caf\xe9\n", key, "text/plain")
    packet = get(client, f"packets/{Packet.objects.get().uid}", key).json()

    assert packet["wire"].endswith("caf\ufffd")
    assert packet["wire_base64"] == "QUNDL1BMTnxnPTQyLHQ9MSxAPWNhZuk="


def test_a_packet_that_is_not_there_is_404(client: Client, key: str) -> None:
    assert refused(get(client, "packets/00000000-0000-7000-8000-000000000000", key)) == (404, "/id")


@pytest.mark.parametrize("route", ["search", "search/conversations", "search/facets"])
def test_a_query_for_another_log_is_refused(client: Client, key: str, route: str) -> None:
    """Without ``log``, a key for all logs searches the log `default`."""
    answer = get(client, route, key, q="goal:42 log:day")

    assert answer.status_code == 422
    problem = answer.json()
    assert problem["detail"] == "This search is of log default."
    assert problem["suggestion"] == "Choose log day above, or send log=day."
    assert problem["span"] == [8, 15]


@pytest.mark.parametrize("page", ["", "conversations", "review/"])
def test_a_page_of_another_log_says_which_one_it_searches(
    client: Client, ada: User, page: str
) -> None:
    answer = client.get(f"/audit/{page}", {"q": "log:day"})

    assert answer.status_code == 422
    assert "This search is of log default." in words(answer.content.decode())


def test_search_walks_by_its_cursor(client: Client, key: str) -> None:
    post(client, "packets/batch", [{"wire": f"REQ/TSK|g={n},t=1,@=walk"} for n in range(25)], key)

    seen: list[str] = []
    cursor = None
    for _ in range(4):
        query = {"q": "@walk", "limit": 10} | ({"cursor": cursor} if cursor else {})
        page = get(client, "search", key, **query).json()
        assert page["count"] == {"value": 25, "exact": True}
        seen += [result["wire"] for result in page["results"]]
        cursor = page["next"]
        if cursor is None:
            break

    assert seen == [f"REQ/TSK|g={n},t=1,@=walk" for n in reversed(range(25))]
    assert cursor is None


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL counts so few in one walk")
def test_a_count_that_takes_too_long_is_a_minimum(
    client: Client, key: str, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PARTITION", 1)
    monkeypatch.setattr(sqlite, "_PATIENCE", 0)
    post(client, "packets/batch", [{"wire": f"REQ/TSK|g={n},t=1,@=walk"} for n in range(100)], key)
    query = {"q": "@walk", "limit": 10}

    monkeypatch.setattr("playground.audit.api.log.PATIENCE", 60)
    assert get(client, "search", key, **query).json()["count"] == {"value": 100, "exact": True}

    for view in ("api.log", "views.trail"):
        monkeypatch.setattr(f"playground.audit.{view}.PATIENCE", 0)
    assert get(client, "search", key, **query).json()["count"] == {"value": 16, "exact": False}
    client.force_login(ada)
    assert "64+ packets" in words(client.get("/audit/?q=@walk").content.decode())


def test_a_found_packet_is_one_without_its_fields(client: Client, key: str) -> None:
    post(client, "packets", {"wire": WIRE}, key)

    (found,) = get(client, "search", key, q="@auth_refactor goal:42").json()["results"]

    whole = get(client, f"packets/{found['id']}", key).json()
    more = ("values", "fields", "english", "sensitive", "content_tokens", "review_steps")
    assert found == {name: value for name, value in whole.items() if name not in more}


@pytest.mark.parametrize(
    ("query", "status", "pointer"),
    [
        ({"q": "(goal:42"}, 422, "/q"),
        ({"q": "gaol:42"}, 422, "/q"),
        ({"limit": 0}, 422, "/limit"),
        ({"limit": "many"}, 422, "/limit"),
        ({"limit": 1001}, 422, "/limit"),
        ({"cursor": "x"}, 422, "/cursor"),
        ({"log": "nowhere"}, 404, "/log"),
        ({"log": "No!"}, 422, "/log"),
    ],
)
def test_a_search_that_cannot_be_answered_has_its_place(
    client: Client, key: str, query: dict[str, Any], status: int, pointer: str
) -> None:
    assert refused(get(client, "search", key, **query)) == (status, pointer)


def test_a_query_that_cannot_be_read_tells_its_span_and_what_could_stand_there(
    client: Client, key: str
) -> None:
    post(client, "packets", {"wire": WIRE}, key)

    problem = get(client, "search", key, q="is:valid gaol:42").json()

    assert problem["span"] == [9, 13]
    assert "goal" in problem["suggestion"]


def test_a_cursor_of_another_query_is_refused(client: Client, key: str) -> None:
    post(client, "packets/batch", [{"wire": WIRE}] * 3, key)
    cursor = get(client, "search", key, q="goal:42", limit=1).json()["next"]

    assert refused(get(client, "search", key, q="goal:43", cursor=cursor)) == (422, "/cursor")


@pytest.mark.requirement("AACP-43")
def test_the_same_bytes_again_are_flagged_in_a_record_and_in_a_search(
    client: Client, key: str
) -> None:
    wires = [WIRE, "ACC/PLN|g=42,t=1", WIRE]
    first, other, again = (
        post(client, "packets", {"wire": wire}, key).json()["results"][0] for wire in wires
    )

    flag = {"count": 2, "exact": True, "first": first["packet"]}
    assert get(client, f"packets/{again['packet']}", key).json()["repeats"] == flag
    assert get(client, f"packets/{other['packet']}", key).json()["repeats"] is None
    found = {
        result["id"]: result["repeats"] for result in get(client, "search", key).json()["results"]
    }
    assert found == {first["packet"]: flag, other["packet"]: None, again["packet"]: flag}


def test_a_message_instead_of_a_query_is_answered_with_queries_that_find_it(
    client: Client, key: str
) -> None:
    post(client, "packets", {"wire": "REQ/TSK|g=42,t=1,@=auth"}, key)
    expected = ['proto:nslip "REQ/TSK|g=42,t=1,@=auth"', "act:request goal:42 task:1 @auth"]

    found = get(client, "search", key, q="REQ/TSK|g=42,t=1,@=auth").json()
    problem = get(client, "search", key, q="REQ/TSK|g=42,@=(auth").json()

    assert (len(found["results"]), found["queries"]) == (1, expected)
    assert problem["pointer"] == "/q"
    assert problem["queries"][1] == 'act:request goal:42 @"(auth"'
    assert "queries" not in get(client, "search", key, q="goal:42").json()
