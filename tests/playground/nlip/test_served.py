"""Exchanges with running servers: by an ordinary client, by nlip-sdk, and by our middle agent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nlip_sdk import nlip as sdk

from cablese.message import Message
from cablese.protocols.nlip.exchange.checker import check, examine
from cablese.protocols.nlip.parts import tokens
from playground.http.throttle import BURST
from tests.installation import Installation, free_port, running
from tests.playground.nlip.client import HELLO, NLIP, kept, key_of, post


@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-34")
def test_an_ordinary_client_is_answered(server: Installation) -> None:
    status, answer = post(f"{server.base_url}/nlip", HELLO)

    assert status == 200
    message = NLIP.decode(answer.decode())
    assert message.diagnostics == ()
    assert "1 message found." in message.values["content"]
    assert check(NLIP.decode(HELLO), message) == ()


@pytest.mark.requirement("NLIP-26")
@pytest.mark.requirement("NLIP-32")
def test_an_upload_goes_to_the_address_that_came(server: Installation) -> None:
    _, answer = post(
        f"{server.base_url}/nlip",
        '{"messagetype":"control","format":"text","subformat":"english","content":"Where may I'
        ' upload a large file?"}',
    )
    address = next(
        part for part in json.loads(answer)["submessages"] if part["subformat"] == "uri"
    )["content"]

    status, told = post(address, b"REQ/TSK|g=42,t=1\n" * 100_000)

    assert status == 200
    assert "100,000 messages found." in json.loads(told)["content"]
    assert post(address, b"x" * (4 * 1024 * 1024 + 1))[0] == 413
    assert post(f"{address}x", b"x")[0] == 404


class Talk:
    """A client that speaks by nlip-sdk, and keeps the transcript."""

    def __init__(self, server: Installation) -> None:
        self.address = f"{server.base_url}/nlip"
        self.transcript: list[Message] = []

    def send(self, message: sdk.NLIP_Message) -> sdk.NLIP_Message:
        status, answer = post(self.address, message.to_json())
        assert status == 200, answer
        self.transcript += [NLIP.decode(message.to_json()), NLIP.decode(answer.decode())]
        read: sdk.NLIP_Message = sdk.NLIP_Message.model_validate_json(answer)
        return read

    def with_ours(self, message: sdk.NLIP_Message, last: sdk.NLIP_Message) -> sdk.NLIP_Message:
        """The message with the token that the server made for this conversation."""
        for part in last.submessages:
            if part.subformat == "conversation_cablese":
                message.add_submessage(part)
        return message


@pytest.mark.requirement("NLIP-21")
def test_nlip_sdk_talks_to_the_address_of_ecma_430(server: Installation) -> None:
    first = sdk.NLIP_Factory.create_text("Hello\nREQ/TSK|g=42,t=1")
    first.add_conversation_token("c-17")

    status, answer = post(f"{server.base_url}/nlip?dialect=nlip/ecma-430", first.to_json())

    assert status == 200
    read = sdk.NLIP_Message.model_validate_json(answer)
    assert "conversation_cablese" in [part.subformat for part in read.submessages or ()]
    exchanged = (
        NLIP.decode(wire, dialect="nlip/ecma-430") for wire in (first.to_json(), answer.decode())
    )
    assert check(*exchanged) == ()


@pytest.mark.requirement("NLIP-12")
@pytest.mark.requirement("NLIP-21")
def test_nlip_sdk_talks_and_reads_its_token_back(server: Installation) -> None:
    talk = Talk(server)
    first = sdk.NLIP_Factory.create_text("Hello\nREQ/TSK|g=42,t=1,@=auth_refactor", label="opening")
    first.add_conversation_token("c-17")

    answer = talk.send(first)
    second = talk.with_ours(sdk.NLIP_Factory.create_text("And ACC/PLN|g=42,t=1"), answer)
    second.add_conversation_token("c-17", force_change=False)
    again = talk.send(second)

    assert answer.extract_conversation_token() == again.extract_conversation_token() == "c-17"
    assert (
        "1 message found. nSLIP, valid, 16 tokens: Requests task 1 of goal 42"
        in answer.extract_text()
    )
    assert answer.extract_field_list("structured", "json")[0]["messages"][0]["valid"] is True
    assert examine(talk.transcript).findings == ()
    assert [diagnostic.code for diagnostic in talk.transcript[0].diagnostics] == [
        "nlip.label-on-message"
    ]


@pytest.mark.requirement("NLIP-27")
@pytest.mark.requirement("NLIP-28")
@pytest.mark.requirement("NLIP-31")
def test_nlip_sdk_authenticates_by_its_own_name_for_it(server: Installation) -> None:
    name, key = key_of(server)
    talk = Talk(server)
    wrong = sdk.NLIP_Factory.create_text("REQ/TSK|g=42,t=1")
    wrong.add_authentication_token("nonsense")

    asked = talk.send(wrong)
    assert asked.is_control_msg()
    right = sdk.NLIP_Factory.create_text("REQ/TSK|g=42,t=1")
    right.add_authentication_token(key)
    talk.with_ours(right, asked)
    answer = talk.send(right)

    assert not answer.is_control_msg()
    assert examine(talk.transcript).findings == ()
    packets = kept(server, name, key)
    assert [packet["protocol"] for packet in packets] == ["nlip", "nlip"]
    assert key not in json.dumps(packets)
    assert key not in answer.to_json()


@pytest.mark.requirement("NLIP-24")
def test_nlip_sdk_asks_by_control_and_is_answered_so(server: Installation) -> None:
    answer = Talk(server).send(sdk.NLIP_Factory.create_control("What are your policies?"))

    assert answer.is_control_msg()
    assert "1,048,576 bytes" in answer.extract_text()


def test_every_kind_of_content_that_nlip_sdk_writes_is_answered(server: Installation) -> None:
    talk = Talk(server)
    message = sdk.NLIP_Factory.create_text("INF/OBS|g=42,t=1")
    message.add_json({"g": "FIND_HOTEL", "plan": [["FIND", "hotels", {}]]})
    message.add_structured_text("print(1)", "python")
    message.add_image("/9g=", "jpeg")
    message.add_location_text("Paris")
    message.add_location_gps("52.5, 13.4")
    message.add_error_code("E17")
    message.add_generic("e4", "chess")

    answer = talk.send(message)

    assert "2 messages found." in answer.extract_text()
    assert answer.extract_field("error", "text") is None
    assert answer.extract_field_list("error", "text") == [
        'Unsupported code "python". Expected json, xml, html, or uri.'
    ]
    assert examine(talk.transcript).findings == ()


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, Installation]]:
    """A middle agent and the server behind it, each a process of its own. The server stores what it
    is told, and may call the middle agent in turn.
    """
    folder = tmp_path_factory.mktemp("agents")
    port = free_port()
    middle_url = f"http://127.0.0.1:{port}/nlip/via/round"
    with running(
        folder / "server", CABLESE_NLIP_LOG="default", CABLESE_NLIP_SERVERS=f"back={middle_url}"
    ) as server:
        servers = f"rooms={server.base_url}/nlip,round={server.base_url}/nlip/via/back"
        with running(folder / "middle", port=port, CABLESE_NLIP_SERVERS=servers) as middle:
            yield middle, server


@pytest.mark.requirement("NLIP-33")
@pytest.mark.requirement("NLIP-21")
def test_our_middle_agent_is_a_server_to_one_side_and_a_client_to_the_other(
    agents: tuple[Installation, Installation],
) -> None:
    middle, server = agents
    name, key = key_of(middle)
    _, reading_key = key_of(server)
    talk = Talk(middle)
    talk.address = f"{middle.base_url}/nlip/via/rooms"
    ours: list[Any] = []
    for words in ("REQ/TSK|g=42,t=1", "ACC/PLN|g=42,t=1"):
        message = sdk.NLIP_Factory.create_text(words)
        message.add_conversation_token("alice-17")
        message.add_authentication_token(key)
        for part in ours:
            message.add_submessage(part)
        answer = talk.send(message)
        assert "1 message found. nSLIP, valid" in answer.extract_text()
        assert answer.extract_conversation_token() == "alice-17"
        parts = answer.submessages
        ours = [part for part in parts if part.subformat.startswith("conversation_cablese-")]

    assert examine(talk.transcript).findings == ()
    assert kept(middle, name, key) != []
    behind = list(reversed(kept(server, "nobody:nlip", reading_key)))
    transcript = [NLIP.decode(packet["wire"]) for packet in behind]
    assert len(transcript) == 4
    assert examine(transcript).findings == ()
    assert not any(
        secret in packet["wire"]
        for packet in behind
        for secret in ("alice-17", key, ours[0].content)
    )
    client_tokens, server_tokens = (
        {token.text for token in tokens(message.values, ("conversation",))}
        for message in transcript[:2]
    )
    assert client_tokens < server_tokens
    third = {token.text for token in tokens(transcript[2].values, ("conversation",))}
    assert third == server_tokens


@pytest.mark.requirement("NLIP-33")
def test_our_client_agent_talks_to_a_server_and_to_a_middle_agent(
    agents: tuple[Installation, Installation],
) -> None:
    middle, _ = agents
    _, key = key_of(middle)

    def sent(**body: Any) -> dict[str, Any]:
        status, answer = post(f"{middle.base_url}/api/v1/nlip/send", json.dumps(body), key=key)
        assert status == 200, answer
        return dict(json.loads(answer))

    first = sent(server="rooms", message="REQ/TSK|g=42,t=1")
    second = sent(server="rooms", message="ACC/PLN|g=42,t=1", tokens=first["tokens"])

    assert "1 message found. nSLIP, valid" in json.loads(first["response"])["content"]
    assert [turn["findings"] for turn in (first, second)] == [[], []]
    assert second["tokens"] == first["tokens"]
    turns = [
        NLIP.decode(turn[side]) for turn in (first, second) for side in ("request", "response")
    ]
    assert examine(turns).findings == ()
    asked = sent(server="round", message="Hello")
    assert asked["status"] == 401
    assert json.loads(asked["response"])["messagetype"] == "control"


def test_a_message_that_goes_round_in_a_circle_comes_to_an_end(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with running(tmp_path, port=port, CABLESE_NLIP_SERVERS=f"me={url}/nlip/via/me") as alone:
        _, key = key_of(alone)
        status, answer = post(f"{url}/nlip/via/me", HELLO, key=key)

    assert status == 502
    assert "asked this agent to identify itself" in json.loads(answer)["content"]


def test_who_shows_no_key_is_answered_at_a_pace(tmp_path: Path) -> None:
    with running(tmp_path) as alone:
        statuses = [post(f"{alone.base_url}/nlip", HELLO)[0] for _ in range(2 * BURST)]
        _, key = key_of(alone)
        message = json.loads(HELLO) | {
            "submessages": [{"format": "token", "subformat": "authentication", "content": key}]
        }
        with_key, _ = post(f"{alone.base_url}/nlip", json.dumps(message))

    assert statuses[:BURST] == [200] * BURST
    assert 429 in statuses
    assert with_key == 200
