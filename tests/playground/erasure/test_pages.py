"""Pages that erase, and pages of what was erased."""

from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import review
from auditlog.erasure.erase import By, Order
from auditlog.erasure.tables import Erasure
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Leaf, Packet, Review
from auditlog.search import index
from playground.erasure import views
from tests.auditlog.erasure.orders import erase_leaves, find_rows
from tests.auditlog.sending import append, make_sender
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db

ITEM = Item(
    "INF/OBS|g=42,@=xyzzyplugh,!=Xyzzyplugh asked",
    from_="xyzzyplugh",
    attributes={"team": 7},
    content="for xyzzyplugh",
)
NOTE = "who is xyzzyplugh?"


@pytest.fixture(autouse=True)
def fresh() -> None:
    index.forget()


@pytest.fixture
def packet(admin_user: User) -> Packet:
    append(ITEM, Item("REQ/TSK|g=1"), sender=make_sender())
    stored = Packet.objects.select_related("log", "source").get(leaf=0)
    review.mark(packet=stored, state="flagged", note=NOTE, who=admin_user)
    return stored


def read(client: Client, address: str, status: int = 200, **given: str | int) -> str:
    answer = client.get(address, given)
    assert answer.status_code == status, answer.content.decode()[:2000]
    return str(answer.content.decode())


def test_an_administrator_erases_a_packet_and_its_page_says_so(
    admin_client: Client, packet: Packet
) -> None:
    address = f"/audit/default/{packet.uid}"
    assert f"{address}/erase" in read(admin_client, address)
    assert "Nothing is erased yet" in read(admin_client, f"{address}/erase")

    with recorded() as lines:
        answer = admin_client.post(f"{address}/erase", {"reason": "GDPR <17>"})

    assert (answer.status_code, answer.headers["Location"]) == (302, address)
    page = read(admin_client, address)
    assert "GDPR &lt;17&gt;" in page
    assert "user:admin" in page
    assert "Backups contain it until you delete them" in page
    assert "Note deleted" in page
    assert "xyzzyplugh" not in page.lower()
    assert find_rows("xyzzyplugh") == {}
    assert [line["event"] for line in events(lines)] == ["packet.erased"]
    assert admin_client.get(f"/audit/{packet.uid}").headers["Location"] == address
    assert "1 erased" in " ".join(read(admin_client, "/audit/").split())
    assert "GDPR &lt;17&gt;" in read(admin_client, "/audit/erased")
    assert admin_client.get(f"{address}/drawer").status_code == 404
    assert admin_client.get("/audit/export.ndjson").headers["Cablese-Erased"] == "1"


def test_a_field_is_erased_and_a_copy_without_it_stays(
    admin_client: Client, packet: Packet
) -> None:
    address = f"/audit/default/{packet.uid}"
    preview = read(admin_client, f"{address}/erase", field="metadata.from")
    assert "INF/OBS|g=42,@=█████,!=█████ asked" in preview

    erasing = {"reason": "asked", "field": "metadata.from", "previewed": "metadata.from"}
    admin_client.post(f"{address}/erase", erasing)

    page = read(admin_client, address)
    assert "INF/OBS|g=42,@=█████,!=█████ asked" in page
    assert "for █████" in page
    assert "Not provable" in page
    assert find_rows("xyzzyplugh") == {}
    given = {"reason": "asked", "field": "g", "previewed": "g"}
    again = admin_client.post(f"{address}/erase", given)
    assert (again.status_code, "Only a redacted copy" in again.content.decode()) == (422, True)
    admin_client.post(f"{address}/erase", {"reason": "all of it"})
    assert "█" not in read(admin_client, address)
    assert [one.field for one in Erasure.objects.order_by("leaf")] == ["metadata.from", ""]
    read(admin_client, f"{address}/erase", 404)


def test_attributes_of_a_copy_are_json(admin_client: Client) -> None:
    item = Item("INF/OBS|g=42,@=x", attributes={"llm": {"model": "claude", "cached": True}})
    append(item, sender=make_sender())
    stored = Packet.objects.get()

    page = read(admin_client, f"/audit/default/{stored.uid}/erase", field="@")

    assert '{"llm": {"cached": true, "model": "claude"}}' in unescape(page)


@pytest.mark.parametrize("previewed", ["", "g"])
def test_what_was_not_previewed_is_not_erased(
    admin_client: Client, packet: Packet, previewed: str
) -> None:
    given = {"reason": "asked", "keep_notes": "on", "field": "@", "previewed": previewed}
    address = f"/audit/default/{packet.uid}/erase"

    refused = admin_client.post(address, given)
    shown = admin_client.post(address, given | {"preview": "1"})

    assert (refused.status_code, shown.status_code) == (422, 200)
    assert "after the preview" in refused.content.decode()
    assert "after the preview" not in shown.content.decode()
    for answer in (refused, shown):
        page = answer.content.decode()
        assert 'name="previewed" value="@"' in page
        assert ">asked</textarea>" in page
        assert 'name="keep_notes" checked' in page
    assert Packet.objects.count() == 2


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"reason": " "},
        {"reason": "x" * 1_001},
        {"reason": "x", "field": "none", "previewed": "none"},
    ],
)
def test_what_is_wrong_with_an_order_is_said(
    admin_client: Client, packet: Packet, given: dict[str, str]
) -> None:
    answer = admin_client.post(f"/audit/default/{packet.uid}/erase", given)

    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert Packet.objects.count() == 2


