"""Counting what a search finds, over REST."""

import pytest
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.models import LogEnd
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.api.requests import get, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    return access.create_key(source="bot", scopes=("read",))[1]


def test_it_counts_values_and_bars(client: Client, key: str) -> None:
    items = [Item("REQ/TSK|g=42,t=1,@=auth", from_="planner"), Item("RJE/PLN|g=42,t=1")]
    append(*items, Item("REQ/TSK|g=43,t=1"), sender=make_sender("hr-bot"))

    found = get(client, "search/facets", key, q="goal:42").json()

    assert (found["counted"], found["exact"]) == (2, True)
    facets = {facet.pop("key"): facet for facet in found["facets"]}
    assert list(facets) == ["proto", "is", "act", "from", "to", "source", "tag", "finding"]
    assert facets["from"] == {"values": [{"text": "planner", "count": 1}], "distinct": 1}
    assert facets["source"] == {"values": [{"text": "hr-bot", "count": 2}], "distinct": 1}
    assert {one["text"]: one["count"] for one in facets["is"]["values"]} == {
        "valid": 1,
        "invalid": 1,
    }
    bars = found["histogram"]["bars"]
    assert sum(bar["count"] for bar in bars) == 2
    assert sum(bar["invalid"] for bar in bars) == 1
    assert bars[0]["start"].endswith("Z")


@pytest.mark.parametrize(
    ("given", "status", "pointer"),
    [
        ({"q": "(goal:42"}, 422, "/q"),
        ({"q": "gaol:42"}, 422, "/q"),
        ({"log": "nowhere"}, 404, "/log"),
        ({"limit": "3"}, 422, "/limit"),
    ],
)
def test_what_cannot_be_counted_has_its_place(
    client: Client, key: str, given: dict[str, str], status: int, pointer: str
) -> None:
    assert refused(get(client, "search/facets", key, **given)) == (status, pointer)


def test_a_key_that_may_not_read_is_refused(client: Client) -> None:
    _, ingest = access.create_key(source="writer", scopes=("ingest",))

    assert get(client, "search/facets", ingest).status_code == 403
    assert client.get("/api/v1/search/facets").status_code == 401


def test_a_pinned_count_stays(client: Client, key: str) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender("hr-bot"))
    size = LogEnd.objects.get(log__slug="default").size
    append(Item("REQ/TSK|g=42,t=2"), sender=make_sender("hr-bot"))

    assert get(client, "search/facets", key, q="goal:42").json()["counted"] == 2
    assert get(client, "search/facets", key, q="goal:42", at=str(size)).json()["counted"] == 1
    assert refused(get(client, "search/facets", key, at=str(size + 9)))[0] == 422
