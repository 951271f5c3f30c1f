"""What lines state is shown before it is stored, and can be corrected."""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.models import Packet
from playground.audit import pending
from tests.playground.audit.save.preview import supplied, wires
from tests.playground.drawn import words
from tests.playground.stating import LINES, WIRE, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def stated(monkeypatch: pytest.MonkeyPatch) -> None:
    state(monkeypatch)


def fields(page: str) -> dict[str, str]:
    """The fields for what lines state, as a browser would send them."""
    inputs = re.findall(r'name="((?:from|to|thread|sent)-\d+|shown_zone)"\s+value="([^"]*)"', page)
    return {name: unescape(value) for name, value in inputs}


def sent() -> list[str | None]:
    return [packet.sent_at for packet in Packet.objects.order_by("log", "leaf")]


def test_what_lines_state_is_shown_before_it_is_stored(client: Client, stated: None) -> None:
    page = client.post("/save", {"text": LINES}).content.decode()

    assert fields(page) == {
        "sent-0": "2026-11-20T10:00:01+00:00", "sent-1": "2026-11-20T10:00:02+01:00",
        "from-0": "planner", "to-0": "executor", "from-1": "executor", "to-1": "planner",
        "thread-0": "42/1",
        "shown_zone": "UTC",
    }  # fmt: skip
    first, second, third = re.findall(
        r"<li class.*?</li>", page.partition('<ol class="trail"')[2], re.DOTALL
    )
    assert "(zone assumed: UTC)" in words(first)
    assert "trace_id 4bf92f35" in words(first)
    assert "from the log line" in words(second)
    assert "zone assumed" not in words(second)
    assert "from the log line" not in words(third)
    assert wires() == []


def test_fragments_that_facts_are_taken_from_are_not_counted_as_left_out(client: Client) -> None:
    record = json.dumps({"role": "user", "name": "ada", "content": "REQ/TSK|g=42,t=2"}, indent=1)
    text = f"prose\n{LINES}more prose\nINFO: {WIRE}\n{record}\nat the end"

    shown = words(client.post("/save", {"text": text}).content.decode())

    assert "3 fragments won’t be stored." in shown
    last = LINES.partition("\n")[0]
    shown = words(client.post("/save", {"text": f"prose\n{last}"}).content.decode())
    assert "1 fragment won’t be stored." in shown


def test_fragments_that_resemble_a_protocol_are_counted_among_those_left_out(
    client: Client,
) -> None:
    text = f"prose\n{WIRE}\nLOG|user=bob|action=login\nLOG|user=ada|action=login\n"

    shown = words(client.post("/save", {"text": text}).content.decode())

    assert "3 fragments won’t be stored. 2 fragments resemble AACP." in shown
    assert "resemble" not in words(
        client.post("/save", {"text": f"prose\n{WIRE}"}).content.decode()
    )


def test_what_lines_state_is_stored_as_theirs(client: Client, ada: User, stated: None) -> None:
    page = client.post("/save", {"text": LINES}).content.decode()

    client.post("/save/confirm", {"text": LINES, **fields(page)})

    assert sent() == ["2026-11-20T10:00:01+00:00", "2026-11-20T10:00:02+01:00", None]
    first, second, third = supplied()
    assert first == {
        "attributes": {"trace_id": "4bf92f35"}, "from": "planner", "to": "executor",
        "thread": "42/1",
        "sent_text": "2026-11-20 10:00:01", "sent_zone": "UTC",
        "from_line": ["attributes", "from", "sent_at", "thread", "to"],
    }  # fmt: skip
    assert second["sent_text"] == "2026-11-20T10:00:02+01:00"
    assert "sent_zone" not in second
    assert third == {}


def test_what_was_corrected_is_the_persons(client: Client, ada: User, stated: None) -> None:
    given = fields(client.post("/save", {"text": LINES}).content.decode())
    given |= {"from-0": "Planner", "thread-0": "", "sent-0": "2026-11-20T12:00:00Z", "sent-1": ""}

    client.post("/save/confirm", {"text": LINES, **given})

    assert sent() == ["2026-11-20T12:00:00Z", None, None]
    first, second, _ = supplied()
    assert (first["from"], first["from_line"]) == ("Planner", ["attributes", "to"])
    assert second["from_line"] == ["from", "to"]
    assert not {"thread", "sent_text"} & second.keys()


def test_what_was_corrected_is_shown_when_the_preview_is_drawn_again(
    client: Client, stated: None
) -> None:
    given = fields(client.post("/save", {"text": LINES}).content.decode())

    page = client.post("/save", {"text": LINES, **given, "from-0": "Ada"}).content.decode()

    first = page.partition('<ol class="trail"')[2].partition("</li>")[0]
    assert "From Ada supplied" in words(first)


