"""Saving from the workbench: a preview that stores nothing, then a separate act by a signed-in
person.
"""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.database import unavailable
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet
from cablese import registry
from playground.audit import pending, saving
from playground.audit.views import save
from playground.workbench.examples import CONVERSATION
from tests.playground.drawn import words
from tests.stating import LINES, WIRE, state

pytestmark = pytest.mark.django_db

TEXT = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor\nRJE/PLN|g=42,t=1\nnot a message\n"


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


def carried(page: str) -> str:
    """The text that the page carries on, as JSON: an attribute would lose NUL and line ends."""
    held = re.search(r'<input type="hidden" name="text_json" value="([^"]*)">', page)
    assert held is not None
    return unescape(held[1])


def wires() -> list[str]:
    return [bytes(packet.wire).decode() for packet in Packet.objects.order_by("seq")]


def test_a_preview_shows_what_will_be_stored_and_stores_nothing(client: Client) -> None:
    page = client.post("/save", {"text": TEXT}).content.decode()

    assert "✖ 1 invalid, stored and marked" in words(page)
    assert "● 1 valid" in words(page)
    assert "1 fragment won’t be stored." in words(page)
    assert "RJE/PLN|g=42,t=1" in words(page)
    assert wires() == []


def test_a_preview_carries_the_text_as_it_was(client: Client) -> None:
    text = '\n <b>"quotes"</b> & \u202eturned\n\nREQ/TSK|g=1,t=1,@=a\x00b🙂\rc\n'

    page = client.post("/save", {"text": text}).content.decode()

    assert json.loads(carried(page)) == text
    assert carried(page).isascii()
    assert "\x00" not in page
    assert "<b>" not in page


def test_what_is_stored_is_what_the_preview_showed(client: Client, ada: User) -> None:
    page = client.post("/save", {"text": "REQ/TSK|g=1,t=1,@=a\x00b🙂\n"}).content.decode()

    client.post("/save/confirm", {"text_json": carried(page)})

    assert wires() == ["REQ/TSK|g=1,t=1,@=a\x00b🙂"]


@pytest.mark.parametrize("wrong", ["", "x", "1", '"\\ud800"', "[" * 5_000])
def test_a_text_that_was_not_carried_by_us_is_none(client: Client, ada: User, wrong: str) -> None:
    assert client.post("/save/confirm", {"text_json": wrong}).status_code == 422
    assert wires() == []


def test_a_preview_of_nothing_offers_no_button(client: Client, ada: User) -> None:
    page = client.post("/save", {"text": "hello"}).content.decode()

    assert "The text has no messages to save" in page
    assert re.search(r"<button class=\"primary\" disabled>", page)


def test_without_a_signed_in_person_the_page_says_how_to_go_on(client: Client) -> None:
    page = client.post("/save", {"text": TEXT}).content.decode()

    assert "You must sign in to save." in words(page)


def test_nobody_saves_without_signing_in(client: Client) -> None:
    response = client.post("/save/confirm", {"text": TEXT})

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/signin?")
    assert wires() == []


@pytest.mark.parametrize("address", ["/save", "/save/confirm"])
def test_a_form_of_another_site_is_refused(address: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.create_user("ada"))

    assert browser.post(address, {"text": TEXT}).status_code == 403
    assert wires() == []


@pytest.mark.parametrize("address", ["/save", "/save/confirm"])
def test_looking_at_the_address_saves_nothing(client: Client, ada: User, address: str) -> None:
    assert client.get(address, {"text": TEXT}).status_code == 405


def test_saving_keeps_every_message_valid_or_not_and_shows_them(client: Client, ada: User) -> None:
    response = client.post("/save/confirm", {"text": TEXT}, follow=True)
    page = words(response.content.decode())

    assert wires() == ["REQ/TSK|g=42,t=1,p=2,@=auth_refactor", "RJE/PLN|g=42,t=1"]
    assert [packet.valid for packet in Packet.objects.order_by("seq")] == [True, False]
    assert "2 packets saved to log default." in page
    assert "2 packets" in page
    assert "RJE/PLN|g=42,t=1" in page


def test_a_saved_packet_names_who_saved_it(client: Client, ada: User) -> None:
    client.post("/save/confirm", {"text": "REQ/TSK|g=42,t=1"})
    packet = Packet.objects.get()

    assert packet.user == ada
    assert packet.source.name == "user:ada"
    assert packet.key is None


def test_facts_said_beside_are_kept_apart_from_the_wire_and_found(
    client: Client, ada: User
) -> None:
    facts = {
        "goal": "7", "task": "3", "sender": "planner", "recipient": "coder", "thread": "night/1",
        "tags": " @auth_refactor, , tests ",
    }  # fmt: skip

    client.post("/save/confirm", {"text": "ACC/PLN|g=42,t=1", **facts})

    packet = Packet.objects.get()
    assert bytes(packet.wire) == b"ACC/PLN|g=42,t=1"
    assert json.loads(packet.supplied) == {
        "goal": "7", "task": "3", "from": "planner", "to": "coder", "thread": "night/1",
        "tags": ["auth_refactor", "tests"],
    }  # fmt: skip
    for query in ("@auth_refactor goal:7", "from:planner", "to:coder", "thread:night/1", "goal:42"):
        assert "1 packet" in words(client.get("/audit/", {"q": query}).content.decode())