def test_only_administrators_erase(client: Client, packet: Packet) -> None:
    client.force_login(User.objects.create(username="ada"))
    address = f"/audit/default/{packet.uid}"

    for path in (f"{address}/erase", "/audit/erase"):
        assert client.get(path, {"q": "@xyzzyplugh"}).status_code == 403
        assert (
            client.post(path, {"reason": "x", "q": "@xyzzyplugh", "number": 1}).status_code == 403
        )
    assert "/erase" not in read(client, address)
    assert Packet.objects.count() == 2
    erase_leaves(0)
    assert "the person asked for it" in read(client, address)


def test_only_administrators_are_offered_to_erase_the_rest_of_a_packet(
    client: Client, admin_user: User, packet: Packet
) -> None:
    erase_leaves(0, order=Order(By(), "asked", field="metadata.from"))
    address = f"/audit/default/{packet.uid}"
    people = (User.objects.create(username="ada"), admin_user)

    for person, number in zip(people, (0, 1), strict=True):
        client.force_login(person)
        page = read(client, address)
        assert "for █████" in page
        assert page.count(f'href="{address}/erase"') == number


def test_a_packet_of_another_log_or_of_none_is_not_found(
    admin_client: Client, packet: Packet
) -> None:
    logs.create(slug="other")
    erase_leaves(0)

    read(admin_client, f"/audit/other/{packet.uid}", 404)
    read(admin_client, f"/audit/other/{packet.uid}/erase", 404)
    read(admin_client, "/audit/default/019a0000-0000-7000-8000-000000000000/erase", 404)


def test_everything_about_a_subject_is_erased_in_steps(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "AT_ONCE", 2)
    append(*[Item(f"INF/OBS|g={n},@=anna") for n in range(3)], sender=make_sender())
    assert "/audit/erase?" in read(admin_client, "/audit/", q="@anna")
    preview = read(admin_client, "/audit/erase", q="@anna")
    assert "Erase 3 packets" in " ".join(preview.split())
    given = {"log": "default", "q": "@anna", "at": "3", "number": "3", "reason": "asked"}
    append(Item("INF/OBS|g=9,@=anna"), sender=make_sender("late"))

    first = admin_client.post("/audit/erase", given | {"keep_notes": "on"})
    page = " ".join(first.content.decode().split())
    assert "Erased 2 of 3 packets." in page
    assert "Erase 1 packet" in page
    assert "Nothing is erased yet" not in page
    assert ">asked</textarea>" in page
    assert 'name="keep_notes" checked' in page
    stale = admin_client.post("/audit/erase", given)
    assert (stale.status_code, Packet.objects.count()) == (422, 2)
    last = admin_client.post("/audit/erase", given | {"number": "1"})

    assert last.headers["Location"] == "/audit/erased?log=default"
    assert list(Packet.objects.values_list("leaf", flat=True)) == [3]
    assert Leaf.objects.filter(kind="redaction").count() == 3


@pytest.mark.parametrize(("kept", "note"), [({"keep_notes": "on"}, NOTE), ({}, "")])
def test_notes_of_what_a_search_finds_stay_if_that_is_chosen(
    admin_client: Client, packet: Packet, kept: dict[str, str], note: str
) -> None:
    given = {"log": "default", "q": "@xyzzyplugh", "at": "3", "number": "1", "reason": "asked"}

    admin_client.post("/audit/erase", given | kept)

    assert Packet.objects.count() == 1
    assert Review.objects.get().note == note


LINES = "\r\n".join(["x" * 99] * 9 + ["x" * 100])
"""A browser's spelling of 1,000 characters."""


@pytest.mark.parametrize("reason", ["", " ", "x" * 1_001, f"{LINES}.", "a\0b"])
def test_a_reason_that_is_wrong_stays_with_the_preview_of_a_search(
    admin_client: Client, packet: Packet, reason: str
) -> None:
    given = {"log": "default", "q": "@xyzzyplugh", "at": "3", "number": "1", "reason": reason}

    answer = admin_client.post("/audit/erase", given)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'role="alert"' in page
    assert f">{reason}</textarea>" in page
    assert "Erase 1 packet" in " ".join(page.split())
    assert Packet.objects.count() == 2


def test_a_search_whose_numbers_are_wrong_is_not_found(
    admin_client: Client, packet: Packet
) -> None:
    given = {"log": "default", "q": "@xyzzyplugh", "at": "3", "number": "x", "reason": "asked"}

    assert admin_client.post("/audit/erase", given).status_code == 404


@pytest.mark.parametrize("of_search", [False, True])
def test_line_ends_of_a_browser_make_no_reason_too_long(
    admin_client: Client, packet: Packet, *, of_search: bool
) -> None:
    address = "/audit/erase" if of_search else f"/audit/default/{packet.uid}/erase"
    given = {"log": "default", "q": "@xyzzyplugh", "at": "3", "number": "1", "reason": LINES}

    assert admin_client.post(address, given).status_code == 302

    assert Erasure.objects.get().reason == LINES.replace("\r\n", "\n")


@pytest.mark.parametrize("query", ["", "nokey:1", "(goal:42"])
def test_a_search_that_cannot_be_erased_is_explained(admin_client: Client, query: str) -> None:
    append(ITEM, sender=make_sender())

    assert 'role="alert"' in read(admin_client, "/audit/erase", 422, q=query)
    assert 'role="alert"' in read(admin_client, "/audit/erase", 422, q="@a", at="77")


def test_the_list_has_pages(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "LISTED", 2)
    append(*[Item(f"REQ/TSK|g={n}") for n in range(3)], sender=make_sender())
    assert "Nothing was erased" in read(admin_client, "/audit/erased")
    erase_leaves(0, 1, 2)

    page = read(admin_client, "/audit/erased")
    assert "before=4" in page
    assert page.count("Whole packet") == 2
    assert read(admin_client, "/audit/erased", before=4).count("Whole packet") == 1