@pytest.mark.parametrize("address", ["/save", "/save/confirm"])
def test_times_that_were_left_alone_go_with_the_zone(
    client: Client, ada: User, stated: None, address: str
) -> None:
    given = fields(client.post("/save", {"text": LINES}).content.decode()) | {"from-0": "Planner"}

    page = client.post(
        address, {"text": LINES, **given, "zone": "America/New_York"}, follow=True
    ).content.decode()

    if address == "/save":
        assert fields(page) == given | {
            "sent-0": "2026-11-20T10:00:01-05:00",
            "shown_zone": "America/New_York",
        }
        assert wires() == []
        client.post("/save/confirm", {"text": LINES, **fields(page), "zone": "America/New_York"})
    assert sent()[:2] == ["2026-11-20T10:00:01-05:00", "2026-11-20T10:00:02+01:00"]
    assert (supplied()[0]["sent_zone"], supplied()[0]["from"]) == ("America/New_York", "Planner")


@pytest.mark.parametrize(
    ("wrong", "detail"),
    [
        ({"zone": "Europe/Berln"}, "Did you mean Europe/Berlin?"),
        ({"zone": "x" * 101}, "at most 100 characters"),
        ({"sent-0": "2026-11-20T10:00:01"}, "must end with Z or a UTC offset"),
        ({"sent-0": f"2026-11-20T10:00:01.{'0' * 20}Z"}, "at most 40 characters"),
        ({"thread-0": "x" * 1001}, "at most 1000 characters"),
    ],
)
def test_a_fact_that_does_not_fit_saves_nothing_and_says_why(
    client: Client, ada: User, stated: None, wrong: dict[str, str], detail: str
) -> None:
    given = fields(client.post("/save", {"text": LINES}).content.decode())

    response = client.post("/save/confirm", {"text": LINES, **given, **wrong})

    assert response.status_code == 422
    assert detail in words(response.content.decode())
    assert wires() == []


def test_nothing_that_a_line_says_becomes_an_element(client: Client, stated: None) -> None:
    evil = "<img/onerror=alert(1)>"
    line = f'2026-11-20T10:00:01Z [{evil}] {evil} -> b {{"<img onerror>":"<img onerror>"}} {WIRE}'

    page = client.post("/save", {"text": line}).content.decode()

    assert "<img" not in page
    assert page.count("&lt;img") >= 5


def test_very_many_times_are_not_all_offered(client: Client, ada: User, stated: None) -> None:
    text = "\n".join(f"2026-11-20T10:00:{at:02}+01:00 a -> b {WIRE}" for at in range(25))
    page = client.post("/save", {"text": text}).content.decode()

    assert len([name for name in fields(page) if name.startswith("sent-")]) == 20
    assert "5 more messages use the times on their lines." in words(page)
    client.post("/save/confirm", {"text": text, **fields(page)})
    assert sent()[-1] == "2026-11-20T10:00:24+01:00"


def test_only_what_a_line_says_of_a_message_at_hand_is_offered_and_moved(
    client: Client, ada: User
) -> None:
    """Messages of a live session come as items, and some of their facts were sent with them."""
    items = [
        Item(WIRE, "nslip", from_="api", to="line", from_line=["to"]),
        Item(
            WIRE, "nslip", sent_at="2026-11-20T10:00:01+00:00", sent_text="10:00:01",
            sent_zone="UTC",
            from_line=["sent_at"], thread="api",
        ),
        Item(WIRE, "nslip", sent_at="2026-11-20T10:00:01+00:00", from_="api"),
    ]  # fmt: skip
    given = {"items_json": pending.write(items), "shown_zone": "UTC", "zone": "Asia/Tokyo"}

    page = client.post("/save", given).content.decode()
    assert fields(page) == {
        "from-0": "", "to-0": "line", "sent-1": "2026-11-20T10:00:01+09:00",
        "shown_zone": "Asia/Tokyo",
    }  # fmt: skip
    client.post("/save/confirm", given | fields(page) | {"to-0": "corrected"})

    assert sent() == [None, "2026-11-20T10:00:01+09:00", "2026-11-20T10:00:01+00:00"]
    first, second, third = supplied()
    assert first == {"from": "api", "to": "corrected"}
    assert second == {
        "thread": "api", "sent_text": "10:00:01", "sent_zone": "Asia/Tokyo",
        "from_line": ["sent_at"],
    }  # fmt: skip
    assert third == {"from": "api"}
