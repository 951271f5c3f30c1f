"""Keys of callers: asked for, used, never kept and never repeated."""

import json

import msgspec
import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from auditlog.log import logs, packet
from auditlog.models import Packet
from tests.playground.nlip.server_agent.messages import body, ours, post, read, said, token

pytestmark = pytest.mark.django_db

PROVE = "Please authenticate yourself."


@pytest.mark.requirement("NLIP-27")
@pytest.mark.requirement("NLIP-28")
@pytest.mark.requirement("NLIP-31")
def test_a_token_that_is_no_key_of_ours_is_asked_for_again_until_there_is_one(
    client: Client, key: str
) -> None:
    asked = read(post(client, body("Hello", token("authentication", "nonsense"))))
    assert asked.values["is_control"]
    assert asked.values["content"].startswith("Unknown authentication token. Please authenticate")

    without = read(post(client, body("Hello", ours(asked))))
    assert without.values["content"].startswith("Authentication is required.")

    with_key = said(client, body("Hello", ours(without), token("authentication", key)))
    assert not with_key.values["is_control"]


@pytest.mark.requirement("NLIP-28")
def test_we_show_who_we_are_when_asked_and_from_then_on(client: Client) -> None:
    first = said(client, body(PROVE, control=True))
    second = said(client, body("Thanks", ours(first)))

    shown = [
        part
        for one in (first, second)
        for part in one.values["submessages"]
        if "authentication" in part["subformat"]
    ]
    assert len(shown) == 2
    assert shown[0] == shown[1]


@pytest.mark.requirement("NLIP-31")
@pytest.mark.parametrize("subformat", ["authentication", "authorization", "Authentication_bob"])
def test_an_exchange_is_kept_for_whom_it_is_authenticated_and_without_the_key(
    client: Client, key: str, subformat: str
) -> None:
    wire = body("REQ/TSK|g=42,t=1", token("conversation", "c-17"), token(subformat, key))

    answer = said(client, wire)

    assert "This exchange is stored in the log default." in answer.values["content"]
    request, response = Packet.objects.order_by("log", "leaf")
    assert (request.source.name, request.protocol) == ("bob", "nlip")
    assert bytes(request.wire).decode() == wire.replace(key, "removed")
    assert bytes(response.wire).decode() == answer.wire
    supplied = [json.loads(one.supplied) for one in (request, response)]
    assert supplied[0]["tags"] == ["authentication-removed"]
    assert (supplied[0]["to"], supplied[1]["from"], supplied[1]["to"]) == (
        "cablese",
        "cablese",
        "bob",
    )
    assert supplied[0]["thread"] == supplied[1]["thread"]
    kept = msgspec.json.encode(
        [packet.as_json(one, fields=True) for one in (request, response)]
    ).decode()
    assert key not in kept
    assert key not in answer.wire


def test_a_key_in_the_wrong_place_is_neither_kept_nor_repeated(client: Client, key: str) -> None:
    answer = post(
        client,
        body(f"Ask|me|{key}: REQ/TSK|g=1,t=1,@={key}"),
        headers={"Authorization": f"Bearer {key}"},
    )

    assert answer.status_code == 200
    assert key not in answer.content.decode()
    assert all(key not in bytes(packet.wire).decode() for packet in Packet.objects.all())
    assert Packet.objects.count() == 2


@pytest.mark.parametrize(
    "proof",
    [
        '"submessages":[{"format":"token","subformat":"authentication","content":"hunter2"}]',
        (
            '"Submessages":[{"Format":"token","Subformat":"Authorization_x",'
            '"Content":"hunt\\"hunter2\\\\"}]'
        ),
        (
            '"submessages":[{"content":"hunter2","format":"token","content":"hunter2",'
            '"subformat":"authentication"}]'
        ),
        (
            '"submessages":[{"format":"token","subformat":"authentication",'
            '"content":{"a":["hunter2",{"b":"hunter2"}]}}]'
        ),
        '"submessages":{"format":"token","subformat":"authentication","content":"hunter2"}',
        (
            '"submessages":[{"submessages":[{"format":"token","subformat":"authentication",'
            '"content":"hunter2"}]}]'
        ),
        (
            '"submessages":[{"format":"token","subformat":" authentication",'
            '"content":{"hunter2":null}}]'
        ),
        '"submessages":[{"format":"tokn","subformat":"authentication","content":"hunter2"}]',
    ],
)
def test_any_authentication_token_is_taken_out_before_anything_is_kept(
    client: Client, settings: Settings, proof: str
) -> None:
    settings.NLIP_LOG = "default"

    answer = post(client, f'{{"format":"text","subformat":"english","content":"Hello",{proof}}}')

    require_removed(answer)


@pytest.mark.parametrize(
    "wire",
    [
        '[{"format":"token","subformat":"authentication","content":"hunter2"}]',
        '{"messages":[{"format":"token","subformat":"authentication","content":"hunter2"}]}',
    ],
)
def test_a_token_in_what_is_no_message_is_taken_out(
    client: Client, settings: Settings, wire: str
) -> None:
    settings.NLIP_LOG = "default"

    require_removed(post(client, wire))


def require_removed(answer: HttpResponse) -> None:
    assert b"hunter2" not in answer.content
    request, _ = Packet.objects.order_by("log", "leaf")
    assert b"hunter2" not in msgspec.json.encode(packet.as_json(request, fields=True))
    assert b"removed" in bytes(request.wire)


def test_a_broken_message_is_kept_too(client: Client, key: str) -> None:
    response = post(client, '{"format":"text"}', headers={"Authorization": f"Bearer {key}"})

    assert response.status_code == 400
    assert [packet.valid for packet in Packet.objects.order_by("log", "leaf")] == [False, True]


def test_a_key_in_the_header_that_is_none_is_refused_in_the_way_of_http(client: Client) -> None:
    response = post(client, body("Hello"), headers={"Authorization": "Bearer cbl_live_nonsense"})

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert read(response).values["is_control"]


def test_a_key_that_may_not_write_proves_who_but_keeps_nothing(client: Client) -> None:
    _, reader = access.create_key(source="reader", scopes=("read",))

    answer = said(
        client, body("What are your policies?", token("authentication", reader), control=True)
    )

    assert (
        "You are authenticated as reader. This exchange is not stored." in answer.values["content"]
    )
    assert Packet.objects.count() == 0


def test_exchanges_without_a_key_are_kept_in_a_log_named_for_them(
    client: Client, settings: Settings
) -> None:
    logs.create(slug="strangers")
    settings.NLIP_LOG = "strangers"

    answer = said(client, body("Hello"))

    assert "This exchange is stored in the log strangers." in answer.values["content"]
    assert {(packet.log.slug, packet.source.name) for packet in Packet.objects.all()} == {
        ("strangers", "nobody:nlip")
    }
