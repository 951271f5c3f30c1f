"""The NLIP server agent by itself: what it answers, given facts, held to section 6 by the exchange
checker.
"""

import base64
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs

from cablese import registry
from cablese.message import Message
from cablese.protocols.nlip.exchange.agent import (
    IDENTITY,
    Facts,
    answer,
    find,
    refuse,
    refuse_message,
    tell,
)
from cablese.protocols.nlip.exchange.asks import asks_for_authentication
from cablese.protocols.nlip.exchange.checker import check
from tests.cablese.hostile import ODD, wires

NLIP = registry.get("nlip")


def count(texts: Sequence[str]) -> list[int]:
    return [len(text) // 4 for text in texts]


FACTS = Facts(count=count, conversation="ours-1", upload="https://log.example.org/nlip/upload/17")


def message(
    format_: str, subformat: str, content: Any, *parts: tuple[str, str, Any], control: bool = False
) -> Message:
    values: dict[str, Any] = {"messagetype": "control"} if control else {}
    values |= {"format": format_, "subformat": subformat, "content": content}
    if parts:
        values["submessages"] = [
            dict(zip(("format", "subformat", "content"), part, strict=True)) for part in parts
        ]
    return NLIP.decode(json.dumps(values))


def text(words: str, *parts: tuple[str, str, Any], control: bool = False) -> Message:
    return message("text", "English", words, *parts, control=control)


def answered(request: Message, facts: Facts = FACTS) -> Message:
    """The answer, which is a valid message and owes the request nothing."""
    read = NLIP.decode(answer(request, facts).wire)
    assert read.diagnostics == ()
    assert check(request, read, own_tokens=(IDENTITY,)) == ()
    return read


def parts(found: Message, format_: str) -> list[Any]:
    every = [found.values, *found.values.get("submessages", ())]
    return [part["content"] for part in every if part["format"] == format_]


@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-11")
def test_a_text_is_answered_with_a_reading_of_what_is_in_it() -> None:
    reply = answered(text("12:00 planner: REQ/TSK|g=42,t=1\nREQ/TSK|g=x,t=1\nand thanks"))

    words = reply.values["content"]
    assert "2 messages found." in words
    assert "nSLIP, valid, 4 tokens: Requests task 1 of goal 42." in words
    assert "nSLIP, invalid, 3 tokens: " in words
    assert " Problem: Goal ID must be an integer" in words
    (reading,) = parts(reply, "structured")
    assert [
        (decoded["protocol"], decoded["valid"], decoded["tokens"])
        for decoded in reading["messages"]
    ] == [
        ("nslip", True, 4),
        ("nslip", False, 3),
    ]
    assert reading["messages"][1]["diagnostics"][0]["code"].startswith("nslip.")


def test_a_listed_message_is_cut_at_two_hundred_characters() -> None:
    wires = [f"REQ/TSK|g=42,t=1,@={'x' * (length - 19)}" for length in (200, 201)]

    (reading,) = parts(answered(text("\n".join(wires))), "structured")

    assert [one["wire"] for one in reading["messages"]] == [wires[0], wires[1][:200]]
    assert ["shortened" in one for one in reading["messages"]] == [False, True]


def test_a_text_without_a_message_is_told_what_can_be_read() -> None:
    words = answered(text("Are there rooms in Paris?")).values["content"]

    assert words.startswith("Hello.")
    assert all(codec.title in words for codec in registry.all_codecs())


@pytest.mark.requirement("NLIP-21")
def test_conversation_tokens_come_back_each_once_and_ours_with_them() -> None:
    mine = (
        ("token", "conversation", "c-17"),
        ("token", "Conversation_bob", "ü\n"),
        ("token", "conversation", "c-17"),
    )

    reply = answered(text("Hello", *mine))

    tokens = [
        (part["subformat"], part["content"])
        for part in reply.values["submessages"]
        if part["format"] == "token"
    ]
    assert tokens == [
        ("conversation", "c-17"),
        ("Conversation_bob", "ü\n"),
        (f"conversation_{IDENTITY}", "ours-1"),
    ]


@pytest.mark.requirement("NLIP-22")
@pytest.mark.requirement("NLIP-23")
def test_a_token_of_ours_is_not_sent_twice_and_names_us() -> None:
    old = structs.replace(FACTS, own=frozenset(["ours-0"]))

    reply = answered(text("Hello", ("token", f"conversation_{IDENTITY}", "ours-0")), old)

    assert parts(reply, "token") == ["ours-1"]


@pytest.mark.requirement("NLIP-23")
def test_a_token_that_only_claims_to_be_ours_comes_back() -> None:
    reply = NLIP.decode(
        answer(text("Hello", ("token", f"conversation_{IDENTITY}", "forged")), FACTS).wire
    )

    assert parts(reply, "token") == ["forged", "ours-1"]


@pytest.mark.requirement("NLIP-24")
def test_control_is_answered_with_control() -> None:
    reply = answered(text("What are your policies?", control=True))

    assert reply.values["is_control"]
    assert "understands English text" in reply.values["content"]
    assert not asks_for_authentication(reply.values)


@pytest.mark.requirement("NLIP-25")
@pytest.mark.requirement("NLIP-26")
def test_a_request_for_redirection_is_answered_with_an_address() -> None:
    reply = answered(text("Where may I send a large binary file?", control=True))

    assert reply.values["is_control"]
    assert parts(reply, "structured") == [FACTS.upload]


@pytest.mark.requirement("NLIP-27")
@pytest.mark.parametrize("fact", ["refused", "demanded"])
def test_authentication_is_asked_for_by_control(fact: str) -> None:
    said = answer(text("REQ/TSK|g=42,t=1"), structs.replace(FACTS, **{fact: True}))

    assert said.asks
    assert asks_for_authentication(NLIP.decode(said.wire).values)


@pytest.mark.requirement("NLIP-28")
def test_we_authenticate_ourselves_when_we_are_asked() -> None:
    reply = answered(
        text("Please authenticate yourself.", control=True), structs.replace(FACTS, proof="p-1")
    )

    assert "p-1" in parts(reply, "token")


@pytest.mark.requirement("NLIP-14")
@pytest.mark.parametrize(
    ("format_", "subformat", "content", "words"),
    [
        ("text", "French", "Bonjour", 'Unsupported language "French"'),
        ("structured", "COBOL", "DISPLAY", 'Unsupported code "COBOL"'),
        ("binary", "image/jpeg", "not base64!", "that is not base64"),
    ],
)
def test_what_cannot_be_processed_is_answered_with_an_error(
    format_: str, subformat: str, content: str, words: str
) -> None:
    reply = answered(message(format_, subformat, content))

    assert reply.values["format"] == "error"
    assert words in reply.values["content"]


def test_what_can_be_read_beside_is_read() -> None:
    reply = answered(text("REQ/TSK|g=42,t=1", ("structured", "python", "print(1)")))

    assert "1 message found." in reply.values["content"]
    assert parts(reply, "error") != []


@pytest.mark.requirement("NLIP-19")
@pytest.mark.parametrize(
    ("format_", "subformat", "content", "words"),
    [
        ("text", "en-GB", "REQ/TSK|g=42,t=1", "1 message found."),
        ("token", "billing", "b-1", "Hello."),
        ("structured", "json", {"g": "BOOK_HOTEL", "plan": [["FIND", "hotels", {}]]}, "found"),
        ("structured", "json", {"a": 1}, "Received structured content (json)"),
        ("structured", "uri", "https://example.org/", "Received structured content (uri)"),
        ("structured", "html", "<p>REQ/TSK|g=42,t=1</p>", "1 message found."),
        (
            "binary",
            "generic/txt",
            base64.b64encode(b"REQ/TSK|g=42,t=1").decode(),
            "which is text. 1 message found.",
        ),
        ("binary", "image/jpeg", base64.b64encode(b"\xff\xd8").decode(), "2 bytes of image/jpeg."),
        ("location", "GPS", "52.5, 13.4", 'Received a location: "52.5, 13.4".'),
        ("error", "code", 17, 'Received your error: "17".'),
        ("generic", "chess", {"move": "e4"}, 'the unknown extension "chess"'),
    ],
)
def test_every_format_is_processed(format_: str, subformat: str, content: Any, words: str) -> None:
    assert words in answered(message(format_, subformat, content)).values["content"]


@pytest.mark.parametrize(
    "wire",
    ["", "Hello", "[]", '{"format":"text"}', '{"format":"token","subformat":"conversation",'],
)
def test_what_is_no_message_is_answered_with_an_error(wire: str) -> None:
    said = answer(NLIP.decode(wire), FACTS)

    assert said.malformed
    reply = NLIP.decode(said.wire)
    assert reply.diagnostics == ()
    assert reply.values["format"] == "error"
    assert reply.values["content"].startswith("This is not a valid NLIP message. ")


@pytest.mark.requirement("NLIP-21")
def test_the_tokens_of_a_broken_message_come_back_too() -> None:
    broken = NLIP.decode(
        '{"format":"text","submessages":[{"format":"token","subformat":"conversation",'
        '"content":"c-1"}]}'
    )

    assert parts(NLIP.decode(answer(broken, FACTS).wire), "token") == ["c-1", "ours-1"]


def test_keys_are_spelled_as_the_other_side_spells_them() -> None:
    assert (
        '"format":"text"'
        in answer(NLIP.decode('{"format":"text","subformat":"en","content":"a"}'), FACTS).wire
    )
    assert (
        '"Format":"text"'
        in answer(NLIP.decode('{"Format":"text","Subformat":"en","Content":"a"}'), FACTS).wire
    )


def test_hostile_texts_are_answered() -> None:
    every = [codec.name for codec in registry.all_codecs()]
    for wire in [*ODD, *(wire for name in every for wire in wires(name))]:
        for request in (
            NLIP.decode(wire),
            text(wire),
            text("x", ("token", "conversation", wire or "-")),
        ):
            said = answer(request, FACTS)
            assert NLIP.decode(said.wire).valid, wire
            assert said.malformed is not request.valid


@pytest.mark.parametrize("control", [False, True])
def test_tokens_that_leave_no_room_are_answered_with_an_error(*, control: bool) -> None:
    full = full_of_tokens(292, 3_529, control=control)

    said = answer(full, FACTS)

    assert said.full
    assert "too large to return" in said.wire
    assert NLIP.decode(said.wire).values["is_control"] is control
    assert check(full, NLIP.decode(said.wire), status=413) == ()
    assert len(said.wire.encode()) <= 1024 * 1024
    assert NLIP.decode(said.wire).valid


@pytest.mark.requirement("NLIP-21")
def test_tokens_of_the_other_side_have_room_before_ours() -> None:
    full = full_of_tokens(332, 10)

    reply = answered(full)

    assert len(parts(reply, "token")) == 332
    assert "ours-1" not in parts(reply, "token")


def full_of_tokens(number: int, size: int, *, control: bool = False) -> Message:
    """A valid message of so many tokens of that size."""
    tokens = [("token", "conversation", f"{'x' * size}{at}") for at in range(number)]
    wire = text("Hello", *tokens, control=control).wire
    full = NLIP.decode(json.dumps(json.loads(wire), separators=(",", ":")))
    assert full.valid
    return full


@pytest.mark.requirement("NLIP-17")
@pytest.mark.parametrize("dialect", ["nlip/draft", "nlip/ecma-430"])
@pytest.mark.parametrize(
    "wire",
    [
        text("Hello", ("token", "conversation", "c-1")).wire,
        text("What are your policies?", ("token", "conversation", "c-1"), control=True).wire,
        text("Please authenticate yourself.", ("token", "trace", "t-1"), control=True).wire,
        '{"messagetype":"control","format":"text","content":"Please authenticate yourself."}',
        (
            '{"Format":"text","Submessages":[{"Format":"token","Subformat":"conversation",'
            '"Content":"c-1"}]}'
        ),
        '{"format":"token","subformat":"conversation","content":17}',
        "{",
    ],
)
def test_a_refusal_carries_the_tokens_that_its_request_owes(wire: str, dialect: str) -> None:
    request = NLIP.decode(wire, dialect=dialect)
    facts = structs.replace(FACTS, dialect=dialect, proof="p-1" if "authenticate" in wire else "")

    refusal = refuse_message("Wait a moment.", request, facts)

    reply = NLIP.decode(refusal.wire, dialect=dialect)
    assert reply.diagnostics == ()
    assert check(request, reply, own_tokens=(IDENTITY,), status=400) == ()


@pytest.mark.parametrize("end", [".", "?", "!", "…", ""])
@pytest.mark.parametrize(
    ("format_", "subformat"),
    [("location", "text"), ("error", "text"), ("text", "English"), ("generic", "chess")],
)
def test_the_words_of_an_answer_end_once(format_: str, subformat: str, end: str) -> None:
    content = (
        f"ACK/TSK|g=1,!=why{end}\nREJ/PLN|g=1,t=2,!=no{end}"
        if format_ in ("text", "generic")
        else f"Paris{end}"
    )

    words = answered(message(format_, subformat, content)).values["content"]

    assert re.search(r"[.?!][\"”]?[.]|  | [.,;:]", words) is None, words
    assert re.search(r"[.?!][\"”]?\Z", words), words


def test_a_refusal_and_an_answer_to_an_upload_are_messages() -> None:
    assert NLIP.decode(refuse("Too much.")).values["format"] == "error"
    ecma = NLIP.decode(refuse("Too much.", dialect="nlip/ecma-430"), dialect="nlip/ecma-430")
    assert (ecma.valid, ecma.values["content"]) == (True, "Error: Too much.")
    messages, more = find("REQ/TSK|g=42,t=1\n" * 300)
    assert (len(messages), more) == (200, 100)
    reply = NLIP.decode(tell(messages, FACTS, text="17 bytes came.", more=more))
    assert reply.diagnostics == ()
    assert "300 messages found." in reply.values["content"]
    assert "And 280 more." in reply.values["content"]
