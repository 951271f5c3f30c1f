"""The pages of the client agent and of the exchange checker."""

import json
import re
from html import unescape
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from playground.http.throttle import Throttle
from playground.nlip import peers
from playground.nlip.peers import Busy, NoReply, Reply
from playground.server.environment import Peer
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

ROOMS = Peer("rooms", "https://rooms.example.org/nlip")
MADE = {"format": "token", "subformat": "conversation_rooms", "content": "s-1"}


class Server:
    def __init__(self) -> None:
        self.wires: list[str] = []
        self.answer: Reply | NoReply | None = None

    def send(self, peer: Peer, wire: str, *, via: str = "") -> Reply:
        self.wires.append(wire)
        if isinstance(self.answer, NoReply):
            raise self.answer
        tokens = [
            submessage
            for submessage in json.loads(wire).get("submessages", [])
            if submessage["subformat"] != "authentication"
        ]
        back = [*(token for token in tokens if token != MADE), MADE]
        good = {"format": "text", "subformat": "English", "content": "Two.", "submessages": back}
        return self.answer or Reply(200, json.dumps(good))


@pytest.fixture(autouse=True)
def behind(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Server:
    settings.NLIP_SERVERS = (ROOMS,)
    server = Server()
    monkeypatch.setattr(peers, "send", server.send)
    monkeypatch.setattr(peers, "_throttle", Throttle(burst=1_000))
    return server


@pytest.fixture
def person(client: Client) -> Client:
    client.force_login(User.objects.create_user("ann"))
    return client


def post(client: Client, address: str = "/nlip/talk", **fields: str) -> HttpResponse:
    if address == "/nlip/talk":
        fields = {"server": "rooms", "text": "Rooms?"} | fields
    return cast("HttpResponse", client.post(address, fields))


def kept(response: HttpResponse) -> str:
    """What the page carries on to the next message."""
    return unescape(response.content.decode().split('name="kept" value="')[1].split('"')[0])


def panel(response: HttpResponse) -> str:
    return words(response.content.decode().split('id="panel-exchange"')[1].split("</section>")[0])


@pytest.mark.requirement("NLIP-33")
@pytest.mark.requirement("NLIP-21")
def test_a_conversation_goes_on_with_its_tokens(person: Client, behind: Server) -> None:
    first = post(person)
    second = post(person, kept=kept(first))

    assert [first.status_code, second.status_code] == [200, 200]
    assert json.loads(kept(first))[-1] == {
        "subformat": "conversation_rooms",
        "content": "s-1",
        "theirs": True,
    }
    assert kept(first) == kept(second)
    assert MADE in json.loads(behind.wires[1])["submessages"]
    assert "No pending replies" in panel(first)


def test_both_sides_are_shown_decoded_with_the_verdict(person: Client, behind: Server) -> None:
    behind.answer = Reply(500, '{"format":"text","subformat":"English","content":"<b>Two</b>"}')

    response = post(person)

    page = response.content.decode()
    assert "<b>Two" not in page
    assert "HTTP 500" in words(page)
    assert "NLIP-34 in message 2 at 1:1" in panel(response)
    assert "NLIP-21 in message 2" in panel(response)


@pytest.mark.parametrize(
    "reply", [Reply(204, ""), Reply(200, "\udc89PNG\x00"), Reply(422, '{"detail":[]}')]
)
def test_an_answer_that_is_no_message_is_shown_too(
    person: Client, behind: Server, reply: Reply
) -> None:
    behind.answer = reply

    response = post(person)

    assert response.status_code == 200
    assert "This answer is not a valid NLIP message" in panel(response)


def test_a_redirection_is_shown_and_is_no_link(person: Client, behind: Server) -> None:
    behind.answer = Reply(302, "", "http://169.254.169.254/latest/\u202e")

    page = post(person).content.decode()

    assert "http://169.254.169.254/latest/" in page
    assert 'href="http://169.254.169.254' not in page
    assert "\u202e" not in page


def test_a_key_is_sent_and_never_shown(person: Client, behind: Server) -> None:
    page = post(person, proof="hunter2").content.decode()

    assert "hunter2" in behind.wires[0]
    assert "hunter2" not in page


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"server": "https://169.254.169.254/"}, 422),
        ({"server": ""}, 422),
        ({"text": ""}, 422),
        ({"text": '{"format":"text"}'}, 422),
        ({"kept": "[1]"}, 422),
        ({"kept": "[" * 10_000}, 422),
        ({"dialect": "nlip/9"}, 422),
    ],
)
def test_what_does_not_fit_is_not_sent(
    person: Client, behind: Server, fields: dict[str, str], status: int
) -> None:
    assert post(person, **fields).status_code == status
    assert behind.wires == []


