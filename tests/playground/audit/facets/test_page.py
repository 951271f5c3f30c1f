"""Facets and a histogram beside the list, in the page itself and as the fragment for a script."""

import re
from functools import partial
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from auditlog.ingest.item import Item
from auditlog.models import Log, LogEnd
from auditlog.search.facets.count import count
from playground.audit.facets import bars, panel
from playground.audit.facets.links import Links
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.audit.pages import BROKEN, WIRE, read
from tests.playground.drawn import Elements, words

pytestmark = pytest.mark.django_db

BAD = '<script>alert(1)</script>"onmouseover="alert(2)\u202e'


def fragment(client: Client, query: str = "", status: int = 200, **more: str) -> str:
    return read(client, "/audit/facets", status, q=query, **more)


def links(page: str) -> dict[str, str]:
    """The query that each link leads to, by the link's title."""
    found = {}
    for tag, attributes in Elements(page).found:
        if tag == "a" and attributes.get("title"):
            asked = parse_qs(urlsplit(attributes["href"] or "").query)
            found[str(attributes["title"])] = asked.get("q", [""])[0]
    return found


def test_a_value_is_added_excluded_and_removed(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(BROKEN), sender=make_sender())

    plain = links(fragment(client, "goal:42"))
    asked = links(fragment(client, "goal:42 act:request -@x"))

    assert plain["act:request"] == "goal:42 act:request"
    assert plain["Exclude act:request"] == "goal:42 -act:request"
    assert plain["is:invalid"] == "goal:42 is:invalid"
    assert "Exclude is:invalid" not in plain
    assert asked["Remove act:request"] == "goal:42 -@x"
    assert asked["Remove -@x"] == "goal:42 act:request"


def test_a_finding_is_among_the_findings_however_it_is_asked_for(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(WIRE), sender=make_sender())
    follow()

    groups = {
        group.key: {choice.condition: choice.state for choice in group.choices}
        for group in panel_of("is:repeated -is:flow is:valid is:unreviewed")
    }

    assert groups["finding"] == {"finding:repeated": "chosen", "-finding:flow": "excluded"}
    assert groups["is"] == {"is:valid": "chosen"}
    page = fragment(client, "is:repeated goal:42")
    assert links(page)["Remove finding:repeated"] == "goal:42"
    assert links(page)["is:valid"] == "is:repeated goal:42 is:valid"


def panel_of(query: str) -> list[panel.Group]:
    request = RequestFactory().get("/audit/facets", {"q": query})
    found: list[panel.Group] = panel.counted(Links.of(request, Log.objects.get()), query)["groups"]
    return found


def read_axis(page: str) -> str:
    axis = re.search(r'<p class="axis".*?</p>', page, re.DOTALL)
    assert axis
    return words(axis[0])


