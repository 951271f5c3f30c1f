"""Wrappers inside wrappers."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.message import Span
from cablese.transcript import around_messages, split
from cablese.transcript.records import wrapper as carrier
from cablese.transcript.records.wrapper import MAX_DEPTH, Carried, unwrap
from tests import fuzz
from tests.cablese.hostile import ODD
from tests.cablese.transcript.records.wires import (
    A2A_PART,
    AACP,
    CALL,
    ESCAPED,
    MCP_TEXT,
    NSLIP,
    SACP,
    called,
    cuts,
)

pytestmark = pytest.mark.requirement("AACP-46")


def nested(wire: str, levels: int) -> str:
    for _ in range(levels):
        wire = json.dumps({"role": "user", "content": wire})
    return wire


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
    messages = cuts(text)

    assert [ignored.text for ignored in split(text).ignored] == list(map(str, text.split(NSLIP)))
    assert around_messages(text, messages, Span(0, len(text))) == text.replace(NSLIP, "")


def test_every_argument_of_a_tool_is_read_and_none_twice() -> None:
    text = json.dumps(called({"a": NSLIP, "message": AACP, "packet": SACP | {"g": NSLIP}, "n": 3}))

    messages = cuts(text)

    assert [cut.protocol for cut in messages] == ["nslip", "aacp", "sacp"]


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

    transcript = split(text)

    for cut in transcript.messages:
        assert cut.verbatim == (text[slice(*cut.span)] == cut.wire)
        for level in cut.carrier.levels if cut.carrier else ():
            assert level.span.start <= cut.span.start < cut.span.end <= level.span.end
    places = sorted(
        [
            *(cut.span for cut in transcript.messages),
            *(ignored.span for ignored in transcript.ignored),
        ]
    )
    assert all(one.end <= other.start for one, other in pairwise(places))