def test_a_log_is_chosen_by_name(client: Client, ada: User) -> None:
    logs.create(slug="night")

    client.post("/save/confirm", {"text": "ACC/PLN|g=42,t=1", "log": "night"})

    assert Packet.objects.get().log.slug == "night"


@pytest.mark.parametrize(
    ("wrong", "saying"),
    [
        ({"log": "nowhere"}, "Select a valid choice."),
        ({"goal": "x" * 1001}, "at most 1000 characters"),
        ({"goal": "a\0b"}, "Null characters are not allowed."),
        ({"protocol": "morse"}, "morse is not one of the available choices."),
        ({"text": "hello"}, "The text has no messages to save"),
    ],
)
def test_what_does_not_fit_saves_nothing_and_is_said(
    client: Client, ada: User, wrong: dict[str, str], saying: str
) -> None:
    response = client.post("/save/confirm", {"text": TEXT, **wrong})

    assert response.status_code == 422
    assert wires() == []
    assert saying in words(response.content.decode())


def test_facts_survive_a_refusal(client: Client, ada: User) -> None:
    logs.create(slug="night")

    page = client.post(
        "/save/confirm", {"text": TEXT, "log": "night", "goal": "7", "task": "x" * 1001}
    ).content.decode()

    assert re.search(r'name="goal"\s+value="7"', page)
    assert re.search(r'<option value="night"\s+selected>', page)
    assert json.loads(carried(page)) == TEXT


def test_more_messages_than_fit_are_sent_to_the_api(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "SAVED_AT_ONCE", 1)

    response = client.post("/save/confirm", {"text": TEXT})

    assert response.status_code == 422
    assert "There are 2 messages; the limit here is 1." in words(response.content.decode())
    assert wires() == []


