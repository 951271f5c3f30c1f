"""The middle agent over HTTP, with servers behind it that behave, and with others that do not."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from auditlog.models import Packet
from auditlog.text import from_bytes
from cablese.protocols.nlip.exchange.checker import check, examine
from playground.http.throttle import Throttle
from playground.nlip import peers, relay
from playground.nlip.peers import HOPS, NoReply, identity
from playground.nlip.views import agent as view
from playground.server.environment import Peer
from tests import fuzz
from tests.playground.nlip.middle import (
    ALICE,
    NLIP,
    ROOMS,
    Server,
    error,
    ours,
    part,
    post,
    read,
    text,
)
from tests.playground.nlip.test_answers import corpus

pytestmark = pytest.mark.django_db

PROVE = "Please authenticate yourself."


@pytest.fixture(autouse=True)
def open_for_all(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.NLIP_SERVERS = (ROOMS, Peer("ecma", f"{ROOMS.url}?dialect=nlip/ecma-430"))
    monkeypatch.setattr(view, "throttle", Throttle(burst=10_000))
    monkeypatch.setattr(peers, "_throttle", Throttle(burst=10_000))
    monkeypatch.setattr(relay, "conversations", relay.RelayedConversations())


@pytest.fixture
def key() -> str:
    return access.create_key(source="bob", scopes=("ingest",))[1]


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> Server:
    server = Server()
    monkeypatch.setattr(peers, "send", server.send)
    return server


@pytest.mark.requirement("NLIP-33")
def test_tokens_of_both_sides_are_kept_apart_and_correlated(
    client: Client, key: str, behind: Server
) -> None:
    first = text("Rooms?", ALICE, part("token", "authentication", key))
    one = read(first, post(client, first))
    second = text("More?", ALICE, ours(one), part("token", "authentication", key))
    two = read(second, post(client, second))

    assert [part["subformat"] for part in one["submessages"]] == [
        "conversation_alice",
        f"conversation_{identity()}",
    ]
    assert ours(one) == ours(two)
    to_server = [part for request in behind.requests for part in request["submessages"]]
    mine = next(part for part in to_server if part["subformat"] == f"conversation_{identity()}")
    assert to_server == [mine, mine, behind.own]
    assert mine["content"] != ours(one)["content"]
    assert "s-1" not in json.dumps([one, two])
    assert key not in json.dumps(behind.requests)
    assert examine(behind.transcript).findings == ()


def test_conversations_are_not_mixed(client: Client, key: str, behind: Server) -> None:
    answers = [read(text("Rooms?"), post(client, text("Rooms?"), key)) for _ in range(2)]
    borrowed = text("More?", ours(answers[0]))
    read(borrowed, post(client, borrowed, key, "/nlip/via/ecma"))
    stranger = text("More?", part("token", f"conversation_{identity()}", "guessed"))
    read(stranger, post(client, stranger, key))

    ids = [request["submessages"][0]["content"] for request in behind.requests]
    assert len(set(ids)) == 4
    assert [len(request["submessages"]) for request in behind.requests] == [1, 1, 1, 1]


def test_an_old_conversation_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    talks = relay.RelayedConversations(most=2)
    for name in ("a", "b", "c"):
        talks.keep(relay.RelayedConversation(name, ROOMS.url, name))
    assert [talks.find(name, ROOMS) is None for name in ("a", "b", "c")] == [True, False, False]

    monkeypatch.setattr(relay, "LIFE", -1)
    assert talks.find("c", ROOMS) is None


@pytest.mark.requirement("NLIP-27")
@pytest.mark.requirement("NLIP-31")
def test_who_shows_no_key_is_asked_for_one(client: Client, key: str, behind: Server) -> None:
    for body in (
        text("Rooms?", ALICE),
        text("Rooms?", part("token", "authentication", "nonsense")),
        text(PROVE, control=True),
    ):
        response = post(client, body)
        answer = read(body, response)
        assert (response.status_code, answer["messagetype"]) == (401, "control")
        assert response.headers["WWW-Authenticate"] == "Bearer"
    assert post(client, "{").status_code == 400
    reader = access.create_key(source="reader", scopes=("read",))[1]
    assert "scope ingest" in error(
        text("Rooms?", ALICE), post(client, text("Rooms?", ALICE), reader), 403
    )
    assert behind.requests == []


@pytest.mark.requirement("NLIP-28")
def test_the_caller_may_ask_who_we_are_and_is_told_from_then_on(
    client: Client, key: str, behind: Server
) -> None:
    body = text(PROVE, ALICE, control=True)
    shown = read(body, post(client, body, key))
    assert behind.requests == []

    behind.answer = lambda _: NoReply("It broke.")
    for more in (text("Rooms?", ALICE, ours(shown)), text("More?", ours(shown))):
        answer = read(more, post(client, more, key))
        assert ours(answer, "authentication") == ours(shown, "authentication")


@pytest.mark.requirement("NLIP-28")
def test_the_server_may_ask_who_we_are_and_is_told_from_then_on(
    client: Client, key: str, behind: Server
) -> None:
    behind.answer = lambda request: (
        behind.polite(request)
        | {
            "messagetype": "control",
            "content": PROVE,
            "submessages": [
                submessage
                for submessage in behind.polite(request)["submessages"]
                if not submessage["subformat"].startswith("authentication")
            ],
        }
    )
    first = text("Rooms?", ALICE)
    asked = read(first, post(client, first, key))
    assert "asked this agent to identify itself" in asked["content"]
    assert PROVE not in json.dumps(asked)

    behind.answer = behind.polite
    second = text("Rooms?", ALICE, ours(asked))
    answer = read(second, post(client, second, key))
    assert answer["content"] == "Two."
    assert [submessage["subformat"] for submessage in behind.requests[1]["submessages"]][
        -1
    ] == f"authentication_{identity()}"
    assert "authentication" not in json.dumps(answer)


@pytest.mark.parametrize(
    ("via", "words"),
    [
        ("1.1 alice, 1.1 {us}", "it already passed through this agent"),
        (", ".join(f"1.1 agent{n}" for n in range(HOPS)), f"it passed through {HOPS} agents"),
    ],
)
def test_a_message_does_not_go_round_in_circles(
    client: Client, key: str, behind: Server, via: str, words: str
) -> None:
    response = post(client, text("Rooms?", ALICE), key, Via=via.format(us=identity()))

    assert words in error(text("Rooms?", ALICE), response, 508)
    assert behind.requests == []


def test_those_it_came_through_are_named_to_the_next(
    client: Client, key: str, behind: Server
) -> None:
    post(client, text("Rooms?"), key, Via="1.1 alice")

    assert behind.vias == ["1.1 alice"]


@pytest.mark.requirement("NLIP-19")
@pytest.mark.requirement("NLIP-20")
@fuzz.mark
@pytest.mark.parametrize("dialect", ["nlip/draft", "nlip/ecma-430"])
@pytest.mark.parametrize("works", [True, False])
def test_no_answer_of_the_middle_agent_is_faulted(
    client: Client, key: str, behind: Server, dialect: str, *, works: bool
) -> None:
    if not works:
        behind.answer = lambda _: NoReply("It broke.")
    for body in corpus()[::3]:
        headers = {"host": "localhost", "Authorization": f"Bearer {key}"}
        address = f"/nlip/via/rooms?dialect={dialect}"
        response = client.post(address, body, content_type="application/json", headers=headers)

        sides = [
            NLIP.decode(from_bytes(wire), dialect=dialect) for wire in (body, response.content)
        ]
        found = check(*sides, own_tokens=(identity(),), status=response.status_code)
        assert [one for one in found if one.at == 1] == [], body


@pytest.mark.requirement("NLIP-17")
@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (NoReply("The server gave no answer within 20 s.", 504), 504, "no answer within 20 s"),
        (peers.Busy(), 503, "Too many NLIP calls"),
        ("", 502, "(HTTP 200) is not a valid NLIP message"),
        ('{"detail":[]}', 502, "(HTTP 200) is not a valid NLIP message"),
        ("\udc89PNG", 502, "not a valid NLIP message"),
        (text("x" * (1024 * 1024 - 90)), 502, "Cannot forward"),
        (
            text("Two.", part("token", "conversation_rooms", "x" * 20_000)),
            502,
            "Cannot forward",
        ),
    ],
)
def test_what_goes_wrong_behind_is_an_error_with_the_tokens_of_the_caller(
    client: Client, key: str, behind: Server, answer: object, status: int, words: str
) -> None:
    behind.answer = lambda _: answer
    for body in (text("Rooms?", ALICE), text("What are your policies?", ALICE, control=True)):
        response = post(client, body, key)
        assert words in error(body, response, status)
        assert ALICE in json.loads(response.content)["submessages"]
        assert ("Retry-After" in response.headers) is (status == 503)


@pytest.mark.parametrize(
    ("status", "answer", "expected"),
    [
        (200, {**part("error", "text", "No rooms.")}, 200),
        (400, {**part("error", "text", "No rooms.")}, 400),
        (429, {**part("error", "text", "Slowly.")}, 429),
        (500, {**part("error", "text", "It broke.")}, 500),
        (403, {**part("error", "text", "Not you.")}, 502),
        (500, text("Two."), 502),
        (302, text("Two."), 502),
        (307, "", 502),
    ],
)
def test_the_status_of_the_server_is_passed_on_where_it_is_the_callers(
    client: Client, key: str, behind: Server, status: int, answer: Any, expected: int
) -> None:
    behind.answer, behind.status = (lambda _: answer), status
    body = text("Rooms?", ALICE)

    response = post(client, body, key)

    assert read(body, response)["format"] == "error"
    assert response.status_code == expected


@pytest.mark.requirement("NLIP-24")
@pytest.mark.requirement("NLIP-26")
def test_a_server_that_breaks_the_protocol_does_not_make_us_break_it(
    client: Client, key: str, behind: Server
) -> None:
    control = text("What are your policies?", ALICE, control=True)
    assert read(control, post(client, control, key))["messagetype"] == "control"

    upload = text("Where may I send a large file?", ALICE, control=True)
    assert "violates NLIP-26" in error(upload, post(client, upload, key), 502)


def test_a_broken_message_goes_no_further(client: Client, key: str, behind: Server) -> None:
    for body in (
        '{"format":"text"}',
        "{",
        "",
        json.dumps(text("", ALICE) | {"format": "markdown"}),
    ):
        assert "not a valid NLIP message" in error(body, post(client, body, key), 400)
    assert behind.requests == []


def test_dialects_are_those_of_each_side(client: Client, key: str, behind: Server) -> None:
    trace = part("token", "trace", "t-1")
    body = text("Rooms?", trace)
    response = post(client, body, key, "/nlip/via/rooms?dialect=nlip/ecma-430")
    assert trace in read(body, response, "nlip/ecma-430")["submessages"]

    behind.answer = lambda _: part("error", "text", "No rooms.")
    refused = read(
        body, post(client, body, key, "/nlip/via/rooms?dialect=nlip/ecma-430"), "nlip/ecma-430"
    )
    assert refused["content"].startswith("Error: ")


def test_only_servers_that_were_named_are_called(
    client: Client, key: str, behind: Server, settings: Settings
) -> None:
    for name in ("other", "https:%2F%2Frooms.example.org%2Fnlip", "169.254.169.254", "Rooms"):
        assert post(client, text("Rooms?"), key, f"/nlip/via/{name}").status_code == 404
    settings.NLIP_SERVERS = ()
    assert "Unknown server." in error(text("Rooms?"), post(client, text("Rooms?"), key), 404)
    assert behind.requests == []


def test_a_key_has_a_pace(
    client: Client, key: str, behind: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "_throttle", Throttle(burst=1, pace=0.01))
    body = text("Rooms?", ALICE)

    assert post(client, body, key).status_code == 200
    refused = post(client, body, key)

    assert "Wait" in error(body, refused, 429)
    assert int(refused.headers["Retry-After"]) > 0
    assert len(behind.requests) == 1


def test_what_is_passed_on_is_kept_without_keys_and_is_in_no_log_line(
    client: Client, key: str, behind: Server, caplog: pytest.LogCaptureFixture
) -> None:
    body = text("REQ/TSK|g=42,t=1", ALICE, part("token", "authentication", key))
    answer = post(client, body)
    behind.answer = lambda _: NoReply("It broke.")
    post(client, body)

    wires = [bytes(packet.wire).decode() for packet in Packet.objects.order_by("log", "leaf")]
    assert wires[1] == answer.content.decode()
    assert len(wires) == 4
    assert key not in "".join(wires)
    assert not any(word in caplog.text for word in (key, "REQ/TSK", "a-1", "It broke"))


def test_a_secret_in_the_answer_of_a_server_is_passed_on_and_not_stored(
    client: Client, key: str, behind: Server
) -> None:
    login = {"login": part("token", "authentication", "hunter2")}
    behind.answer = lambda request: text(
        "Two.", *request["submessages"], part("structured", "json", login)
    )

    answer = post(client, text("How many?"), key)

    assert b"hunter2" in answer.content
    _, stored = Packet.objects.order_by("log", "leaf")
    assert b"removed" in bytes(stored.wire)
    assert b"hunter2" not in bytes(stored.wire)
    assert json.loads(stored.supplied)["tags"] == ["authentication-removed"]


def test_a_thousand_conversations_are_remembered_and_no_more() -> None:
    talks = relay.RelayedConversations()
    for number in range(1_001):
        talks.keep(relay.RelayedConversation(f"ours-{number}", ROOMS.url, f"theirs-{number}"))

    assert talks.find("ours-0", ROOMS) is None
    assert talks.find("ours-1", ROOMS) is not None
