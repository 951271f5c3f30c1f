"""Saving from the workbench: a preview that stores nothing, then a separate act by a signed-in
person.
"""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.database import unavailable
from auditlog.log import logs
from auditlog.models import Packet
from cablese import registry
from playground.audit import saving
from playground.audit.views import save
from playground.http import decoding
from playground.workbench.document import ROWS
from playground.workbench.examples import CONVERSATION
from tests.playground.audit.save.preview import TEXT, carried, wires
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def test_a_preview_shows_what_will_be_stored_and_stores_nothing(client: Client) -> None:
    page = client.post("/save", {"text": TEXT}).content.decode()

    assert "✖ 1 invalid, stored and marked" in words(page)
    assert "● 1 valid" in words(page)
    assert "1 fragment won’t be stored." in words(page)
    assert "RJE/PLN|g=42,t=1" in words(page)
    assert wires() == []


def test_messages_beyond_those_that_are_shown_are_counted(client: Client) -> None:
    page = client.post("/save", {"text": "REQ/TSK|g=1,t=1\n" * (ROWS + 10)}).content.decode()

    assert page.count('class="chip protocol"') == ROWS
    assert "And 10 more." in words(page)


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
    response = client.post("/save/confirm", {"text": TEXT, "goal": "night 7"})
    page = response.content.decode()

    assert response.status_code == 403
    assert "You must sign in to save." in words(page)
    assert 'value="night 7"' in page
    assert "auth_refactor" in page
    assert wires() == []


def test_the_state_of_a_message_is_said_and_not_only_drawn(client: Client, ada: User) -> None:
    said = words(client.post("/save", {"text": f"{TEXT}\nACC/PLN|g=42,t=01"}).content.decode())

    assert "✖ error: RJE/PLN|g=42,t=1" in said
    assert "▲ warning: ACC/PLN|g=42,t=01" in said
    assert "● REQ/TSK|g=42,t=1" in said


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
    assert [packet.valid for packet in Packet.objects.order_by("log", "leaf")] == [True, False]
    assert "2 packets saved to log default." in page
    assert "2 packets" in page
    assert 'Says "RJE" about the plan for task 1 of goal 42.' in page


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
        ({"log": "nowhere"}, "Unknown log"),
        *(
            ({name: "x" * 1001}, "at most 1000 characters")
            for name in ("goal", "task", "sender", "recipient", "thread", "tags")
        ),
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
    decoding._remembered.cache_clear()

    answer = client.post("/save/confirm", {"text": text})

    assert answer.status_code == 302
    assert Packet.objects.count() == 50
    assert len(read) == len(set(text.splitlines()))
