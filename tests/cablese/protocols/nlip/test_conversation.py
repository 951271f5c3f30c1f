"""NLIP conversations: tokens that come back, and those that do not. What is owed is tested with
``exchange``.
"""

import json

import pytest

from tests.cablese.conversation.gathering import conversation, conversations, told

Token = tuple[str, str]


def message(*tokens: Token, label: str = "") -> str:
    parts = [{"format": "token", "subformat": name, "content": content} for name, content in tokens]
    if label:
        parts.append({"format": "text", "subformat": "English", "content": "x", "label": label})
    return json.dumps(
        {"format": "text", "subformat": "English", "content": "Hello", "submessages": parts}
    )


PLAIN = json.dumps({"format": "text", "subformat": "English", "content": "Hello"})
C17, C18 = ("conversation", "c-17"), ("conversation", "c-18")


@pytest.mark.requirement("NLIP-21")
def test_a_token_that_comes_back_ties_the_messages() -> None:
    first, second = conversations(message(C17), message(C18), message(C17), message(C18))

    assert (first.key, second.key) == ("conversation c-17", "conversation c-18")
    assert [turn.index for turn in second.turns] == [1, 3]
    assert first.findings == second.findings == ()


@pytest.mark.requirement("NLIP-21")
def test_a_token_that_is_not_returned_is_told_with_both_messages() -> None:
    assert told(conversation(message(C17), PLAIN)) == [("nlip.token-lost", (0, 1))]


@pytest.mark.requirement("NLIP-21")
def test_places_are_those_in_the_whole_text() -> None:
    _, second = conversations("T|1|S|res=a", message(C17), PLAIN)

    assert told(second) == [("nlip.token-lost", (1, 2))]


@pytest.mark.requirement("NLIP-21")
def test_subformats_tie_without_regard_to_case() -> None:
    assert conversation(message(("Conversation", "c-17")), message(C17)).key == "conversation c-17"


@pytest.mark.requirement("NLIP-22")
def test_an_end_point_need_not_return_its_own_token() -> None:
    own = ("conversation_s1", "x")

    assert (
        told(conversation(message(C17), message(C17, own), message(C17, own), message(C17))) == []
    )
    assert told(conversation(message(C17), message(C17, own), message(C17))) == [
        ("nlip.token-dropped", (1, 2))
    ]


def test_a_label_that_is_a_role_tells_the_sender() -> None:
    only = conversation(message(C17, label="user"), message(C17, label="assistant"))

    assert [(leg.sender, leg.reason) for leg in only.legs] == [
        ("user", "a label says so; NLIP carries no sender"),
        ("assistant", "a label says so; NLIP carries no sender"),
    ]


@pytest.mark.requirement("NLIP-23")
def test_the_identity_behind_a_tokens_name_tells_who_sent_it_first() -> None:
    only = conversation(message(("conversation_s1", "x")), message(("conversation_s1", "x")))

    assert [(party.name, party.inferred, party.messages) for party in only.parties] == [
        ("s1", True, (0,))
    ]


@pytest.mark.requirement("NLIP-20")
def test_a_message_whose_token_no_other_carries_is_unfinished_and_no_error() -> None:
    only = conversation(message(C17))

    assert told(only) == [("thread.unfinished", (0,))]
    assert only.findings[0].severity == "info"
    assert told(conversation(PLAIN)) == []
