"""Saved searches over the API."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, SavedSearch
from auditlog.search.saved import searches
from auditlog.search.saved.searches import Content
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.api.requests import get, make_key, post, refused
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    return make_key("read", "admin", source="desk-bot")


def delete(client: Client, path: str, key: str) -> Any:
    return client.delete(f"/api/v1/{path}", headers={"Authorization": f"Bearer {key}"})


def test_a_search_is_saved_listed_and_deleted(client: Client, key: str) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    body = {"name": "Week", "q": "goal:42", "columns": ["raw", "english", "state"], "at": 1}

    with recorded() as lines:
        response = post(client, "searches", body, key)
        saved = response.json()
        listed = get(client, "searches", key).json()
        gone = delete(client, f"searches/{saved['id']}", key)

    assert response.status_code == 201
    assert {name: saved[name] for name in body} == body
    assert (saved["log"], saved["owner"]) == ("default", "desk-bot")
    assert saved["url"].startswith("/audit/?log=default&q=goal%3A42&columns=raw")
    assert listed == {"searches": [saved]}
    assert gone.json() == saved
    assert SavedSearch.objects.count() == 0
    assert [(line["event"], line["search"]) for line in events(lines)] == [
        ("search.saved", saved["id"]), ("search.deleted", saved["id"]),
    ]  # fmt: skip
    assert "goal" not in str(lines)


def test_a_persons_search_is_listed_with_its_owner(client: Client, key: str) -> None:
    ada = User.objects.create_user("ada")
    log = Log.objects.get(slug="default")
    searches.save(log=log, name="Week", content=Content(""), owner=ada)

    (listed,) = get(client, "searches", key, log="default").json()["searches"]

    assert (listed["owner"], listed["q"], listed["at"], listed["columns"]) == ("ada", "", None, [])


def test_what_is_wrong_is_said_with_its_place(client: Client, key: str) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    post(client, "searches", {"name": "Week"}, key)

    for body, pointer in (
        ({"name": "Week"}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": "x" * 81}, "/name"),
        ({"name": "x", "q": "("}, "/q"),
        ({"name": "x", "q": "a\0"}, "/q"),
        ({"name": "x", "at": 2}, "/at"),
        ({"name": "x", "at": 0}, "/at"),
        ({"name": "x", "columns": ["raw", "z"]}, "/columns/1"),
        ({"name": "x", "owner": "ada"}, "/owner"),
    ):
        assert refused(post(client, "searches", body, key)) == (422, pointer), body
    assert SavedSearch.objects.count() == 1


def test_an_unknown_search_or_log_is_404(client: Client, key: str) -> None:
    unknown = "searches/00000000-0000-7000-8000-000000000000"

    assert refused(delete(client, unknown, key)) == (404, "/id")
    assert refused(get(client, "searches", key, log="nowhere")) == (404, "/log")
    assert refused(post(client, "searches?log=nowhere", {"name": "x"}, key)) == (404, "/log")


def test_a_key_of_one_log_sees_its_own_searches(client: Client) -> None:
    night = logs.create(slug="night")
    key = make_key("read", "admin", log=night)
    searches.save(log=Log.objects.get(slug="default"), name="Day", content=Content(""))

    saved = post(client, "searches", {"name": "Night"}, key).json()

    assert [one["name"] for one in get(client, "searches", key).json()["searches"]] == ["Night"]
    assert refused(get(client, "searches", key, log="default")) == (403, "/log")
    assert refused(delete(client, f"searches/{saved['id']}?log=default", key)) == (403, "/log")
