"""A middle agent by itself: which tokens go on, which come back, and which stay where they are."""

import json
from typing import Any

import pytest

from cablese import registry
from cablese.codec import Unencodable
from cablese.message import Message
from cablese.protocols.nlip.exchange.checker import check
from cablese.protocols.nlip.exchange.middle import TOKEN_LIMIT, Token, bring_back, made_by, pass_on

NLIP = registry.get("nlip")
MINE = Token("conversation_middle", "m-1")
OURS = Token("conversation_middle", "for-the-caller")
THEIRS = Token("conversation_rooms", "s-1")
SECRET = Token("authentication", "key-17")
CALLERS = Token("conversation_alice", "a-1")
TRACE = Token("trace", "t-1")


def part(format_: str, subformat: str, content: Any) -> dict[str, Any]:
    return {"format": format_, "subformat": subformat, "content": content}


def message(*parts: dict[str, Any], dialect: str | None = None, **more: Any) -> Message:
    first, *rest = parts
    return NLIP.decode(
        json.dumps(more | first | ({"submessages": rest} if rest else {})), dialect=dialect
    )


def text(words: str, *tokens: Token, dialect: str | None = None, **more: Any) -> Message:
    return message(
        part("text", "English", words), *(token.part for token in tokens), dialect=dialect, **more
    )


def read(wire: str, dialect: str | None = None) -> Message:
    decoded = NLIP.decode(wire, dialect=dialect)
    assert decoded.valid, decoded.diagnostics
    return decoded


def tokens(found: Message) -> list[Token]:
    every = [found.values, *found.values.get("submessages", ())]
    return [Token(one["subformat"], one["content"]) for one in every if one["format"] == "token"]


@pytest.mark.requirement("NLIP-33")
def test_tokens_of_the_caller_stay_with_the_caller() -> None:
    request = text("Rooms in Paris?", CALLERS, SECRET, Token("Authorization_x", "k"), TRACE)

    passed = read(pass_on(request, [MINE, THEIRS]))

    assert passed.values["content"] == "Rooms in Paris?"
    assert tokens(passed) == [TRACE, MINE, THEIRS]


@pytest.mark.requirement("NLIP-33")
def test_tokens_of_the_server_stay_with_the_server() -> None:
    request, reply = (
        text("Rooms?", CALLERS),
        text("Two.", MINE, THEIRS, Token("authentication_rooms", "proof")),
    )

    answer = read(bring_back(request, reply, [OURS]))

    assert answer.values["content"] == "Two."
    assert tokens(answer) == [CALLERS, OURS]
    assert check(request, answer) == ()


def test_a_token_that_ties_more_than_a_hop_is_passed_on_and_comes_back_once() -> None:
    request = text("Rooms?", TRACE, dialect="nlip/ecma-430")

    for reply in (text("Two.", TRACE, MINE), text("Two.", MINE)):
        answer = read(bring_back(request, reply, [OURS]), "nlip/ecma-430")
        assert tokens(answer) == [TRACE, OURS]
        assert check(request, answer) == ()


def test_our_token_that_the_caller_returns_comes_once() -> None:
    assert tokens(read(bring_back(text("More", OURS, CALLERS), text("Yes"), [OURS]))) == [
        OURS,
        CALLERS,
    ]


def test_everything_else_is_passed_on_in_its_order() -> None:
    parts = [
        part("structured", "json", {"a": [1, None]}),
        {**part("location", "GPS", "52.5, 13.4"), "label": "user"},
        {
            **part("text", "English", "x"),
            "submessages": [part("text", "English", "y"), SECRET.part],
        },
    ]
    first = part("binary", "image/jpeg", "/9g=") | {"x-trace": 7}
    request = message(first, *parts, messagetype="query")

    passed = json.loads(pass_on(request, [MINE]))

    nested = {**part("text", "English", "x"), "submessages": [part("text", "English", "y")]}
    assert passed == first | {
        "messagetype": "query",
        "submessages": [*parts[:2], nested, MINE.part],
    }


def test_a_message_that_is_a_token_itself_leaves_its_parts() -> None:
    wrapped = message(CALLERS.part, part("text", "English", "Hello"), messagetype="control")

    assert json.loads(pass_on(wrapped, [MINE])) == {
        "messagetype": "control", **part("text", "English", "Hello"), "submessages": [MINE.part],
    }  # fmt: skip
    assert json.loads(pass_on(message(CALLERS.part), [MINE])) == MINE.part


def test_keys_are_spelled_as_the_caller_spells_them() -> None:
    wire = '{"Format":"text","Subformat":"English","Content":"Hello"}'

    assert '"Format":"token"' in pass_on(NLIP.decode(wire), [MINE])
    assert '"Format":"text"' in bring_back(NLIP.decode(wire), text("Hi"), [OURS])
    assert '"format":"text"' in bring_back(text("Hello"), NLIP.decode(wire), [OURS])


@pytest.mark.requirement("NLIP-24")
def test_control_is_answered_with_control_whatever_the_server_does() -> None:
    asked = text("What are your policies?", messagetype="control")

    assert read(bring_back(asked, text("None."), [OURS])).values["is_control"]
    assert read(bring_back(text("Hi"), text("Wait.", messagetype="control"), [OURS])).values[
        "is_control"
    ]
    assert (
        read(bring_back(text("Hi"), text("Two.", messagetype="rooms"), [OURS])).values[
            "messagetype"
        ]
        == "rooms"
    )


def test_the_next_turn_returns_what_the_server_made() -> None:
    first = made_by(text("Two.", MINE, THEIRS, Token("conversation", "s-2")), [MINE])
    assert first == (THEIRS, Token("conversation", "s-2"))

    assert made_by(text("Yes", MINE), [MINE, *first], first) == first
    renewed = Token("conversation_rooms", "s-9")
    again = made_by(text("Yes", MINE, renewed, Token("conversation", "s-3")), [MINE, *first], first)
    assert again == (Token("conversation", "s-2"), renewed, Token("conversation", "s-3"))


def test_tokens_too_long_to_be_kept_are_refused() -> None:
    with pytest.raises(Unencodable):
        made_by(text("Two.", Token("conversation_rooms", "x" * TOKEN_LIMIT)), [MINE])


def test_a_message_that_grows_too_large_is_refused() -> None:
    with pytest.raises(Unencodable):
        pass_on(text("x" * (1024 * 1024 - 80)), [MINE])
