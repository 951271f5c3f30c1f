"""Decoding over HTTP: the shapes that programs rely on."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cablese import registry
from tests.playground.workbench.api.requests import WIRE, decode, post

pytestmark = pytest.mark.django_db

MESSAGE_KEYS = [
    "protocol",
    "version",
    "span",
    "wire",
    "carrier",
    "facts",
    "valid",
    "values",
    "meaning",
    "fields",
    "diagnostics",
    "sensitive",
    "canonical",
    "english",
    "tokens",
]


def test_a_message_has_the_documented_shape(client: Client) -> None:
    (message,) = decode(client, WIRE)["messages"]

    assert list(message) == MESSAGE_KEYS
    assert message["protocol"] == "nslip"
    assert message["version"] == "nslip/1"
    assert message["span"] == [0, len(WIRE)]
    assert message["wire"] == WIRE
    assert message["valid"] is True
    assert message["values"]["slots"] == {"g": 42, "t": 1, "p": 2, "@": "auth_refactor"}
    assert message["meaning"]["act"] == "request"
    assert message["meaning"]["tags"] == ["auth_refactor"]
    assert message["fields"][2] == {
        "name": "g",
        "label": "goal ID",
        "value": "42",
        "name_span": [8, 9],
        "span": [10, 12],
    }
    assert message["fields"][0]["name_span"] is None
    assert message["diagnostics"] == []
    assert message["canonical"] == WIRE
    assert "".join(piece["text"] for piece in message["english"]).startswith(
        "Requests task 1 of goal 42"
    )
    assert all(set(piece) == {"text", "field"} for piece in message["english"])
    for name in ("o200k_base", "cl100k_base"):
        cost = message["tokens"][name]
        assert list(cost) == ["count", "exact", "json", "english", "wrapper"]
        assert cost["exact"] is True
        assert min(cost["count"], cost["json"], cost["english"]) > 0


def test_facts_of_a_log_line_are_returned_with_its_message(client: Client) -> None:
    text = f"2026-11-20 10:00:01 INFO bus planner -> executor {WIRE}\n{WIRE}\n"
    first, second = decode(client, text)["messages"]

    assert first["facts"] == {
        "sent_at": "2026-11-20T10:00:01+00:00",
        "sent_text": "2026-11-20 10:00:01",
        "sent_zone": "UTC",
        "from": "planner",
        "to": "executor",
        "thread": None,
        "attributes": {"level": "INFO", "logger": "bus"},
    }
    assert second["facts"] is None


def test_facts_of_a_record_keep_its_zone_and_its_ids(client: Client) -> None:
    record = {
        "ts": "2026-11-20T10:00:01+02:00",
        "conversation_id": "42/1",
        "trace_id": "4bf92f35",
        "msg": WIRE,
    }
    (message,) = decode(client, json.dumps(record))["messages"]

    facts = message["facts"]
    assert (facts["sent_at"], facts["sent_zone"]) == ("2026-11-20T10:00:01+02:00", None)
    assert facts["thread"] == "42/1"
    assert facts["attributes"] == {"trace_id": "4bf92f35"}


def test_an_ignored_fragment_names_the_protocol_that_it_resembles(client: Client) -> None:
    answer = decode(client, f"LOG|user=bob|action=login\n{WIRE}\nprose\n")

    assert [(fragment["text"], fragment["resembles"]) for fragment in answer["ignored"]] == [
        ("LOG|user=bob|action=login", "aacp"),
        ("prose", None),
    ]
    assert decode(client, "LOG|user=bob|action=login", protocol="aacp")["ignored"] == []


def test_a_diagnostic_has_the_documented_shape(client: Client) -> None:
    (message,) = decode(client, "RJE/PLN|g=42,t=1")["messages"]

    assert message["valid"] is False
    assert message["canonical"] is None
    found = message["diagnostics"][0]
    assert list(found) == ["code", "severity", "span", "message", "section", "fix"]
    assert found["code"] == "nslip.unknown-act"
    assert found["severity"] == "error"
    assert found["span"] == [0, 3]
    assert found["fix"] == {"span": [0, 3], "text": "REJ", "safe": True}


@pytest.mark.requirement("AACP-44")
def test_sensitive_data_is_told_with_its_place_and_a_way_out(client: Client) -> None:
    wire = "SEND|FIN|return:A|p:1|aacp:1.1|filter:password=hunter2"
    shown = decode(client, wire)["messages"][0]

    (found,) = shown["sensitive"]
    assert shown["valid"] is True
    assert (found["field"], wire[slice(*found["span"])]) == ("filter", "hunter2")
    assert "in data_ptr instead" in found["words"]


def test_a_diagnostic_without_a_fix_says_null(client: Client) -> None:
    (message,) = decode(client, "hello", protocol="nslip")["messages"]

    assert {diagnostic["fix"] for diagnostic in message["diagnostics"]} == {None}


def test_spans_are_code_points_whatever_stands_before(client: Client) -> None:
    text = "🙂🙂 héllo: REQ/TSK|g=42,t=01,@=🙂x\n👩‍👩‍👧 ACC/PLN|g=7,t=1\n"

    answer = decode(client, text)

    assert [text[slice(*message["span"])] for message in answer["messages"]] == [
        "REQ/TSK|g=42,t=01,@=🙂x",
        "ACC/PLN|g=7,t=1",
    ]
    for message in answer["messages"]:
        assert text[slice(*message["span"])] == message["wire"]
        for field in message["fields"]:
            assert message["wire"][slice(*field["span"])] == field["value"]
    assert [text[slice(*fragment["span"])] for fragment in answer["ignored"]] == [
        fragment["text"] for fragment in answer["ignored"]
    ]
    assert {fragment["reason"] for fragment in answer["ignored"]} == {"log prefix"}
    found = answer["messages"][0]["diagnostics"][0]
    assert answer["messages"][0]["wire"][slice(*found["span"])] == "01"


@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
@pytest.mark.parametrize("protocol", ["auto", "nslip", "nlip"])
def test_an_empty_text_has_no_messages(client: Client, text: str, protocol: str) -> None:
    assert decode(client, text, protocol=protocol) == {"messages": [], "ignored": []}


def test_with_a_protocol_named_nothing_is_ignored(client: Client) -> None:
    answer = decode(client, f"# a comment\nhello\n{WIRE}\n", protocol="nslip")

    assert [message["wire"] for message in answer["messages"]] == ["# a comment", "hello", WIRE]
    assert {message["protocol"] for message in answer["messages"]} == {"nslip"}
    assert answer["ignored"] == []


def test_with_a_protocol_named_a_folded_packet_is_one(client: Client) -> None:
    text = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|\nperiod:2024-08|fmt:json\n"

    (message,) = decode(client, text, protocol="aacp")["messages"]

    assert message["wire"] == text.rstrip("\n")
    assert message["valid"] is True


def test_with_a_protocol_named_a_json_value_may_take_many_lines(client: Client) -> None:
    text = (
        '{\n "format": "text",\n "subformat": "English",\n "content": "Hi."\n}\n{"format":"text"}'
    )

    messages = decode(client, text, protocol="nlip")["messages"]

    assert [message["wire"].count("\n") for message in messages] == [4, 0]


def test_nested_names_are_dotted(client: Client) -> None:
    text = (
        '{"msg_id":"a","g":"FIND_HOTEL","ctx":{"loc":"Paris"},"plan":[["p","PRES",{"n":5}]],'
        '"out_fmt":"human"}'
    )

    (message,) = decode(client, text)["messages"]

    fields = {field["name"]: field["value"] for field in message["fields"]}
    assert fields["ctx.loc"] == "Paris"
    assert fields["plan.0.2.n"] == "5"


def test_a_dialect_may_be_named(client: Client) -> None:
    text = '{"format":"text","subformat":"English","content":"Hi."}'

    versions = [
        decode(client, text, protocol="nlip", dialect=dialect)["messages"][0]["version"]
        for dialect in registry.get("nlip").dialects
    ]

    assert versions == list(registry.get("nlip").dialects)


def test_tokenizers_may_be_chosen(client: Client) -> None:
    (message,) = decode(client, WIRE, tokenizers=["cl100k_base"])["messages"]

    assert list(message["tokens"]) == ["cl100k_base"]


def test_nul_is_text_like_any_other(client: Client) -> None:
    (message,) = decode(client, "REQ/TSK|g=42,t=1,@=a\x00b")["messages"]

    assert message["fields"][-1]["value"] == "a\x00b"
    assert "nslip.invisible" in [diagnostic["code"] for diagnostic in message["diagnostics"]]


def test_half_of_a_surrogate_pair_inside_a_wire_is_marked(client: Client) -> None:
    (message,) = decode(client, '{"format":"text","subformat":"English","content":"\\ud800"}')[
        "messages"
    ]

    assert message["valid"] is False
    assert "nlip.not-text" in [diagnostic["code"] for diagnostic in message["diagnostics"]]
    assert message["wire"].endswith('"\\ud800"}')


def test_json_that_is_nested_deeply_is_an_answer(client: Client) -> None:
    text = '{"format":"structured","subformat":"JSON","content":' + "[" * 64 + "]" * 64 + "}"

    (message,) = decode(client, text, protocol="nlip")["messages"]

    assert message["wire"] == text


def test_a_value_of_a_million_characters_is_an_answer(client: Client) -> None:
    wire = "REQ/TSK|g=42,t=1,@=" + "x" * 1_000_000

    (message,) = decode(client, wire, protocol="nslip")["messages"]

    assert message["wire"] == wire
    assert [diagnostic["code"] for diagnostic in message["diagnostics"]] == ["nslip.too-large"]


def test_repeated_keys_and_numbers_beyond_json_are_refused_or_marked_inside_a_wire(
    client: Client,
) -> None:
    (message,) = decode(
        client, '{"format":"text","format":"text","subformat":"English","content":"x"}'
    )["messages"]

    assert message["valid"] is False


def test_reading_leaves_no_trace(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    post(client, "decode", {"text": "REQ/TSK|g=42,t=1,@=secret_name"})
    post(client, "decode", {"text": "x", "secret_name": 1})

    assert "secret_name" not in caplog.text


def test_equal_messages_are_read_once_and_each_has_its_place(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec = registry.get("nslip")
    read: list[str] = []
    described: list[str] = []
    monkeypatch.setattr(type(codec), "read", note(read, lambda wire: wire, type(codec).read))
    monkeypatch.setattr(
        type(codec), "describe", note(described, lambda one: one.wire, type(codec).describe)
    )
    wrapped = json.dumps({"level": "info", "msg": "RJE/PLN|g=1"})
    text = "RJE/PLN|g=1\n" * 20 + f"2026-11-20T10:00:01Z RJE/PLN|g=1\n{wrapped}\n"

    messages = decode(client, text, tokenizers=["o200k_base"])["messages"]

    assert described == ["RJE/PLN|g=1"]
    assert len(read) <= 3  # looking for messages reads some
    assert [text[slice(*message["span"])] for message in messages] == ["RJE/PLN|g=1"] * 22
    assert [message["span"][0] for message in messages[:3]] == [0, 12, 24]
    assert [message["carrier"] is None for message in messages] == [True] * 21 + [False]
    assert [message["facts"] is None for message in messages[:21]] == [True] * 20 + [False]
    wrappers = [message["tokens"]["o200k_base"]["wrapper"] for message in messages]
    assert wrappers[:21] == [None] * 21
    assert wrappers[21] > 0


def note(
    noted: list[str], name: Callable[[Any], str], work: Callable[..., Any]
) -> Callable[..., Any]:
    """``work``, a method that notes what it is called with."""

    def method(self: object, given: Any, *more: Any) -> Any:
        noted.append(name(given))
        return work(self, given, *more)

    return method
