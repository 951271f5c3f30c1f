"""Messages inside tool calls, tasks of agents, chats and records of logs."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.message import Span
from cablese.transcript import around_messages, split
from cablese.transcript.records.wrapper import locate, unwrap
from tests import fuzz
from tests.cablese.transcript.records.wires import (
    AACP,
    CALL,
    CHAT,
    ESCAPED,
    NSLIP,
    RESULT,
    SACP,
    SEND,
    TASK,
    cuts,
)

pytestmark = pytest.mark.requirement("AACP-46")

CARRIED: list[tuple[Any, str, str, list[tuple[str, str]]]] = [
    (CALL, "mcp", "MCP tools/call", [("/params/arguments/message", NSLIP)]),
    (RESULT, "mcp", "MCP result", [("/result/content/1/text", AACP)]),
    (SEND, "a2a", "A2A message", [
        ("/params/message/parts/0/text", AACP), ("/params/message/parts/1/data", json.dumps(SACP)),
    ]),
    (TASK, "a2a", "A2A result", [("/result/artifacts/0/parts/0/text", NSLIP)]),
    ({"message": {"parts": [{"text": NSLIP}]}}, "a2a", "A2A message", [("/message/parts/0/text",
    NSLIP)]),
    ({"role": "agent", "parts": [{"text": NSLIP}]}, "a2a", "A2A message", [("/parts/0/text",
    NSLIP)]),
    (CHAT, "chat", "chat", [("/messages/1/content", NSLIP)]),
    ({"role": "assistant", "content": AACP}, "chat", "chat", [("/content", AACP)]),
    ({"role": "user", "content": [{"type": "text", "text": AACP}]}, "chat", "chat",
    [("/content/0/text", AACP)]),
    ({"choices": [{"message": {"role": "assistant", "content": NSLIP}}]}, "chat", "chat",
     [("/choices/0/message/content", NSLIP)]),
    ({"id": "c1", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": [
        {"message": {"role": "assistant", "content": NSLIP}}]}, "chat", "OpenAI completion",
     [("/choices/0/message/content", NSLIP)]),
    ({"ts": 1, "msg": NSLIP}, "log", "log record", [("/msg", NSLIP)]),
    ({"level": "info", "message": NSLIP}, "log", "log record", [("/message", NSLIP)]),
    ({"role": "critic", "prompt": f"Current message:\n{NSLIP}\n", "target": AACP}, "log",
    "training example",
     [("/prompt", NSLIP), ("/target", AACP)]),
    ({"prompt": "Reply.", "completion": NSLIP}, "log", "training example", [("/completion",
    NSLIP)]),
    ({"text": f"planner: {NSLIP}"}, "log", "log record", [("/text", NSLIP)]),
    ({"body": NSLIP, "a/b": "x"}, "log", "log record", [("/body", NSLIP)]),
    ({"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": SACP}}, "mcp",
    "MCP tools/call",
     [("/params/arguments", json.dumps(SACP))]),
    ({"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": {"a/b": NSLIP}}}, "mcp",
    "MCP tools/call",
     [("/params/arguments/a~1b", NSLIP)]),
]  # fmt: skip


@pytest.mark.parametrize(("wrapper", "kind", "words", "inside"), CARRIED)
@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "pretty"])
def test_messages_are_found_in_their_wrapper(
    wrapper: object, kind: str, words: str, inside: list[tuple[str, str]], indent: int | None
) -> None:
    text = json.dumps(wrapper, indent=indent)

    messages = cuts(text)

    assert [
        (cut.carrier.path, json.loads(cut.wire) if cut.wire[0] == "{" else cut.wire)
        for cut in messages
        if cut.carrier
    ] == [(path, json.loads(wire) if wire[0] == "{" else wire) for path, wire in inside]
    for cut in messages:
        assert cut.carrier is not None
        assert (cut.carrier.kind, cut.carrier.words) == (kind, words)
        assert cut.carrier.span == (0, len(text))
        assert cut.wire == text[slice(*cut.span)]


def test_what_is_around_is_ignored_and_says_what_it_was() -> None:
    text = f"10:00 INFO {json.dumps(CALL)} took 3 ms"
    (cut,) = cuts(text)

    assert cut.carrier is not None
    assert text[slice(*cut.carrier.span)] == json.dumps(CALL)
    assert [(ignored.reason, ignored.text) for ignored in split(text).ignored] == [
        ("log prefix", "10:00 INFO"),
        ("MCP tools/call around a message", json.dumps(CALL).partition(NSLIP)[0]),
        ("MCP tools/call around a message", json.dumps(CALL).partition(NSLIP)[2]),
        ("text after a message", "took 3 ms"),
    ]


def test_lines_of_json_are_wrappers_of_their_own() -> None:
    records = [
        {"role": "user", "content": NSLIP},
        {"role": "assistant", "content": "Well."},
        {"msg": AACP},
    ]
    messages = cuts("\n".join(map(json.dumps, records)))

    assert [(cut.protocol, cut.carrier.kind) for cut in messages if cut.carrier] == [
        ("nslip", "chat"),
        ("aacp", "log"),
    ]


@pytest.mark.parametrize("write", [json.dumps, lambda value: json.dumps(value, ensure_ascii=False)])
@pytest.mark.parametrize(
    "wire", [ESCAPED, "REQ/TSK|g=1,@=größe", "REQ/TSK|g=1,@=go🚀", "REQ/TSK|g=1,@=a\\b/c"]
)
def test_an_escaped_message_is_what_it_stands_for_and_its_place_is_where_it_is_written(
    wire: str, write: Callable[[object], str]
) -> None:
    text = write({"msg": f'"so": {wire} '})
    (cut,) = cuts(text)

    assert cut.wire == wire
    assert json.loads(f'"{text[slice(*cut.span)]}"') == wire
    assert cut.verbatim == (text[slice(*cut.span)] == cut.wire)


def test_several_messages_of_one_string_have_places_of_their_own() -> None:
    text = json.dumps({"role": "user", "content": f"Both:\n{NSLIP}\n{AACP}"})

    messages = cuts(text)

    assert [text[slice(*cut.span)] for cut in messages] == [NSLIP, AACP]
    wrapper = Span(0, len(text))
    assert around_messages(text, messages, wrapper) == text.replace(NSLIP, "").replace(AACP, "")


def test_a_folded_packet_is_one_message() -> None:
    folded = (
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|\nperiod:2024-08|filter:status=active"
    )
    (cut,) = cuts(json.dumps({"text": folded}))

    assert (cut.protocol, cut.wire, cut.verbatim) == ("aacp", folded, False)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{}", '{"msg": 3}', '{"msg": "x"', '{"msg": "REQ/TSK|g=1",}',
        '{"msg": "\\ud800"}',
        '"REQ/TSK|g=1"',
        '["msg"]', '{"jsonrpc": "2.0", "params": []}', '{"note": "REQ"}',
        '{"parts": {"text": "x"}}',
    ],
)  # fmt: skip
def test_what_is_no_wrapper_is_none(text: str) -> None:
    carried = unwrap(text, is_text=lambda value: "|" in value)
    assert carried is None or not carried.inner


def test_a_message_is_found_under_any_key() -> None:
    (cut,) = cuts(json.dumps({"a": [{"note to self": [["", NSLIP]]}]}))

    assert cut.carrier is not None
    assert (cut.wire, cut.carrier.path, cut.carrier.words) == (
        NSLIP,
        "/a/0/note to self/0/1",
        "JSON record",
    )


def test_a_message_of_a_protocol_is_no_record_of_a_log() -> None:
    nlip = json.dumps({"format": "text", "subformat": "English", "content": NSLIP, "text": NSLIP})
    (cut,) = cuts(nlip)

    assert (cut.protocol, cut.wire, cut.carrier) == ("nlip", nlip, None)


def test_a_protocol_that_was_chosen_is_not_unwrapped() -> None:
    (cut,) = split(json.dumps(CALL), "sacp").messages

    assert (cut.wire, cut.carrier) == (json.dumps(CALL), None)


@given(value=st.text(alphabet=st.characters(exclude_categories=["Cs"])), ascii_only=st.booleans())
@fuzz.examples(60)
def test_every_character_of_a_string_is_located(*, value: str, ascii_only: bool) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
    places = locate(raw)

    assert len(places) == len(value) + 1
    assert (
        "".join(json.loads(f'"{raw[places[at] : places[at + 1]]}"') for at in range(len(value)))
        == value
    )


def test_what_stands_in_a_message_that_is_carried_is_no_message_of_its_own() -> None:
    inner = SACP | {"g": NSLIP}
    (cut,) = cuts(
        json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": inner}})
    )

    assert (cut.protocol, json.loads(cut.wire)) == ("sacp", inner)
