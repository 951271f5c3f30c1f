"""One packet beside the list that it is in."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from auditlog.ingest.item import Item
from auditlog.log import logs
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.audit.pages import BROKEN, WIRE, read
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def drawer(page: str) -> str:
    return page.partition('id="drawer"')[2].partition("</aside>")[0].partition(">")[2]


def test_it_tells_a_packet_in_short(client: Client, ada: User) -> None:
    sent = "2026-11-20T10:00:01+01:00"
    item = Item(BROKEN, sent_at=sent, from_="planner", tags=["night"])
    packet = keep(item, sender=make_sender("hr-bot"))

    page = words(read(client, f"/audit/default/{packet.uid}/drawer"))

    assert "Packet 0" in page
    assert "✖ Invalid … Not checked yet" in page
    assert "nslip.unknown-act at columns 1–3" in page
    assert "Sent 2026-11-20 09:00:01" in page
    assert "Source hr-bot" in page
    assert "From planner supplied" in page


def test_it_keeps_the_query_and_the_columns_of_its_list(client: Client, ada: User) -> None:
    packet = keep(Item(WIRE))
    given = {"q": "goal:42", "log": "default", "columns": ["raw"], "packet": packet.uid}

    page = read(client, f"/audit/default/{packet.uid}/drawer", **given)

    links = [unescape(link) for link in re.findall(r'href="(/audit/[^"]+)"', page)]
    assert f"/audit/default/{packet.uid}?q=goal%3A42" in links
    assert "/audit/?q=goal%3A42&log=default&columns=raw" in links


def test_the_address_of_the_list_opens_it(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(BROKEN), sender=make_sender())
    packet = keep(Item("ACC/PLN|g=42,t=1"))

    page = read(client, "/audit/", packet=packet.uid)
    elsewhere = read(client, "/audit/", packet=packet.uid, q="is:invalid")

    assert "Packet 2" in words(drawer(page))
    assert page.count('aria-current="true"') == 1
    assert "Packet 2" in words(drawer(elsewhere))
    assert 'aria-current="true"' not in elsewhere


@pytest.mark.parametrize("packet", ["x", "00000000-0000-7000-8000-000000000000", ""])
def test_a_packet_that_is_not_there_leaves_it_closed(
    client: Client, ada: User, packet: str
) -> None:
    keep(Item(WIRE))

    assert words(drawer(read(client, "/audit/", packet=packet))) == ""


def test_a_packet_of_another_log_is_not_opened(client: Client, ada: User) -> None:
    logs.create(slug="night")
    packet = keep(Item(WIRE, log="night"))

    assert words(drawer(read(client, "/audit/", packet=packet.uid))) == ""
    read(client, f"/audit/default/{packet.uid}/drawer", 404)


def test_a_packet_of_the_list_is_not_read_again(
    client: Client, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    packet = keep(Item(WIRE))

    # Session, person, logs, size of the log and again to search it, search, sizes, saved searches,
    # columns, packets, leaves, reviews, repeats, how far findings are made, findings, erased
    # packets.
    with django_assert_num_queries(16):
        page = read(client, "/audit/", packet=packet.uid)

    assert "Packet 0" in words(drawer(page))


def test_it_takes_the_same_number_of_queries_for_any_packet(
    client: Client, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    packet = keep(Item(BROKEN))
    append(*(Item(f"RJE/PLN|g={n},t=1") for n in range(20)), sender=make_sender())

    # Session, person, ID, packet, leaf, reviews, repeats, how far findings are made, findings.
    with django_assert_num_queries(9):
        read(client, f"/audit/default/{packet.uid}/drawer")


def test_hostile_text_is_text(client: Client, ada: User) -> None:
    bad = '<script>alert(1)</script>"onmouseover="alert(2)\u202e'
    packet = keep(Item(f"INF/OBS|g=42,t=1,@={bad}", from_=bad, to=bad, thread=bad, tags=[bad]))

    page = read(client, f"/audit/default/{packet.uid}/drawer", q=bad)

    assert "<script>alert" not in page
    assert '"onmouseover="' not in page
    assert "\u202e" not in page
