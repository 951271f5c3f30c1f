"""The client agent over the API: who may send, to whom, and what is told of the answer."""

import json
from typing import Any, cast

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from playground.http.throttle import Throttle
from playground.nlip import peers
from playground.nlip.peers import Busy, NoReply, Reply
from playground.server.environment import Peer

pytestmark = pytest.mark.django_db

ROOMS = Peer("rooms", "https://rooms.example.org/nlip")
ANSWER = '{"format":"text","subformat":"English","content":"Two."}'


class Server:
    def __init__(self) -> None:
        self.wires: list[str] = []
        self.answer: Reply | NoReply | None = None

    def send(self, peer: Peer, wire: str, *, via: str = "") -> Reply:
        assert peer is ROOMS
        self.wires.append(wire)
        if isinstance(self.answer, NoReply):
            raise self.answer
        return self.answer or Reply(200, self.polite(json.loads(wire)))

    def polite(self, request: dict[str, Any]) -> str:
        tokens = [
            submessage
            for submessage in request.get("submessages", [])
            if submessage["subformat"].startswith("conversation")
        ]
        made = {"format": "token", "subformat": "conversation_rooms", "content": "s-1"}
        return json.dumps(
            json.loads(ANSWER)
            | {"submessages": [*(token for token in tokens if token != made), made]}
        )


