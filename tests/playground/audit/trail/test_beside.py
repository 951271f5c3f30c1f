"""The next newer and older packet of a query, on the page of a packet."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.models import Packet
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.pages import read
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def packets() -> list[Packet]:
    """Five packets, of which the first, third, and fifth are of goal 42."""
    wires = [f"REQ/TSK|g={42 if n % 2 == 0 else 43},t={n}" for n in range(5)]
    append(*map(Item, wires), sender=make_sender())
    return list(Packet.objects.order_by("leaf"))


def ways(page: str) -> dict[str, str]:
    nav = page.partition('<nav class="do beside-query"')[2].partition("</nav>")[0]
    return {
        rel: unescape(link) for rel, link in re.findall(r'rel="(\w+)"[^>]*?href="([^"]+)"', nav)
    }


def test_a_packet_leads_to_the_newer_and_the_older_one_of_its_query(
    client: Client, ada: User, packets: list[Packet]
) -> None:
    page = read(client, f"/audit/default/{packets[2].uid}", q="goal:42")

    assert ways(page) == {
        "prev": f"/audit/default/{packets[4].uid}?q=goal%3A42",
        "next": f"/audit/default/{packets[0].uid}?q=goal%3A42",
    }
    assert 'href="/audit/?log=default&amp;q=goal%3A42"' in page
    assert "Packets matching goal:42" in words(page)


def test_without_a_query_they_are_those_of_the_log(
    client: Client, ada: User, packets: list[Packet]
) -> None:
    assert ways(read(client, f"/audit/default/{packets[2].uid}")) == {
        "prev": f"/audit/default/{packets[3].uid}",
        "next": f"/audit/default/{packets[1].uid}",
    }


@pytest.mark.parametrize(("at", "rels"), [(0, {"prev"}), (4, {"next"})])
def test_the_ends_of_a_query_have_one_way(
    client: Client, ada: User, packets: list[Packet], at: int, rels: set[str]
) -> None:
    assert ways(read(client, f"/audit/default/{packets[at].uid}", q="goal:42")).keys() == rels


def test_a_packet_that_the_query_does_not_find_is_between_those_that_it_finds(
    client: Client, ada: User, packets: list[Packet]
) -> None:
    assert ways(read(client, f"/audit/default/{packets[1].uid}", q="goal:42")) == {
        "prev": f"/audit/default/{packets[2].uid}?q=goal%3A42",
        "next": f"/audit/default/{packets[0].uid}?q=goal%3A42",
    }


@pytest.mark.parametrize("query", ["(goal:42", "gaol:1", "x" * 10_001, "a\0b"])
def test_a_wrong_query_does_not_close_the_page(
    client: Client, ada: User, packets: list[Packet], query: str
) -> None:
    assert "Packet 2" in read(client, f"/audit/default/{packets[2].uid}", q=query)


def test_the_views_of_a_packet_and_its_review_keep_the_query(
    client: Client, ada: User, packets: list[Packet]
) -> None:
    address = f"/audit/default/{packets[2].uid}"
    page = read(client, address, q="goal:42")

    action = re.findall(r'action="([^"]+/review[^"]*)"', page)
    assert action == [f"{address}/review?q=goal%3A42"]
    views = re.findall(r'href="\?(view=[^"]+)"', page)
    assert views == [f"view={view}&amp;q=goal%3A42" for view in ("table", "tree", "raw")]
    answer = client.post(action[0], {"state": "reviewed"})
    assert answer.headers["Location"] == f"{address}?q=goal%3A42"
    refused = client.post(action[0], {"state": "unheard-of"}).content.decode()
    assert "next" in ways(refused)


def test_the_sentence_the_problems_and_the_record_come_before_the_fields(
    client: Client, ada: User
) -> None:
    append(Item("RJE/PLN|g=42,t=1"), sender=make_sender())

    page = read(client, f"/audit/default/{Packet.objects.get().uid}")

    ids = ["means-title", "notes-title", "record-title", "review-title", "fields-title"]
    places = [page.index(f'id="{one}"') for one in ids]
    assert places == sorted(places)
    folded = page.partition('<details class="folded">')[2].partition("</details>")[0]
    assert words(folded).startswith("Tokens: ")
