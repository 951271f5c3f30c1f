"""Pages, files, and the API of a search that is pinned to a size of its log."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import review
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet
from auditlog.search.saved import pin
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.search.packets import put_findings
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.api.requests import get, make_key, refused
from tests.playground.audit.pages import find, read, rows
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db
PAGES = ("/audit/", "/audit/conversations", "/audit/conversations.svg", "/audit/export.csv")


def put(first: int, after: int) -> None:
    items = [Item(f"REQ/TSK|g={n},t=1") for n in range(first, after)]
    append(*items, sender=make_sender())


def numbers(page: str) -> list[str]:
    return re.findall(r"REQ/TSK\|g=(\d+)", " ".join(rows(page)))


def links(page: str, text: str) -> list[str]:
    found = re.findall(r'<a [^>]*?href="([^"]*)"[^>]*>([^<]*)</a>', page)
    return [unescape(address) for address, inner in found if words(inner) == text]


def bar(page: str) -> str:
    found = re.search(r'<p class="pinned".*?</p>', page, re.DOTALL)
    return words(found[0]) if found else ""


def test_a_pinned_page_stays_as_it_was(client: Client, ada: User) -> None:
    put(0, 3)
    (pinned,) = links(find(client, q="act:request"), "Pin this search")
    before = find(client, q="act:request")
    put(3, 9)
    review.mark(packet=Packet.objects.get(leaf=0), state="flagged", note="", who=ada)

    page = read(client, f"/audit/{pinned}")

    assert "at=3" in pinned
    assert numbers(page) == numbers(before) == ["2", "1", "0"]
    assert "3 packets" in words(page)
    assert bar(page).startswith("Pinned to 3 leaves (")
    assert "7 newer leaves are not shown" in bar(page)
    assert "findings" not in bar(page)
    (newest,) = links(page, "View newest packets")
    assert len(numbers(read(client, f"/audit/{newest}"))) == 9
    assert links(page, "Pin this search") == []
    (copied,) = links(page, "Copy link")
    assert numbers(read(client, f"/audit/{copied}")) == ["2", "1", "0"]


@pytest.mark.parametrize("path", ["/audit/", "/audit/conversations"])
def test_it_says_what_was_erased_since(client: Client, ada: User, path: str) -> None:
    put(0, 3)
    erase_leaves(0)
    put(3, 5)
    erase_leaves(1, 2)

    page = read(client, path, at="4")

    assert "2 packets of them were erased since, and can be missing here" in words(page)
    assert "3 erased" in words(page)
    assert "erased since" not in words(read(client, path))


def test_a_page_of_the_whole_log_says_that_nothing_is_newer(client: Client, ada: User) -> None:
    put(0, 1)

    said = bar(read(client, "/audit/", at="1"))

    assert said.startswith("Pinned to 1 leaf (")
    assert "The log has no newer leaves" in said


def test_a_log_with_leaves_is_not_called_empty(client: Client, ada: User) -> None:
    put(0, 2)
    erase_leaves(0)

    pinned = words(read(client, "/audit/", at="1"))
    erase_leaves(1)
    erased = words(read(client, "/audit/"))

    assert "No packets among the first 1 leaf 1 packet was erased." in pinned
    assert "No packets 2 packets were erased." in erased
    assert "This log is empty" not in pinned + erased


def test_every_link_of_a_pinned_page_keeps_the_pin(client: Client, ada: User) -> None:
    put(0, 60)

    page = read(client, "/audit/", at="55", q="act:request")

    for text in ("Review", "Conversations", "NDJSON", "CSV", "Older packets"):
        assert "at=55" in links(page, text)[-1], text
    entries = [unescape(one) for one in re.findall(r'class="open"\s+href="([^"]*)"', page)]
    assert len(entries) == 50
    assert all("at=55" in one for one in entries)
    assert '<input type="hidden" name="at" value="55">' in page
    (older,) = links(page, "Older packets")
    assert "5 packets" in words(page)
    assert len(numbers(read(client, f"/audit/{older}&columns=raw"))) == 5
    entry = read(client, entries[0])
    assert links(entry, "‹ Newer") == []
    assert "at=55" in links(entry, "Older ›")[0]


def test_the_drawer_keeps_the_pin(client: Client, ada: User) -> None:
    put(0, 3)
    uid = Packet.objects.get(leaf=1).uid

    shown = read(client, f"/audit/default/{uid}/drawer", at="2", q="act:request")
    listed = read(client, "/audit/", at="2", q="act:request", packet=uid)

    assert "at=2" in links(shown, "Open packet")[0]
    assert "at=2" in links(listed, "Open packet")[0]


def test_conversations_and_files_keep_the_pin(client: Client, ada: User) -> None:
    put(0, 2)
    put(2, 9)

    page = read(client, "/audit/conversations", at="2")
    stream = client.get("/audit/export.ndjson", {"at": "2"})

    assert "Pinned to 2 leaves" in bar(page)
    assert "From 2 packets" in words(page)
    assert "at=2" in links(page, "Packets")[0]
    assert "at=2" in links(page, "SVG")[0]
    lines = b"".join(stream).splitlines()
    assert [json.loads(line)["leaf"] for line in lines] == [0, 1]


@pytest.mark.parametrize("at", ["0", "-1", "4", "x", "1.5", "99999999999999999999"])
@pytest.mark.parametrize("address", PAGES)
def test_a_size_that_the_log_never_had_is_refused(
    client: Client, ada: User, address: str, at: str
) -> None:
    put(0, 3)

    said = read(client, address, 422, at=at)

    assert f"Invalid at={at}. Expected a whole number from 1 to 3" in words(said)
    if address == "/audit/":
        assert links(said, "View newest packets") == ["?log=default"]


@pytest.mark.parametrize("address", PAGES)
def test_several_logs_have_no_pin(client: Client, ada: User, address: str) -> None:
    logs.create(slug="night")
    put(0, 3)

    said = read(client, address, 422, at="1", log=["night", "default"])

    assert "at applies to one log. This search has 2." in said


def test_an_entry_of_a_wrong_pin_says_so(client: Client, ada: User) -> None:
    put(0, 3)
    uid = Packet.objects.get(leaf=1).uid

    page = read(client, f"/audit/default/{uid}", 422, at="9", q="act:request")

    assert "Invalid at=9" in page
    assert links(page, "‹ Newer") == []


def test_a_hostile_size_is_text(client: Client, ada: User) -> None:
    put(0, 1)

    page = read(client, "/audit/", 422, at="<script>x</script>")

    assert "<script>x" not in page


def test_a_search_of_findings_says_that_they_can_change(client: Client, ada: User) -> None:
    put(0, 2)
    put_findings(0, "flow")

    page = read(client, "/audit/", at="2", q="finding:flow")

    assert "its packets can change" in bar(page)


def test_a_review_queue_of_a_pinned_search_is_that_search(client: Client, ada: User) -> None:
    put(0, 3)
    held = pin.read(Packet.objects.get(leaf=0).log, 2)
    put(3, 5)

    response = client.get("/audit/review/", {"q": "since:1h", "at": "2"}, follow=True)

    ((address, _),) = response.redirect_chain
    assert f"now={held.received:%Y%m%dT%H%M%S}" in address
    assert "at=2" in address
    assert "2 left" in words(response.content.decode()) or "0 of 2" in words(
        response.content.decode()
    )
    refusal = read(client, "/audit/review/", 422, at="9")
    assert "Invalid at=9. Expected a whole number from 1 to 5" in words(refusal)


def test_the_api_pins_a_search(client: Client) -> None:
    key = make_key()
    put(0, 3)
    put(3, 9)

    def ask(path: str, **more: Any) -> dict[str, Any]:
        return dict(get(client, path, key, q="act:request", at=3, **more).json())

    first = ask("search", limit=2)
    second = ask("search", limit=2, cursor=first["next"])
    found = [one["leaf"] for one in (*first["results"], *second["results"])]
    assert found == [2, 1, 0]
    assert first["count"] == second["count"] == {"value": 3, "exact": True}
    assert len(ask("search/conversations")["packets"]) == 3
    for at in ("0", "10", "x", "-1"):
        for path in ("search", "search/conversations"):
            assert refused(get(client, path, key, at=at)) == (422, "/at"), at
    other = get(client, "search", key, q="act:request", at=4, cursor=first["next"])
    assert refused(other) == (422, "/cursor")