@pytest.mark.parametrize(
    ("reply", "status"), [(NoReply("It broke."), 502), (NoReply("Late.", 504), 504), (Busy(), 503)]
)
def test_no_answer_is_said_and_nothing_that_was_typed_is_lost(
    person: Client, behind: Server, reply: NoReply, status: int
) -> None:
    tokens = kept(post(person))
    behind.answer = reply

    response = post(person, text="Rooms & more?", kept=tokens, control="on")

    page = response.content.decode()
    assert response.status_code == status
    assert str(reply) in words(page)
    assert "Rooms &amp; more?" in page
    assert re.search(r'name="control"\s+checked', page)
    assert kept(response) == tokens
    assert ("Retry-After" in response.headers) is (status == 503)


def test_strangers_see_the_page_and_send_nothing(client: Client, behind: Server) -> None:
    page = client.get("/nlip/talk")
    refused = post(client)

    assert page.status_code == 200
    assert "<textarea" not in page.content.decode()
    assert (refused.status_code, refused.headers["Location"].partition("?")[0]) == (302, "/signin")
    assert behind.wires == []


def test_a_form_of_another_site_is_refused(behind: Server) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_user("ann"))

    assert post(strict).status_code == 403
    assert behind.wires == []


def test_a_person_has_a_pace(
    person: Client, behind: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "_throttle", Throttle(burst=1, pace=0.01))

    statuses = [post(person) for _ in range(2)]

    assert [status.status_code for status in statuses] == [200, 429]
    assert int(statuses[1].headers["Retry-After"]) > 0
    assert len(behind.wires) == 1


def test_without_a_server_it_is_off_and_says_how_to_switch_it_on(
    person: Client, settings: Settings
) -> None:
    settings.NLIP_SERVERS = ()

    page = person.get("/nlip/talk").content.decode()

    assert "CABLESE_NLIP_SERVERS" in page
    assert "<textarea" not in page
    assert post(person).status_code == 422


def test_the_addresses_of_the_middle_agent_are_told(person: Client) -> None:
    assert "http://testserver/nlip/via/rooms" in person.get("/nlip/talk").content.decode()
    told = person.get("/nlip", headers={"accept": "application/json"}).json()
    assert told["via"] == {"rooms": "http://testserver/nlip/via/rooms"}


@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-34")
def test_an_exchange_is_checked_with_its_status(client: Client) -> None:
    def findings(**fields: Any) -> str:
        response = post(client, "/nlip/exchange", **fields)
        assert response.status_code == 200
        return panel(response)

    hello = '{"format":"text","subformat":"English","content":"Hello"}'
    assert "No pending replies" in findings(request=hello, response=hello)
    assert "No pending replies" in findings(request=hello, response=hello, status="200")
    assert "NLIP-34" in findings(request=hello, response=hello, status="500")
    assert "NLIP-20" in findings(request=hello, response="", status="204")
    token = json.dumps(json.loads(hello) | {"submessages": [MADE]})
    assert "NLIP-21" in findings(request=token, response=hello)
    assert "No pending replies" in findings(request=token, response=hello, own_tokens="x, rooms")
    broken = '{"format":"error","subformat":"text","content":"No."}'
    assert "NLIP-20" in findings(request=hello, response=broken, dialect="nlip/ecma-430")


def test_the_checker_begins_with_an_example_and_refuses_a_status_that_is_none(
    client: Client,
) -> None:
    assert "NLIP-20" in panel(cast("HttpResponse", client.get("/nlip/exchange")))
    assert post(client, "/nlip/exchange", status="1000").status_code == 422
