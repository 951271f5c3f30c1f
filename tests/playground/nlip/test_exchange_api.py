"""The exchange checker over HTTP and on the workbench."""

import json
from typing import Any, cast

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

TOKEN = '{"Format":"token","Subformat":"conversation","Content":"c-17"}'
ASKED = (
    '{"Format":"text","Subformat":"English","Content":"Rooms in Paris?","Submessages":['
    + TOKEN
    + "]}"
)
ANSWERED = '{"Format":"text","Subformat":"English","Content":"Two.","Submessages":[' + TOKEN + "]}"
FORGOT = '{"Format":"text","Subformat":"English","Content":"Two."}'


def post(client: Client, body: object) -> HttpResponse:
    return cast(
        "HttpResponse",
        client.post("/api/v1/nlip/exchange", json.dumps(body), content_type="application/json"),
    )


def checked(client: Client, body: object) -> dict[str, Any]:
    response = post(client, body)
    assert response.status_code == 200, response.content
    return dict(json.loads(response.content))


@pytest.mark.requirement("NLIP-21")
def test_a_request_and_its_response_are_held_against_each_other(client: Client) -> None:
    answer = checked(client, {"request": ASKED, "response": FORGOT})

    assert answer["valid"] == [True, True]
    assert answer["held"] == ["NLIP-20", "NLIP-23"]
    assert answer["findings"] == [
        {
            "code": "nlip.token-lost",
            "severity": "error",
            "message": 'The request has the token conversation "c-17", but the answer does not'
            " return it.",
            "section": "6.2 Requests containing Token field",
            "requirement": "NLIP-21",
            "messages": [0, 1],
            "at": 1,
            "field": "",
            "span": [0, len(FORGOT)],
        }
    ]


def test_a_transcript_is_read_in_turns(client: Client) -> None:
    answer = checked(client, {"messages": [ASKED, ANSWERED, ASKED]})

    assert [(finding["requirement"], finding["at"]) for finding in answer["findings"]] == [
        ("NLIP-20", 2)
    ]


@pytest.mark.requirement("NLIP-22")
def test_tokens_that_the_server_made_before_are_named_beside(client: Client) -> None:
    assert (
        checked(client, {"request": ASKED, "response": FORGOT, "own_tokens": ["c-17"]})["findings"]
        == []
    )


@pytest.mark.requirement("NLIP-34")
def test_the_http_status_of_an_answer_is_judged_with_it(client: Client) -> None:
    def codes(**more: object) -> list[tuple[str, int]]:
        return [(finding["code"], finding["at"]) for finding in checked(client, more)["findings"]]

    assert codes(request=ASKED, response=ANSWERED, status=200) == []
    assert codes(request=ASKED, response=ANSWERED, status=500) == [("nlip.status-mismatch", 1)]
    turns = [ASKED, ANSWERED, ASKED, ANSWERED]
    assert codes(messages=turns, statuses=[None, 200, None, 302]) == [("nlip.status-mismatch", 3)]
    assert codes(messages=turns, statuses=[]) == []


def test_a_broken_message_is_a_result(client: Client) -> None:
    answer = checked(client, {"request": ASKED, "response": "<html>502</html>"})

    assert answer["valid"] == [True, False]
    assert [finding["code"] for finding in answer["findings"]] == ["nlip.unreadable-answer"]


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 422, "/request"),
        ({"request": ASKED}, 422, "/response"),
        ({"messages": []}, 422, "/messages"),
        ({"messages": [ASKED], "request": ASKED}, 422, "/messages"),
        ({"messages": [1]}, 422, "/messages/0"),
        ({"request": ASKED, "response": FORGOT, "dialect": "nlip/9"}, 422, "/dialect"),
        ({"request": ASKED, "respons": FORGOT}, 422, "/respons"),
        ({"messages": ["x" * 1024 * 1024, "y"]}, 413, ""),
        ({"request": ASKED, "response": FORGOT, "status": 99}, 422, "/status"),
        ({"request": ASKED, "response": FORGOT, "status": 600}, 422, "/status"),
        ({"request": ASKED, "response": FORGOT, "status": "200"}, 422, "/status"),
        ({"request": ASKED, "response": FORGOT, "statuses": [None, 200]}, 422, "/statuses"),
        ({"messages": [ASKED, FORGOT], "status": 200}, 422, "/status"),
        ({"messages": [ASKED, FORGOT], "statuses": [200]}, 422, "/statuses/0"),
        ({"messages": [ASKED], "statuses": [None, 200]}, 422, "/statuses/1"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_its_place(
    client: Client, body: object, status: int, pointer: str
) -> None:
    response = post(client, body)

    assert response.status_code == status
    assert json.loads(response.content)["pointer"] == pointer


def shown(client: Client, text: str, address: str = "/reading/whole") -> str:
    response = client.post(address, {"text": text})
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.requirement("NLIP-21")
def test_the_workbench_lists_what_is_owed_and_where(client: Client) -> None:
    page = shown(client, f"client: {ASKED}\nserver: {FORGOT}\n")

    panel = page.split('id="panel-exchange"')[1].split("</section>")[0]
    assert "the answer does not return it" in words(panel)
    assert "NLIP-21 in message 2 at 2:9, with message 1" in words(panel)
    assert 'data-message="2"' in panel
    assert "NLIP-20" in words(panel.split("Requirements met")[1])


def test_what_messages_are_to_each_other_has_an_address_of_its_own_and_is_the_same_there(
    client: Client,
) -> None:
    text = f"{ASKED}\n{FORGOT}\n"

    fragment = shown(client, text, "/reading/whole").strip()

    assert "panel-exchange" in fragment
    assert fragment in shown(client, text, "/")


@pytest.mark.parametrize("text", [ASKED, f"{ASKED}\nREQ/TSK|g=1,t=1\n", "", "Hello"])
def test_fewer_than_two_messages_are_no_exchange(client: Client, text: str) -> None:
    assert "panel-exchange" not in shown(client, text)


@pytest.mark.parametrize(
    "parties",
    [
        ("client", "server", "server"),
        ("ann -> server", "bob -> server", "server -> ann"),
        ("client -> server", "other -> client", "client -> server"),
    ],
)
def test_lines_that_are_not_in_turn_are_not_read_as_requests_and_answers(
    client: Client, parties: tuple[str, str, str]
) -> None:
    messages = zip(parties, (ASKED, FORGOT, ANSWERED), strict=True)

    page = shown(client, "".join(f"{who}: {message}\n" for who, message in messages))

    assert "panel-exchange" not in page
    assert "nlip.token-lost" not in page


def test_an_exchange_in_order_says_so(client: Client) -> None:
    assert "No pending replies." in shown(client, f"{ASKED}\n{ANSWERED}\n")


def test_what_agents_wrote_stays_text(client: Client) -> None:
    hostile = ASKED.replace("c-17", "<script>alert(1)</script>")

    assert "<script>alert" not in shown(client, f"{hostile}\n{FORGOT}\n")


def test_a_transcript_over_the_limit_is_refused_with_the_limit(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.nlip.api.TEXT_LIMIT", len(ASKED))

    assert post(client, {"messages": [ASKED]}).status_code == 200
    refused = post(client, {"messages": [ASKED, "x"]})
    assert (refused.status_code, json.loads(refused.content)["limit"]) == (413, len(ASKED))
