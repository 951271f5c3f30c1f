"""Who speaks in a chat is offered on the preview and stored as it is there."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.playground.audit.save.preview import TEXT, offered, supplied, wires
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

CHAT = json.dumps(
    {
        "messages": [
            {"role": "user", "name": "ada", "content": "REQ/TSK|g=42,t=1"},
            {"role": "assistant", "content": "PRO/PLN|g=42,t=1"},
            {"role": "user", "name": "ada", "content": "ACC/PLN|g=42,t=1"},
        ]
    }
)


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
