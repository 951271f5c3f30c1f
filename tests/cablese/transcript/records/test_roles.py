"""Who speaks in a record, and to whom."""

import json

import pytest

from tests.cablese.transcript.records.wires import (
    AACP,
    CALL,
    MCP_TEXT,
    NSLIP,
    RESULT,
    TASK,
    called,
    cuts,
)

pytestmark = pytest.mark.requirement("AACP-46")


def serialized(place: object, **more: str) -> dict[str, object]:
    """A message as LangChain's ``dumpd`` writes it."""
    return {"lc": 1, "type": "constructor", "id": place, "kwargs": {"content": NSLIP} | more}


@pytest.mark.parametrize(
    ("wrapper", "sides"),
    [
        (CALL, ("client", "server")),
        (RESULT, ("server", "client")),
        (TASK, ("agent", "user")),
        ({"role": "ROLE_AGENT", "parts": [{"text": NSLIP}]}, ("agent", "user")),
        ({"role": "model", "parts": [{"text": NSLIP}]}, ("model", "user")),
        ({"role": "user", "content": NSLIP}, ("user", "assistant")),
        ({"role": "assistant", "content": NSLIP}, ("assistant", "user")),
        ({"role": "user", "name": "planner", "content": NSLIP}, ("planner", None)),
        ({"role": "user", "name": "x" * 201, "content": NSLIP}, ("user", "assistant")),
        ({"role": "user", "name": "a\u202eb", "content": NSLIP}, ("user", "assistant")),
        ({"role": "narrator", "content": NSLIP}, ("narrator", None)),
        ({"role": 3, "content": NSLIP}, (None, None)),
        ({"messages": [called({"m": NSLIP})]}, ("assistant", "tell")),
        ({"role": "assistant", "content": [{"type": "tool_use", "name": "tell",
        "input": {"m": NSLIP}}]},
         ("assistant", "tell")),
        ({"type": "function_call", "call_id": "c", "name": "tell",
        "arguments": json.dumps({"m": NSLIP})},
         ("assistant", "tell")),
        # AutoGen and LangChain
        ({"source": "planner", "models_usage": None, "content": NSLIP}, ("planner", None)),
        ({"source": 7, "models_usage": None, "content": NSLIP}, (None, None)),
        ({"source": "bus.py", "content": NSLIP}, (None, None)),
        ({"type": "ai", "data": {"content": NSLIP, "name": "planner"}}, ("planner", None)),
        ({"type": "human", "data": {"content": NSLIP}}, ("human", "ai")),
        (serialized(["langchain", "AIMessage"]), ("ai", "human")),
        (serialized(["langchain", "HumanMessageChunk"]), ("human", "ai")),
        (serialized(["langchain", "AIMessage"], name="planner"), ("planner", None)),
        (serialized(["langchain", "PromptTemplate"]), (None, None)),
        (serialized([]), (None, None)),
        (serialized([None]), (None, None)),
        (serialized(7), (None, None)),
        (MCP_TEXT, ("agent", "user")),
        ({"msg": NSLIP}, (None, None)),
        ({"msg": json.dumps({"role": "user", "content": NSLIP})}, ("user", "assistant")),
    ],
)  # fmt: skip
def test_a_record_that_says_who_speaks_is_asked(
    wrapper: object, sides: tuple[str | None, str | None]
) -> None:
    (cut,) = cuts(json.dumps(wrapper))

    assert cut.carrier is not None
    assert cut.carrier.sides == sides


def test_each_message_of_a_request_has_the_role_of_its_own() -> None:
    first, second = cuts(
        json.dumps({"messages": [{"role": "user", "content": NSLIP}, called({"m": AACP})]})
    )

    assert first.carrier is not None
    assert second.carrier is not None
    assert (first.carrier.sides, second.carrier.sides) == (
        ("user", "assistant"),
        ("assistant", "tell"),
    )


def test_a_turn_of_gemini_is_none_of_a2a() -> None:
    for role, name in (("model", "Gemini"), ("user", "A2A message"), ("agent", "A2A message")):
        (cut,) = cuts(json.dumps({"role": role, "parts": [{"text": NSLIP}]}))
        assert cut.carrier is not None
        assert cut.carrier.names == name


