"""The audit pages: rows and search. They are for people who signed in."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet, Review
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.audit.pages import BROKEN, WIRE, find, read, rows
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def test_the_audit_pages_are_for_signed_in_people(client: Client) -> None:
    packet = keep(Item(WIRE))

    for address in (
        "/audit/?q=goal:42",
        "/audit/conversations?q=goal:42",
        "/audit/conversations.svg?q=goal:42",
        f"/audit/default/{packet.uid}",
        "/audit/export.csv",
        "/audit/export.ndjson",
    ):
        response = client.get(address)
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/signin?next=/audit/")
    assert (
        client.post(f"/audit/default/{packet.uid}/review", {"state": "reviewed"}).status_code == 302
    )
    assert not Review.objects.exists()


def test_after_signing_in_one_is_where_one_wanted_to_go(client: Client) -> None:
    refused = client.get("/audit/?q=goal:42")
    client.force_login(User.objects.create_user("ada"))

    assert client.get(refused.headers["Location"]).headers["Location"] == "/audit/?q=goal:42"


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_site(client: Client, ada: User, place: str) -> None:
    assert client.get("/signin", {"next": place}).headers["Location"] == "/"


def test_an_empty_log_says_how_to_fill_it(client: Client, ada: User) -> None:
    page = read(client, "/audit/")

    assert "This log is empty" in words(page)
    assert 'href="/import/">import a file' in page
    assert "manage.py demo" in page


def test_rows_come_newest_first_with_their_facts(client: Client, ada: User) -> None:
    sender = make_sender("hr-bot")
    append(Item(WIRE), Item(BROKEN, from_="planner", tags=["night run"]), sender=sender)

    page = find(client, "source", "tags", "parties")

    assert rows(page) == [BROKEN, WIRE]
    assert "2 packets in log default" in words(page)
    assert "planner → ? RJE/PLN|g=42,t=1 @night run hr-bot" in words(page)


def test_a_tag_and_a_goal_find_a_packet(client: Client, ada: User) -> None:
    append(Item(WIRE), Item("REQ/TSK|g=43,t=1,@=auth_refactor"), Item(BROKEN), sender=make_sender())

    page = find(client, q="@auth_refactor goal:42")

    assert rows(page) == [WIRE]
    assert re.search(r'<input type="search"[^>]*value="@auth_refactor goal:42"', page)
    assert "1 packet tag is auth_refactor" in words(page)


def test_nothing_found_is_said(client: Client, ada: User) -> None:
    keep(Item(WIRE))

    assert "No matching packets: goal is 7" in words(read(client, "/audit/", q="goal:7"))


@pytest.mark.parametrize(
    ("query", "marked", "saying"),
    [
        ("(goal:42", "(", "Unclosed parenthesis."),
        ("goal:42 OR", "OR", "OR needs a term on both sides."),
        ("gaol:42", "gaol", ""),
        ('a "b', '"b', "Unclosed quote."),
        ("<b>x</b>)", ")", "Unmatched closing parenthesis."),
    ],
)
def test_a_query_that_cannot_be_read_is_shown_its_place(
    client: Client, ada: User, query: str, marked: str, saying: str
) -> None:
    keep(Item(WIRE))

    page = read(client, "/audit/", 422, q=query)

    assert [unescape(place) for place in re.findall(r"<mark>(.*?)</mark>", page)] == [marked]
    assert saying in words(page)
    assert "<b>x" not in page
    assert 'aria-invalid="true"' in page


@pytest.mark.parametrize("cursor", ["x", "a:b:c", "'\"><script>", "x" * 2_000])
def test_a_cursor_that_is_none_of_ours_is_said(client: Client, ada: User, cursor: str) -> None:
    assert "Invalid cursor." in words(read(client, "/audit/", 422, cursor=cursor))


@pytest.mark.parametrize(
    "parameters",
    [{"log": "nowhere"}, {"q": "x" * 10_001}, {"q": "a\0b"}, {"cursor": "x" * 2_001}],
)
def test_what_does_not_fit_is_said_on_the_page(
    client: Client, ada: User, parameters: dict[str, str]
) -> None:
    page = read(client, "/audit/", 400, **parameters)

    assert 'role="alert"' in page
    assert 'type="search"' in page


def test_older_packets_are_reached_by_a_link(client: Client, ada: User) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1,@=many") for n in range(120)), sender=make_sender())

    seen: list[str] = []
    address = "/audit/?q=@many&columns=raw"
    for _ in range(5):
        page = read(client, address)
        assert "120 packets" in words(page)
        seen += rows(page)
        link = re.search(r'<a class="button" rel="next"\s+href="([^"]+)"', page)
        if link is None:
            break
        address = f"/audit/{unescape(link[1])}"

    assert seen == [f"REQ/TSK|g={n},t=1,@=many" for n in reversed(range(120))]


def test_a_packet_of_another_log_stays_there(client: Client, ada: User) -> None:
    logs.create(slug="night")
    append(Item(WIRE), Item(BROKEN, log="night"), sender=make_sender())

    assert rows(find(client)) == [WIRE]
    assert rows(find(client, log="night")) == [BROKEN]


def test_hostile_wires_and_facts_are_text_on_every_page(client: Client, ada: User) -> None:
    bad = '<script>alert(1)</script>"onmouseover="alert(2)'
    wires = (f"INF/OBS|g=42,t=1,@={bad}", "INF/OBS|g=42,t=1,@=a\u202eb\x00c")
    append(
        *(Item(wire, from_=bad, tags=[bad], content=bad) for wire in wires), sender=make_sender()
    )

    for address in (
        "/audit/",
        *(f"/audit/default/{packet.uid}" for packet in Packet.objects.all()),
    ):
        page = read(client, address)
        assert "<script>alert" not in page
        assert '"onmouseover="' not in page
        assert "\u202e" not in page
        assert "\x00" not in page


def test_a_wire_that_is_not_utf_8_has_its_page(client: Client, ada: User) -> None:
    packet = keep(Item("REQ/TSK|g=42,t=1,@=caf\udce9"))

    assert "caf⟨0xE9⟩" in read(client, f"/audit/default/{packet.uid}")
    assert rows(find(client)) == ["REQ/TSK|g=42,t=1,@=caf⟨0xE9⟩"]
    assert "1 packet" in words(read(client, "/audit/", q="goal:42"))


def test_the_audit_pages_are_never_kept_by_a_cache(client: Client, ada: User) -> None:
    packet = keep(Item(WIRE))

    for address in ("/audit/", f"/audit/default/{packet.uid}", "/audit/export.csv"):
        assert "no-store" in client.get(address).headers["Cache-Control"]


def test_the_trail_leads_to_its_conversations(client: Client, ada: User) -> None:
    keep(Item(WIRE))

    page = read(client, "/audit/", q="goal:42")

    address = re.escape("/audit/conversations?log=default&amp;q=goal%3A42")
    assert re.search(rf'<a class="quiet"\s+href="{address}"\s*>Conversations</a>', page)


@pytest.mark.parametrize(("address", "queries"), [("/audit/", 15), ("/audit/conversations", 16)])
def test_a_search_reads_the_logs_once(
    client: Client,
    ada: User,
    address: str,
    queries: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    logs.create(slug="night")
    append(Item(WIRE), Item(BROKEN), sender=make_sender())

    # Session, person, logs, size of the log and again to search it, search, sizes, packets, leaves,
    # reviews, repeats, how far findings are made, findings. The last two are asked for all
    # conversations and for the chosen one. The trail also asks for saved searches and counts erased
    # packets.
    with django_assert_num_queries(queries):
        page = read(client, address, q="goal:42", columns="raw")

    assert rows(page)


def test_an_unknown_log_is_refused_in_plain_words(client: Client, ada: User) -> None:
    for address in ("/audit/", "/audit/conversations"):
        page = read(client, address, 400, log="<nowhere>")
        assert "Unknown log &quot;&lt;nowhere&gt;&quot;." in page
