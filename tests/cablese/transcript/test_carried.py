"""Messages inside tool calls, tasks of agents, chats and records of logs."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.message import Span
from cablese.transcript import Cut, around_messages, split
from cablese.transcript.records import wrapper as carrier
from cablese.transcript.records.wrapper import MAX_DEPTH, Carried, locate, unwrap
from tests import fuzz
from tests.cablese.hostile import ODD

pytestmark = pytest.mark.requirement("AACP-46")

NSLIP = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary"
SACP = {"g": "FIND_HOTEL", "plan": [["s", "H_API", {"c": "Paris"}]]}
ESCAPED = 'REJ/PLN|g=42,t=1,!=said_"no"'

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "tell", "arguments": {"message": NSLIP}},
}
RESULT = {
    "jsonrpc": "2.0",
    "id": 1,
    "result": {"content": [{"type": "text", "text": "Done."}, {"type": "text", "text": AACP}]},
}
SEND = {
    "jsonrpc": "2.0", "id": "a", "method": "message/send",
    "params": {"message": {"role": "user", "parts": [{"kind": "text", "text": AACP},
    {"kind": "data", "data": SACP}]}},
}  # fmt: skip
TASK = {
    "jsonrpc": "2.0",
    "id": "a",
    "result": {"kind": "task", "artifacts": [{"parts": [{"kind": "text", "text": NSLIP}]}]},
}
CHAT = {
    "messages": [{"role": "system", "content": "Speak nSLIP."}, {"role": "user", "content": NSLIP}]
}

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


def cuts(text: str) -> list[Cut]:
    return list(split(text).messages)


@pytest.mark.parametrize(("wrapper", "kind", "words", "inside"), CARRIED)
@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "pretty"])
def test_messages_are_found_in_their_wrapper(
    wrapper: object, kind: str, words: str, inside: list[tuple[str, str]], indent: int | None
) -> None:
    text = json.dumps(wrapper, indent=indent)

    found = cuts(text)

    assert [
        (cut.carrier.path, json.loads(cut.wire) if cut.wire[0] == "{" else cut.wire)
        for cut in found
        if cut.carrier
    ] == [(path, json.loads(wire) if wire[0] == "{" else wire) for path, wire in inside]
    for cut in found:
        assert cut.carrier is not None
        assert (cut.carrier.kind, cut.carrier.words) == (kind, words)
        assert cut.carrier.span == (0, len(text))
        assert cut.wire == text[slice(*cut.span)]


def test_what_is_around_is_ignored_and_says_what_it_was() -> None:
    text = f"10:00 INFO {json.dumps(CALL)} took 3 ms"
    (cut,) = cuts(text)

    assert cut.carrier is not None
    assert text[slice(*cut.carrier.span)] == json.dumps(CALL)
    assert [(one.reason, one.text) for one in split(text).ignored] == [
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
    found = cuts("\n".join(map(json.dumps, records)))

    assert [(cut.protocol, cut.carrier.kind) for cut in found if cut.carrier] == [
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

    found = cuts(text)

    assert [text[slice(*cut.span)] for cut in found] == [NSLIP, AACP]
    wrapper = Span(0, len(text))
    assert around_messages(text, found, wrapper) == text.replace(NSLIP, "").replace(AACP, "")


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
    found = unwrap(text, is_text=lambda value: "|" in value)
    assert found is None or not found.inner


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


def called(arguments: object, tool: str = "tell") -> dict[str, object]:
    """A message of a chat that calls a tool, whose arguments are JSON in a string."""
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": tool, "arguments": json.dumps(arguments)},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def nested(wire: str, levels: int) -> str:
    for _ in range(levels):
        wire = json.dumps({"role": "user", "content": wire})
    return wire


A2A_PART = json.dumps(
    {"kind": "message", "role": "agent", "parts": [{"kind": "text", "text": ESCAPED}]}
)
MCP_TEXT = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": A2A_PART}]}}
NESTED: list[tuple[Any, str, str, str]] = [
    ({"messages": [called({"to": "planner", "message": NSLIP})]}, "chat › tool call",
     "messages.0.tool_calls.0.function.arguments › message", NSLIP),
    ({"choices": [{"message": called({"packet": SACP})}]}, "chat › tool call",
     "choices.0.message.tool_calls.0.function.arguments › packet", json.dumps(SACP)),
    (called(SACP), "chat", "tool_calls.0.function.arguments", json.dumps(SACP)),
    (MCP_TEXT, "MCP result › A2A message", "result.content.0.text › parts.0.text", ESCAPED),
    ({"role": "tool", "content": json.dumps(MCP_TEXT)}, "chat › MCP result › A2A message",
     "content › result.content.0.text › parts.0.text", ESCAPED),
    ({"role": "tool", "content": json.dumps({"content": [{"type": "text", "text": NSLIP}],
    "isError": False})},
     "chat › MCP result", "content › content.0.text", NSLIP),
    ({"type": "function_call", "call_id": "c", "name": "tell",
    "arguments": json.dumps({"m": AACP})},
     "chat › tool call", "arguments › m", AACP),
    ({"type": "function_call_output", "call_id": "c", "output": NSLIP}, "chat", "output", NSLIP),
    ({"role": "assistant", "content": [{"type": "tool_use", "name": "tell",
    "input": {"m": NSLIP}}]}, "chat",
     "content.0.input.m", NSLIP),
    ({"level": "info", "msg": json.dumps(CALL)}, "log record › MCP tools/call",
    "msg › params.arguments.message",
     NSLIP),
]  # fmt: skip


@pytest.mark.parametrize(("wrapper", "names", "place", "wire"), NESTED)
@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "pretty"])
def test_a_wrapper_inside_a_wrapper_is_taken_off_too(
    wrapper: object, names: str, place: str, wire: str, indent: int | None
) -> None:
    text = json.dumps(wrapper, indent=indent)

    (cut,) = cuts(text)

    assert cut.carrier is not None
    assert (cut.carrier.names, cut.carrier.place, cut.wire) == (names, place, wire)
    written = text[slice(*cut.span)]
    for _ in cut.carrier.levels[1:] if wire[0] != "{" else cut.carrier.levels:
        written = written if written == wire else json.loads(f'"{written}"')
    assert (json.loads(f'"{written}"') if written != wire else written) == wire
    assert cut.verbatim == (text[slice(*cut.span)] == wire)


def test_each_level_has_its_place_in_the_text() -> None:
    text = f"10:00 INFO {json.dumps(MCP_TEXT)}"
    (cut,) = cuts(text)

    assert cut.carrier is not None
    outer, inner = cut.carrier.levels
    assert json.loads(text[slice(*outer.span)]) == MCP_TEXT
    assert json.loads(f'"{text[slice(*inner.span)]}"') == A2A_PART
    assert (outer.path, inner.path) == ("/result/content/0/text", "/parts/0/text")


def test_what_is_around_is_told_once_and_counted_whole() -> None:
    text = json.dumps(called({"message": NSLIP}))
    found = cuts(text)

    assert [one.text for one in split(text).ignored] == list(map(str, text.split(NSLIP)))
    assert around_messages(text, found, Span(0, len(text))) == text.replace(NSLIP, "")


def test_every_argument_of_a_tool_is_read_and_none_twice() -> None:
    text = json.dumps(called({"a": NSLIP, "message": AACP, "packet": SACP | {"g": NSLIP}, "n": 3}))

    found = cuts(text)

    assert [cut.protocol for cut in found] == ["nslip", "aacp", "sacp"]


@pytest.mark.parametrize("levels", range(1, MAX_DEPTH + 1))
def test_wrappers_are_taken_off_as_deep_as_is_said(levels: int) -> None:
    (cut,) = cuts(nested(NSLIP, levels))

    assert cut.carrier is not None
    assert (cut.wire, len(cut.carrier.levels)) == (NSLIP, levels)


def test_no_wrapper_is_taken_off_below_that() -> None:
    for cut in cuts(nested(NSLIP, 2 * MAX_DEPTH)):
        assert cut.carrier is None or len(cut.carrier.levels) <= MAX_DEPTH


def again_and_again(levels: int) -> str:
    """A wrapper in four others, each of which begins a line of its own, at every level."""
    value = '{"'
    for _ in range(levels):
        value = (
            json.dumps({"params": {"message": {"parts": [{"text": f"\\ {value}"}]}}}, indent=0)
            + "\n"
        )
    return value


@pytest.mark.parametrize(
    "text",
    [
        again_and_again(MAX_DEPTH + 1) * 50,
        '{"role":"user","content":"' * 3_000,
        nested("{\n" * 2_000, MAX_DEPTH + 1),
        json.dumps({"messages": [called({"message": '{"msg":"\\n{"'})] * 300}),
        nested('{"role":"user","content":"{"}\n' * 500, 3),
    ],
    ids=["again", "open", "braces", "many", "lines"],
)
def test_the_work_on_hostile_nesting_is_linear(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(inner: str, **asked: Any) -> Carried | None:
        read.append(len(inner))
        return unwrap(inner, **asked)

    monkeypatch.setattr(carrier, "unwrap", counted)

    split(text, most=100_000)

    assert sum(read) <= 4 * MAX_DEPTH * len(text)


@given(
    wire=st.sampled_from([NSLIP, AACP, ESCAPED, json.dumps(SACP), *ODD]),
    shapes=st.lists(
        st.sampled_from(["chat", "call", "mcp", "log"]), min_size=1, max_size=MAX_DEPTH // 2
    ),
    ascii_only=st.booleans(),
)
@fuzz.examples(40)
def test_spans_are_honest_at_every_level(*, wire: str, shapes: list[str], ascii_only: bool) -> None:
    text = wire
    for shape in shapes:
        made: dict[str, dict[str, Any]] = {
            "chat": {"role": "user", "content": text},
            "call": called({"message": text}),
            "mcp": {"jsonrpc": "2.0", "result": {"content": [{"type": "text", "text": text}]}},
            "log": {"msg": text},
        }
        text = json.dumps(made[shape], ensure_ascii=ascii_only)

    found = split(text)

    for cut in found.messages:
        assert cut.verbatim == (text[slice(*cut.span)] == cut.wire)
        for level in cut.carrier.levels if cut.carrier else ():
            assert level.span.start <= cut.span.start < cut.span.end <= level.span.end
    places = sorted([*(cut.span for cut in found.messages), *(one.span for one in found.ignored)])
    assert all(one.end <= other.start for one, other in pairwise(places))


@pytest.mark.parametrize(
    ("wrapper", "sides"),
    [
        (CALL, ("client", "server")),
        (RESULT, ("server", "client")),
        (TASK, ("agent", "user")),
        ({"role": "ROLE_AGENT", "parts": [{"text": NSLIP}]}, ("agent", "user")),
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