def test_a_busy_log_keeps_nothing_and_the_text_stays(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise unavailable.Overloaded

    monkeypatch.setattr(save, "keep", refuse)

    response = client.post("/save/confirm", {"text": TEXT, "goal": "7"})

    assert response.status_code == 503
    assert "None of this was stored." in words(response.content.decode())
    assert json.loads(carried(response.content.decode())) == TEXT


def test_a_protocol_by_hand_is_saved_as_that_one(client: Client, ada: User) -> None:
    page = client.post("/save", {"text": "hello\n", "protocol": "nslip"}).content.decode()
    assert re.search(r'<input type="hidden" name="protocol"\s+value="nslip">', page)

    client.post("/save/confirm", {"text": "hello\n", "protocol": "nslip"})

    assert Packet.objects.get().protocol == "nslip"


def test_the_way_back_leads_to_the_same_text(client: Client) -> None:
    preview = client.post("/save", {"text": CONVERSATION}).content.decode()

    page = client.post(
        "/", {"text_json": carried(preview), "protocol": "", "back": "1"}
    ).content.decode()

    assert "6 messages" in words(page)


CHAT = json.dumps(
    {
        "messages": [
            {"role": "user", "name": "ada", "content": "REQ/TSK|g=42,t=1"},
            {"role": "assistant", "content": "PRO/PLN|g=42,t=1"},
            {"role": "user", "name": "ada", "content": "ACC/PLN|g=42,t=1"},
        ]
    }
)


def offered(page: str) -> dict[str, str]:
    """The names that the page offers from the record, by their fields."""
    return {
        name: unescape(value)
        for name, value in re.findall(r'name="((?:from|to)-\d+)"\s+value="([^"]*)"', page)
    }


def supplied() -> list[dict[str, Any]]:
    return [json.loads(packet.supplied) for packet in Packet.objects.order_by("seq")]


def test_who_speaks_in_a_chat_is_offered_and_said_to_be_from_there(client: Client) -> None:
    page = client.post("/save", {"text": CHAT}).content.decode()

    assert offered(page) == {"from-0": "ada", "to-0": "", "from-1": "assistant", "to-1": "user"}
    assert "2 packets" in words(page.partition('class="speakers"')[2])


def test_who_speaks_is_kept_as_it_stands_on_the_page(client: Client, ada: User) -> None:
    names = offered(client.post("/save", {"text": CHAT}).content.decode())

    client.post("/save/confirm", {"text": CHAT, **names, "to-0": "planner", "from-1": ""})

    first = {"from": "ada", "to": "planner", "from_line": ["from"]}
    assert supplied() == [first, {"to": "user", "from_line": ["to"]}, first]


def test_what_the_page_did_not_send_is_as_the_record_says(client: Client, ada: User) -> None:
    client.post("/save/confirm", {"text": CHAT})

    assert [said.get("from") for said in supplied()] == ["ada", "assistant", "ada"]


def test_names_for_all_packets_are_for_those_of_which_the_record_says_nothing(
    client: Client, ada: User
) -> None:
    names = offered(client.post("/save", {"text": f"{CHAT}\nEVL/EVL|g=42,t=1"}).content.decode())

    client.post(
        "/save/confirm",
        {"text": f"{CHAT}\nEVL/EVL|g=42,t=1", **names, "sender": "critic", "goal": "7"},
    )

    assert [said["from"] for said in supplied()] == ["ada", "assistant", "ada", "critic"]
    assert {said["goal"] for said in supplied()} == {"7"}


def test_a_text_without_a_record_offers_nobody(client: Client) -> None:
    page = client.post("/save", {"text": TEXT}).content.decode()

    assert offered(page) == {}
    assert 'class="speakers"' not in page


def test_very_many_names_are_not_all_offered(client: Client) -> None:
    records = [
        {"role": "user", "name": f"agent{n}", "content": "REQ/TSK|g=42,t=1"} for n in range(25)
    ]

    page = client.post("/save", {"text": "\n".join(map(json.dumps, records))}).content.decode()

    assert len(offered(page)) == 2 * 20
    assert "5 more pairs of names or threads are stored as written on their lines." in words(page)


def test_a_name_that_does_not_fit_saves_nothing_and_stays(client: Client, ada: User) -> None:
    response = client.post(
        "/save/confirm", {"text": CHAT, "from-0": "x" * 1001, "to-0": '"><b>', "from-1": "kept"}
    )
    page = response.content.decode()

    assert response.status_code == 422
    assert "at most 1000 characters" in words(page)
    assert offered(page) == {
        "from-0": "x" * 1001,
        "to-0": '"><b>',
        "from-1": "kept",
        "to-1": "user",
    }
    assert wires() == []


@pytest.fixture
def stated(monkeypatch: pytest.MonkeyPatch) -> None:
    state(monkeypatch)


def fields(page: str) -> dict[str, str]:
    """The fields for what lines state, as a browser would send them."""
    inputs = re.findall(r'name="((?:from|to|thread|sent)-\d+|shown_zone)"\s+value="([^"]*)"', page)
    return {name: unescape(value) for name, value in inputs}


def sent() -> list[str | None]:
    return [packet.sent_at for packet in Packet.objects.order_by("seq")]


def test_what_lines_state_is_shown_before_it_is_stored(client: Client, stated: None) -> None:
    page = client.post("/save", {"text": LINES}).content.decode()

    assert fields(page) == {
        "sent-0": "2026-11-20T10:00:01+00:00", "sent-1": "2026-11-20T10:00:02+01:00",
        "from-0": "planner", "to-0": "executor", "from-1": "executor", "to-1": "planner", "thread-0": "42/1",
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
        "attributes": {"trace_id": "4bf92f35"}, "from": "planner", "to": "executor", "thread": "42/1",
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
        ({"sent-0": "2026-11-20T10:00:01"}, "must end with Z or a UTC offset"),
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
            WIRE, "nslip", sent_at="2026-11-20T10:00:01+00:00", sent_text="10:00:01", sent_zone="UTC",
            from_line=["sent_at"], thread="api",
        ),
        Item(WIRE, "nslip", sent_at="2026-11-20T10:00:01+00:00", from_="api"),
    ]  # fmt: skip
    given = {"items_json": pending.write(items), "shown_zone": "UTC", "zone": "Asia/Tokyo"}

    page = client.post("/save", given).content.decode()
    assert fields(page) == {
        "from-0": "", "to-0": "line", "sent-1": "2026-11-20T10:00:01+09:00", "shown_zone": "Asia/Tokyo",
    }  # fmt: skip
    client.post("/save/confirm", given | fields(page) | {"to-0": "corrected"})

    assert sent() == [None, "2026-11-20T10:00:01+09:00", "2026-11-20T10:00:01+00:00"]
    first, second, third = supplied()
    assert first == {"from": "api", "to": "corrected"}
    assert second == {
        "thread": "api", "sent_text": "10:00:01", "sent_zone": "Asia/Tokyo", "from_line": ["sent_at"],
    }  # fmt: skip
    assert third == {"from": "api"}


@pytest.mark.parametrize("number", ["1", "#"])
def test_a_message_is_decoded_once(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    text = "".join(f"RJE/PLN|g={number}\n".replace("#", str(at)) for at in range(50))
    codec = registry.get("nslip")
    read: list[str] = []
    careful = codec.read

    def noted(wire: str, dialect: str | None) -> Any:
        read.append(wire)
        return careful(wire, dialect)

    monkeypatch.setattr(codec, "read", noted)

    answer = client.post("/save/confirm", {"text": text})

    assert answer.status_code == 302
    assert Packet.objects.count() == 50
    assert len(read) == len(set(text.splitlines()))