@pytest.mark.parametrize(
    ("members", "parties"),
    [
        ({"agent": "planner", "direction": "inbound"}, (None, "planner")),
        ({"agent": "planner", "dir": "IN", "from": "coder"}, ("coder", "planner")),
        ({"agent": "planner", "direction": "rx", "to": "bus"}, (None, "bus")),
        ({"agent": "planner", "direction": "in", "sender_id": "planner"}, (None, "planner")),
        ({"agent": "planner", "direction": "in", "logger": "app.bus"}, (None, "planner")),
        ({"logger": "app.planner", "direction": "inbound"}, (None, None)),
        ({"level": "INFO", "name": "planner", "direction": "recv"}, (None, None)),
        # A webhook calls an event so, and its agent is the author.
        ({"agent": "planner", "type": "message_received"}, ("planner", None)),
        ({"agent": "planner", "event": "message_received"}, (None, None)),
        ({"agent": "planner", "event": "message.received", "from": "bus"}, ("bus", None)),
        ({"agent": "planner", "event": "received message", "level": "info"}, (None, "planner")),
        ({"agent": "planner", "event": "messageReceived", "lvl": 20}, (None, "planner")),
        ({"agent": "planner", "msg": "Received a new message."}, (None, "planner")),
        ({"agent": "planner", "msg": "incoming reply from coder"}, ("coder", "planner")),
        ({"agent": "planner", "msg": "received from coder", "from": "bus"}, ("bus", "planner")),
        ({"agent": "planner", "msg": "received from planner"}, (None, "planner")),
        ({"agent": "planner", "msg": "ACK received, retrying"}, ("planner", None)),
        ({"agent": "planner", "msg": "not received"}, ("planner", None)),
        ({"agent": "planner", "msg": "received " + "message" * 20}, ("planner", None)),
        ({"agent": "planner", "direction": "outbound"}, ("planner", None)),
        ({"agent": "planner", "event": "received_by_hand"}, ("planner", None)),
        ({"agent": "planner", "direction": 1}, ("planner", None)),
        ({"from": "planner", "direction": "in"}, ("planner", None)),
    ],
)
def test_who_wrote_the_record_of_an_incoming_message_received_it(
    members: dict[str, object], parties: tuple[str | None, str | None]
) -> None:
    line = json.dumps(members | {"wire": "ACC/PLN|g=1,t=1"})
    (cut,) = cuts(line)

    assert (cut.facts.sender, cut.facts.recipient) == parties


@pytest.mark.parametrize(
    ("record", "parties"),
    [
        ({"agent": "planner", "direction": "in", "data": {"wire": NSLIP}}, (None, "planner")),
        ({"agent": "planner", "events": [{"direction": "in", "wire": NSLIP}]}, (None, None)),
        ({"agent": "bus", "data": {"agent": "planner", "dir": "in", "wire": NSLIP}},
         (None, "planner")),
        # The request came in, and whoever wrote its body sent it.
        ({"direction": "inbound", "body": {"agent": "planner", "wire": NSLIP}}, ("planner", None)),
        ({"agent": "bus", "msg": "received", "body": {"agent": "planner", "wire": NSLIP}},
         ("planner", "bus")),
        ({"agent": "bus", "msg": {"received": NSLIP}}, ("bus", None)),
    ],
)  # fmt: skip
def test_what_a_record_states_is_true_of_its_own_writer(
    record: object, parties: tuple[str | None, str | None]
) -> None:
    (cut,) = cuts(json.dumps(record))

    assert (cut.facts.sender, cut.facts.recipient) == parties