@pytest.fixture(autouse=True)
def behind(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Server:
    settings.NLIP_SERVERS = (ROOMS,)
    server = Server()
    monkeypatch.setattr(peers, "send", server.send)
    monkeypatch.setattr(peers, "_throttle", Throttle(burst=1_000))
    return server


@pytest.fixture
def key() -> str:
    return access.create_key(source="bob", scopes=("ingest",))[1]


def post(client: Client, key: str = "", **body: Any) -> HttpResponse:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    wire = json.dumps({"server": "rooms", "message": "Rooms?"} | body)
    sent = client.post("/api/v1/nlip/send", wire, content_type="application/json", headers=headers)
    return cast("HttpResponse", sent)


def sent(client: Client, key: str, **body: Any) -> dict[str, Any]:
    response = post(client, key, **body)
    assert response.status_code == 200, response.content
    return dict(json.loads(response.content))


@pytest.mark.requirement("NLIP-33")
@pytest.mark.requirement("NLIP-21")
def test_the_tokens_of_a_turn_belong_to_the_next(client: Client, key: str, behind: Server) -> None:
    first = sent(client, key)
    second = sent(client, key, tokens=first["tokens"], server=ROOMS.url)

    assert [(token["subformat"], token["theirs"]) for token in first["tokens"]] == [
        (f"conversation_{peers.identity()}-client", False),
        ("conversation_rooms", True),
    ]
    assert second["tokens"] == first["tokens"]
    tokens = json.loads(behind.wires[1])["submessages"]
    assert [token["content"] for token in tokens] == [token["content"] for token in first["tokens"]]
    assert (first["valid"], first["findings"], first["status"]) == ([True, True], [], 200)
    assert second["findings"] == []
    assert "NLIP-21" in second["held"]


def test_words_become_a_message_and_a_message_stays_one(
    client: Client, key: str, behind: Server
) -> None:
    sent(client, key, message="What are your policies?", control=True)
    sent(
        client,
        key,
        message='{"Format":"location","Subformat":"GPS","Content":"52.5, 13.4","x-a":1}',
    )
    sent(client, key, message='{"g":"FIND","plan":[]}')
    sent(
        client,
        key,
        message=" REQ/TSK|g=1 ",
        tokens=[{"subformat": "conversation", "content": "c", "theirs": False}],
    )

    made = [json.loads(wire) for wire in behind.wires]
    assert list(made[0].items())[:3] == [
        ("messagetype", "control"),
        ("format", "text"),
        ("subformat", "English"),
    ]
    assert (made[1]["Content"], made[1]["x-a"], len(made[1]["Submessages"])) == ("52.5, 13.4", 1, 1)
    assert (made[2]["format"], made[2]["content"]) == ("text", '{"g":"FIND","plan":[]}')
    assert made[3]["content"] == " REQ/TSK|g=1 "
    assert made[3]["submessages"] == [
        {"format": "token", "subformat": "conversation", "content": "c"}
    ]


def test_a_message_can_be_sent_exactly_as_it_is(client: Client, key: str, behind: Server) -> None:
    broken = '{"format":"text","content":"Hello"}'

    refused = post(client, key, message=broken)
    answer = sent(client, key, message=broken, exact=True)

    assert (refused.status_code, json.loads(refused.content)["pointer"]) == (422, "/message")
    assert behind.wires == [broken]
    assert answer["valid"] == [False, True]
    assert [finding["code"] for finding in answer["findings"]] == ["nlip.broken-request-accepted"]


@pytest.mark.requirement("NLIP-20")
@pytest.mark.parametrize(
    ("reply", "codes", "moved"),
    [
        (Reply(204, ""), ["nlip.unreadable-answer"], ""),
        (Reply(200, "\udc89PNG"), ["nlip.unreadable-answer"], ""),
        (Reply(422, '{"detail":[]}'), ["nlip.unreadable-answer"], ""),
        (Reply(500, ANSWER), ["nlip.status-mismatch", "nlip.token-lost"], ""),
        (
            Reply(302, "", "http://169.254.169.254/"),
            ["nlip.unreadable-answer"],
            "http://169.254.169.254/",
        ),
    ],
)
def test_whatever_comes_back_is_judged(
    client: Client, key: str, behind: Server, reply: Reply, codes: list[str], moved: str
) -> None:
    behind.answer = reply

    answer = sent(client, key)

    assert [finding["code"] for finding in answer["findings"]] == codes
    assert (answer["status"], answer["moved"]) == (reply.status, moved)
    assert [token["theirs"] for token in answer["tokens"]] == [False]


@pytest.mark.parametrize(
    ("reply", "status"),
    [(NoReply("It broke."), 502), (NoReply("Too late.", 504), 504), (Busy(), 503)],
)
def test_no_answer_is_a_problem(
    client: Client, key: str, behind: Server, reply: NoReply, status: int
) -> None:
    behind.answer = reply

    response = post(client, key)

    assert (response.status_code, json.loads(response.content)["detail"]) == (status, str(reply))
    assert ("Retry-After" in response.headers) is (status == 503)


def test_a_key_that_may_write_is_needed(client: Client, key: str, behind: Server) -> None:
    reader = access.create_key(source="reader", scopes=("read",))[1]

    assert [post(client, one).status_code for one in ("", "cbl_live_nonsense", reader)] == [
        401,
        401,
        403,
    ]
    assert behind.wires == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"server": "http://169.254.169.254/latest/meta-data"}, "/server"),
        ({"server": "https://rooms.example.org/"}, "/server"),
        ({"server": ""}, "/server"),
        ({"message": ""}, "/message"),
        ({"message": " \n"}, "/message"),
        ({"message": "x" * 1024 * 1024}, "/message"),
        ({"dialect": "nlip/9"}, "/dialect"),
        ({"tokens": [{"subformat": "a", "content": 1, "theirs": True}]}, "/tokens/0/content"),
        ({"tokens": [{"subformat": "", "content": "c", "theirs": True}]}, "/tokens"),
        ({"proof": "x"}, "/proof"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    client: Client, key: str, behind: Server, body: dict[str, Any], pointer: str
) -> None:
    response = post(client, key, **body)

    assert (response.status_code, json.loads(response.content)["pointer"]) == (422, pointer)
    assert behind.wires == []


def test_a_key_has_a_pace(client: Client, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_throttle", Throttle(burst=1, pace=0.01))

    assert [post(client, key).status_code for _ in range(2)] == [200, 429]


def test_without_a_server_it_is_off_and_says_how_to_switch_it_on(
    client: Client, key: str, settings: Settings
) -> None:
    settings.NLIP_SERVERS = ()

    response = post(client, key)

    assert response.status_code == 503
    assert "CABLESE_NLIP_SERVERS" in json.loads(response.content)["detail"]


def test_a_key_in_a_message_is_not_told_again(client: Client, key: str, behind: Server) -> None:
    secret = {"format": "token", "subformat": "authentication", "content": "hunter2"}
    message = json.dumps(
        {"format": "text", "subformat": "English", "content": "Hi", "submessages": [secret]}
    )

    answer = sent(client, key, message=message)

    assert "hunter2" in behind.wires[0]
    assert "hunter2" not in json.dumps(answer)