def test_the_end_of_the_last_bar_is_written_where_it_is(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(Item(WIRE))
    few = read_axis(fragment(client))
    monkeypatch.setattr(bars, "FEWEST", 1)
    full = read_axis(fragment(client))

    assert few.endswith("1 packet, 0 invalid")
    assert re.search(r"0 invalid \S+ \d+ [\d:]+ UTC$", full)


def test_a_value_without_packets_can_still_be_removed(client: Client, ada: User) -> None:
    keep(Item(WIRE))

    page = fragment(client, "from:nobody OR goal:7")
    nobody = fragment(client, "from:nobody goal:42 -source:x")

    assert "No packets to show over time" in words(page)
    assert links(nobody)["Remove from:nobody"] == "goal:42 -source:x"
    assert links(nobody)["Remove -source:x"] == "from:nobody goal:42"


def test_the_page_leaves_room_and_a_link_for_browsers_without_script(
    client: Client, ada: User
) -> None:
    keep(Item(WIRE))

    page = read(client, "/audit/", q="goal:42", columns="raw")

    assert 'hx-get="/audit/facets?log=default&amp;q=goal%3A42&amp;columns=raw"' in page
    assert '"/audit/?log=default&amp;q=goal%3A42&amp;columns=raw&amp;facets=1"' in page
    assert 'class="facets waiting' in page


def test_the_page_draws_what_the_fragment_draws(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(BROKEN), sender=make_sender())

    page = read(client, "/audit/", q="goal:42", columns="raw", facets="1")
    alone = fragment(client, "goal:42", columns="raw", facets="1")

    assert "hx-get=" not in page.partition('id="counts"')[2].partition("</section>")[0]
    assert " ".join(alone.split()) in " ".join(page.split())
    assert all("facets=1" in link for link in re.findall(r'class="choice" href="([^"]+)', page))


def test_an_empty_log_has_no_facets_and_an_error_has_none_either(client: Client, ada: User) -> None:
    assert 'id="counts"' not in read(client, "/audit/")
    assert 'id="counts"' not in read(client, "/audit/", 422, q="(a")
    assert "Unclosed parenthesis" in fragment(client, "(a", 422)
    assert "Unknown log" in fragment(client, "", 400, log="nowhere")


def test_more_leads_to_all_values(client: Client, ada: User) -> None:
    append(Item(WIRE, tags=[f"night-{n:02}" for n in range(12)]), sender=make_sender())

    page = fragment(client)
    (more,) = re.findall(r'data-facet="tag" href="([^"]+)"', page)
    every = read(client, "/audit/facets?" + urlsplit(unescape(more)).query)

    assert "all=tag" in unescape(more)
    assert len(re.findall(r"@night-\d\d</bdi>", page)) == 7
    assert len(re.findall(r"@night-\d\d</bdi>", every)) == 12
    assert 'data-facet="tag"' not in every


def test_bars_lead_to_their_range_and_all_times_back(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(BROKEN), sender=make_sender())

    page = fragment(client, "since:1h goal:42")

    ranges = re.findall(r'data-low="([^"]+)" data-high="([^"]+)"', page)
    assert 20 < len(ranges) <= 60
    assert 'data-base="goal:42 "' in page
    titles = re.findall(r"<title>([^<]+)</title>", page)
    assert any(title.endswith("2 packets, 1 invalid") for title in titles)
    low, high = ranges[-1]
    asked = urlencode({"q": f"goal:42 ts:{low}..{high}"})
    assert f'href="/audit/?log=default&amp;{asked}"' in page
    assert '<a class="quiet" href="/audit/?log=default&amp;q=goal%3A42">All times</a>' in page


def test_counts_of_a_part_are_minimums(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(*(Item(f"ACC/PLN|g={n},t=1") for n in range(5)), sender=make_sender())
    monkeypatch.setattr(panel, "count", partial(count, limit=3))

    page = words(fragment(client))

    assert "only the newest 3 packets were counted" in page
    assert "accept 3+" in page


def test_hostile_text_is_text(client: Client, ada: User) -> None:
    long = "long" * 240
    keep(Item("hello", from_=BAD, to="\x00\x1b", tags=[BAD, long]))

    page = fragment(client, '-from:"<script>"')

    assert "<script>alert" not in page
    assert '"onmouseover="' not in page
    assert "\u202e" not in page
    assert f'title="@{long}"' in page
    added = links(page)
    assert any("alert(2)" in query and '\\"onmouseover' in query for query in added.values())


def test_a_query_without_room_offers_no_links(client: Client, ada: User) -> None:
    keep(Item(WIRE))
    query = " ".join(["goal:42"] * 50)

    page = fragment(client, query)

    assert '<span class="choice" title="act:request"' in " ".join(page.split())
    assert "data-base" not in page


def test_a_person_who_is_not_signed_in_sees_nothing(client: Client) -> None:
    assert client.get("/audit/facets").status_code == 302


@pytest.mark.parametrize("facets", ["", "1"])
def test_facets_of_a_pinned_search_are_those_of_its_size(
    client: Client, ada: User, facets: str
) -> None:
    append(Item(WIRE), sender=make_sender())
    size = LogEnd.objects.get(log__slug="default").size
    append(Item(WIRE), Item(BROKEN), sender=make_sender())

    address = "/audit/" if facets else "/audit/facets"
    page = read(client, address, at=str(size), facets=facets)

    assert "1 packet, 0 invalid" in page
    assert "at=1" in page
    assert "Invalid at=99" in fragment(client, status=422, at="99")