@pytest.mark.parametrize(
    ("record", "request_parties", "reply_parties"),
    [
        ({"from": "planner", "to": "hr", "request": NSLIP, "response": AACP},
         ("planner", "hr"), ("hr", "planner")),
        ({"from": "planner", "to": "hr", "input": {"text": NSLIP}, "output": [{"text": AACP}]},
         ("planner", "hr"), ("hr", "planner")),
        ({"from": "planner", "message": NSLIP, "reply": AACP},
         ("planner", None), (None, "planner")),
        ({"agent": "hr", "input": NSLIP, "output": AACP}, (None, "hr"), ("hr", None)),
        ({"agent": "hr", "input": {"text": NSLIP}, "output": {"text": AACP}},
         (None, "hr"), ("hr", None)),
        # Whether the agent sent the request or answered it is not known.
        ({"agent": "hr", "request": NSLIP, "response": AACP}, ("hr", None), (None, None)),
        ({"from": "planner", "to": "hr", "input": NSLIP, "output": {"from": "hr", "text": AACP}},
         ("planner", "hr"), ("hr", None)),
        ({"from": "planner", "to": "hr", "first": NSLIP, "second": AACP},
         ("planner", "hr"), ("planner", "hr")),
    ],
)  # fmt: skip
def test_a_reply_in_the_record_of_its_request_goes_back(
    record: object,
    request_parties: tuple[str | None, str | None],
    reply_parties: tuple[str | None, str | None],
) -> None:
    asked, replied = cuts(json.dumps(record))

    assert (asked.facts.sender, asked.facts.recipient) == request_parties
    assert (replied.facts.sender, replied.facts.recipient) == reply_parties


def test_a_reply_without_its_request_has_the_parties_of_its_record() -> None:
    for record in (
        {"from": "planner", "to": "hr", "response": NSLIP},
        {"from": "planner", "to": "hr", "request": "", "response": NSLIP},
    ):
        (cut,) = cuts(json.dumps(record))
        assert (cut.facts.sender, cut.facts.recipient) == ("planner", "hr")


@pytest.mark.parametrize(
    ("members", "parties"),
    [
        ({"agent": "Mozilla/5.0 (X11; Linux x86_64)"}, (None, None)),
        ({"agent": "curl/8.5.0", "from": "planner"}, ("planner", None)),
        ({"agent": "planner/2"}, ("planner/2", None)),
        ({"agent": "planner/2.0", "to": "coder"}, ("planner/2.0", "coder")),
        ({"from": "/agents/planner", "to": "/agents/coder"}, ("/agents/planner", "/agents/coder")),
        ({"from": "planner", "to": "2026-01-01-batch"}, ("planner", "2026-01-01-batch")),
        ({"agent": "planner", "direction": "outbound", "msg": "received"}, ("planner", None)),
        ({"username": "postgres"}, (None, None)),
        ({"username": "postgres", "agent": "planner"}, ("planner", None)),
        ({"from": "planner/2.1", "to": "hr"}, ("planner/2.1", "hr")),
        ({"from": "planner", "to": "null"}, ("planner", None)),
        ({"from": "None", "to": "N/A", "sender": "planner"}, ("planner", None)),
        ({"from": "-", "to": "~"}, (None, None)),
        ({"from": "[object Object]", "to": "unknown"}, (None, None)),
        ({"from": "now-1h", "to": "now"}, (None, None)),
        ({"from": "2026-11-01", "to": "2026-11-30T10:00:00Z"}, (None, None)),
        ({"from": "nowhere", "to": "nullable"}, ("nowhere", "nullable")),
        ({"from": "42", "to": "7"}, ("42", "7")),
        ({"author": "ann", "replies": [{"username": "bob", "text": NSLIP}], "text": "x"},
         (None, None)),
    ],
)  # fmt: skip
def test_a_value_that_is_no_name_names_nobody(
    members: dict[str, object], parties: tuple[str | None, str | None]
) -> None:
    (cut,) = cuts(json.dumps({"wire": NSLIP} | members if "replies" not in members else members))

    assert (cut.facts.sender, cut.facts.recipient) == parties


def test_a_thread_can_be_called_like_a_date() -> None:
    for thread in ("2026-11-20", "now", "unknown"):
        (cut,) = cuts(json.dumps({"thread_id": thread, "from": thread, "wire": NSLIP}))
        assert (cut.facts.thread, cut.facts.sender) == (thread, None)


def test_the_sender_of_an_object_around_it_stays_an_attribute() -> None:
    (cut,) = cuts(json.dumps({"sender": "gateway", "data": {"from": "planner", "wire": NSLIP}}))

    assert cut.facts.sender == "planner"
    assert cut.facts.attributes == {"sender": "gateway"}
