"""The pages of the live views: for browsers without JavaScript, for scripts, and for those who may
not.
"""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.models import Packet
from playground.http.throttle import Throttle
from playground.stream import events, opening, views
from playground.stream.pads import PADS_PER_CALLER, Pads
from tests.auditlog.sending import append, make_sender
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
HOSTILE = "INF/OBS|g=1,t=1,@=<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def pads(monkeypatch: pytest.MonkeyPatch) -> Pads:
    """No test meets the pads of another."""
    fresh = Pads()
    monkeypatch.setattr(opening, "pads", fresh)
    monkeypatch.setattr(opening, "throttle", Throttle())
    return fresh


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


@pytest.fixture
def pad(client: Client) -> str:
    """The address of an open pad's page."""
    return open_pad(client)


def open_pad(client: Client, **sent: str) -> str:
    response = client.post("/stream/", sent)
    assert response.status_code == 302, response.content
    return response["Location"]


def post(client: Client, pad: str, text: str) -> None:
    address = re.search(
        r"http://testserver(/api/v1/post/[\w-]{24})", client.get(pad).content.decode()
    )
    assert address is not None
    assert client.post(address[1], text, content_type="text/plain").status_code in (200, 207)


def shown(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def rows(page: str) -> list[str]:
    return [
        words(match)
        for match in re.findall(r'<code\s+class="wire">.*?</code>', page, flags=re.DOTALL)
    ]


def test_looking_at_the_first_page_opens_nothing(client: Client, pads: Pads) -> None:
    page = shown(client, "/stream/")

    assert "Start live session" in page
    assert "Sign in" in page
    assert not pads._by_key


def test_a_new_pad_teaches_how_to_post(client: Client, pad: str) -> None:
    page = words(shown(client, pad))

    assert "Waiting for the first message." in page
    assert "curl http://testserver/api/v1/post/" in page
    assert "urllib.request.urlopen(" in page


def test_without_javascript_a_page_shows_the_last_messages_and_a_way_to_refresh(
    client: Client, pad: str
) -> None:
    post(client, pad, f"{WIRE}\nRJE/PLN|g=4\nhello there\n")
    page = shown(client, pad)

    assert rows(page) == [WIRE, "RJE/PLN|g=4"]
    assert "Rejected: no protocol detected: hello there" in words(page)
    assert re.search(rf'<a class="button no-script"\s+href="{pad}">Refresh</a>', page)


def test_without_javascript_a_page_shows_the_newest_messages_only(
    client: Client, pad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "PLAIN_ROWS", 1)
    post(client, pad, f"{WIRE}\nRJE/PLN|g=4\n")

    assert rows(shown(client, pad)) == ["RJE/PLN|g=4"]


def test_without_javascript_filters_are_a_form(client: Client, pad: str) -> None:
    post(client, pad, f"{WIRE}\nRJE/PLN|g=4\nT|17|Q|obj=x\n")

    assert rows(shown(client, f"{pad}?q=goal:42")) == [WIRE]
    assert rows(shown(client, f"{pad}?protocol=tline")) == ["T|17|Q|obj=x"]
    assert rows(shown(client, f"{pad}?severity=error")) == ["RJE/PLN|g=4"]
    assert "2 hidden by filters." in words(shown(client, f"{pad}?q=goal:42"))
    assert "No messages match these filters yet." in words(shown(client, f"{pad}?q=goal:7"))
    assert "Requests task 1 of goal 42" in words(shown(client, f"{pad}?show=english"))
    assert shown(client, f"{pad}?protocol=none", 422)


def test_without_javascript_links_keep_filters_of_any_text(client: Client, pad: str) -> None:
    page = shown(client, f"{pad}?q=a%26b%3D%23c%25&severity=")

    assert f'href="{pad}?q=a%26b%3D%23c%25">Refresh</a>' in page


def test_logs_are_listed_for_those_who_signed_in(client: Client) -> None:
    assert "/stream/log/default" not in shown(client, "/stream/")

    client.force_login(User.objects.create_user("ada"))

    assert "/stream/log/default" in shown(client, "/stream/")


def test_without_javascript_a_message_is_shown_in_full(client: Client, pad: str) -> None:
    post(client, pad, f"{WIRE}\n")

    assert 'id="panel-fields"' in shown(client, f"{pad}?message=1")
    assert "This message is no longer available." in shown(client, f"{pad}?message=9")


def test_the_fragment_of_a_message(client: Client, pad: str) -> None:
    post(client, pad, f"{WIRE}\n")

    fragment = shown(client, f"{pad}/message/1")

    assert 'id="panel-fields"' in fragment
    assert "<html" not in fragment
    assert client.get(f"{pad}/message/2").status_code == 404


def test_hostile_text_is_only_text(client: Client, pad: str) -> None:
    post(client, pad, HOSTILE)

    assert "<script>alert" not in shown(client, pad)
    assert "<script>alert" not in shown(client, f"{pad}/message/1")
    assert "<script>alert" not in shown(client, f"{pad}?q=%3Cscript%3Ealert(1)")


def test_a_batch_for_those_who_find_no_place(client: Client, pad: str) -> None:
    post(client, pad, f"{WIRE}\n{WIRE}\n")

    batch = client.get(f"{pad}/lines?after=1").json()

    assert (batch["since"], batch["to"], [line["n"] for line in batch["lines"]]) == (1, 2, [2])
    assert batch["totals"]["messages"] == 2


def test_a_browser_that_connects_again_goes_on_after_the_last_event(
    client: Client, pad: str
) -> None:
    post(client, pad, f"{WIRE}\n{WIRE}\n")

    batch = client.get(f"{pad}/lines?after=0", headers={"Last-Event-ID": "1"}).json()

    assert (batch["since"], batch["to"]) == (1, 2)


@pytest.mark.parametrize("last", ["²", "x", "-", "1" * 5_000])
def test_an_event_that_is_not_a_number_begins_a_new_view(
    client: Client, pad: str, last: str
) -> None:
    post(client, pad, f"{WIRE}\n{WIRE}\n")

    batch = client.get(f"{pad}/lines", headers={"Last-Event-ID": last}).json()

    assert [line["n"] for line in batch["lines"]] == [1, 2]


def test_a_stream_without_a_place_is_refused_at_once(
    client: Client, pad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events._places, "acquire", lambda **_: False)

    response = client.get(f"{pad}/events")

    assert response.status_code == 503
    assert response["Retry-After"] == "2"
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("what", ["", "/lines", "/events", "/message/1"])
def test_a_pad_that_has_ended_or_never_was_is_told(client: Client, pad: str, what: str) -> None:
    client.post(f"{pad}/close")

    assert client.get(f"{pad}{what}").status_code == 410
    assert client.get(f"/stream/pad/{'A' * 24}{what}").status_code == 404


def test_a_pad_with_messages_is_closed_only_after_a_question(client: Client, pad: str) -> None:
    post(client, pad, f"{WIRE}\n")

    question = client.post(f"{pad}/close")
    assert question.status_code == 200
    assert "Its 1 message will be deleted" in words(question.content.decode())
    assert client.get(pad).status_code == 200

    assert client.post(f"{pad}/close", {"confirmed": "on"}).status_code == 302
    assert client.get(pad).status_code == 410


def test_too_many_pads_are_told_on_the_page(client: Client) -> None:
    for _ in range(PADS_PER_CALLER):
        open_pad(client)

    response = client.post("/stream/", {})

    assert response.status_code == 429
    assert "The limit is 8 live sessions per IP address." in response.content.decode()


def test_a_pad_that_keeps_counts_receipts_and_never_shows_the_key(client: Client) -> None:
    _, token = access.create_key(source="hr-bot", scopes=("ingest",))
    pad = open_pad(client, key=token)
    post(client, pad, f"{WIRE}\n")
    page = shown(client, pad)

    assert re.search(r'<dt>receipts</dt>\s*<dd id="total-kept">1</dd>', page)
    assert token not in page
    assert Packet.objects.count() == 1


def test_a_key_that_is_no_good_opens_nothing(client: Client) -> None:
    response = client.post("/stream/", {"key": "cbl_live_nothing"})

    assert response.status_code == 401
    assert "mistyped, expired, or revoked" in response.content.decode()
    assert "cbl_live_nothing" not in response.content.decode()


def carried(page: str) -> str:
    held = re.search(r'<input type="hidden" name="items_json" value="([^"]*)">', page)
    assert held is not None
    return unescape(held[1])


def test_what_a_pad_received_is_saved_with_what_was_beside_it(
    client: Client, pad: str, ada: User
) -> None:
    address = re.search(r"http://testserver(/api/v1/post/[\w-]{24})", shown(client, pad))
    assert address is not None
    lines = [
        {"wire": WIRE, "from": "planner", "goal": "own"},
        {"wire": "RJE/PLN|g=4", "event_id": "e-2"},
    ]
    client.post(address[1], "\n".join(map(json.dumps, lines)), content_type="application/x-ndjson")

    preview = client.post(f"{pad}/save").content.decode()
    assert "Save 2 packets" in words(preview)
    assert Packet.objects.count() == 0
    client.post(f"{pad}/close", {"confirmed": "on"})
    sent = {
        "items_json": carried(preview),
        "back_to": pad,
        "goal": "given",
        "tags": "night run",
        "log": "default",
    }
    response = client.post("/save/confirm", sent)

    assert response.status_code == 302
    first, second = Packet.objects.order_by("log", "leaf")
    assert bytes(first.wire).decode() == WIRE
    assert json.loads(first.supplied) == {"from": "planner", "goal": "own", "tags": ["night run"]}
    assert json.loads(second.supplied) == {"goal": "given", "tags": ["night run"]}
    assert second.event_id == "e-2"
    assert first.user == ada


def test_saving_needs_a_person(client: Client, pad: str) -> None:
    post(client, pad, WIRE)
    preview = client.post(f"{pad}/save").content.decode()

    response = client.post("/save/confirm", {"items_json": carried(preview), "log": "default"})

    assert response.status_code == 403
    assert carried(response.content.decode()) == carried(preview)
    assert Packet.objects.count() == 0


@pytest.mark.parametrize("items", ["", "nonsense", '[{"wire":"\\ud800"}]'])
def test_items_that_are_none_are_refused(client: Client, ada: User, items: str) -> None:
    assert client.post("/save/confirm", {"items_json": items, "log": "default"}).status_code == 400


def test_a_way_back_leads_nowhere_else(client: Client, ada: User) -> None:
    page = client.post(
        "/save/confirm", {"items_json": "[]", "back_to": "//evil.example/"}
    ).content.decode()

    assert 'href="/stream/"' in page
    assert "evil.example" not in page


def test_the_end_of_a_log_is_for_persons(client: Client) -> None:
    assert client.get("/stream/log/default")["Location"].startswith("/signin")
    for what in ("/lines", "/events", "/message/0"):
        assert client.get(f"/stream/log/default{what}").status_code == 401


def test_the_end_of_a_log_is_shown_and_followed(client: Client, ada: User) -> None:
    append(Item(WIRE), Item("RJE/PLN|g=4"), sender=make_sender())

    assert rows(shown(client, "/stream/log/default")) == [WIRE, "RJE/PLN|g=4"]
    assert rows(shown(client, "/stream/log/default?q=is:invalid")) == ["RJE/PLN|g=4"]
    batch = client.get("/stream/log/default/lines?after=0&q=is:invalid").json()
    assert [line["n"] for line in batch["lines"]] == [1]
    assert "View packet" in shown(client, "/stream/log/default/message/0")
    assert "View packet" in shown(client, "/stream/log/default?message=1")
    assert shown(client, "/stream/log/default/message/9", 404)
    assert shown(client, "/stream/log/nowhere", 404)
    assert shown(client, "/stream/log/nowhere/lines", 404)


def test_a_query_that_cannot_be_answered_is_told(client: Client, ada: User) -> None:
    append(Item(WIRE), sender=make_sender())
    page = shown(client, "/stream/log/default?q=(goal:1", 422)

    assert 'aria-invalid="true"' in page
    assert rows(page) == []
    assert 'id="waiting-first" hidden' in page
    assert 'id="waiting-filtered" >' in page
    assert client.get("/stream/log/default/lines?q=(goal:1").status_code == 422
    assert client.get("/stream/log/default/events?q=(goal:1").status_code == 422
    assert client.get("/stream/log/default/events?q=nokey:1").status_code == 422


def test_the_first_page_leads_to_the_logs(client: Client, ada: User) -> None:
    assert 'href="/stream/log/default"' in shown(client, "/stream/")
