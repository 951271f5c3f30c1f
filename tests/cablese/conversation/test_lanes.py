"""Roles of a chat and tool calls as lanes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection
from cablese.conversation.gather import gather, recorded
from cablese.conversation.lanes import name_tools
from cablese.conversation.model import RECORDED, Leg, Supplied
from cablese.transcript import split
from tests import fuzz
from tests.cablese.conversation.gathering import told


def test_roles_of_a_chat_are_lanes_and_tie_nothing() -> None:
    records = [
        {"role": role, "content": wire}
        for role, wire in (("user", "T|1|Q|obj=a"), ("assistant", "T|2|A|res=ok"))
    ]
    cuts = split("\n".join(map(json.dumps, records))).messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert only.key == "all messages"
    assert only.legs[0] == Leg(0, "user", "assistant", RECORDED, supplied=True)
    assert [(party.name, party.supplied, party.messages) for party in only.parties] == [
        ("user", True, (0,)),
        ("assistant", True, (1,)),
    ]


def test_a_conversation_quoted_in_one_turn_is_still_answered() -> None:
    chat = json.dumps({"role": "user", "content": "T|1|Q|obj=a\nT|2|A|res=ok"})
    cuts = split(chat).messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert "thread.unmatched-request" not in [code for code, _ in told(only)]


def _sent(wire: str, to: str) -> str:
    call = {"name": "send", "arguments": json.dumps({"to": to, "message": wire})}
    return json.dumps({"role": "assistant", "tool_calls": [{"id": to, "function": call}]})


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("T|1|Q|obj=a", "T|2|A|res=ok"), ("REQ/TSK|g=1,t=1", "PRO/PLN|g=1,t=1")],
)
def test_a_role_stays_a_role_when_a_call_names_the_recipient(asked: str, answer: str) -> None:
    cuts = split(f"{_sent(asked, 'planner')}\n{_sent(answer, 'coordinator')}").messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert {"thread.unmatched-request", "thread.accept-of-nothing"}.isdisjoint(
        code for code, _ in told(only)
    )
    assert only.legs == (
        Leg(0, "assistant", "planner", RECORDED, supplied=True),
        Leg(1, "assistant", "coordinator", RECORDED, supplied=True),
    )


CALLS = (
    {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "c1",
                "function": {"name": "tell_planner", "arguments": '{"message":"T|1|Q|obj=a"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "T|2|A|res=ok"},
)


@pytest.mark.parametrize("whole", [False, True])
def test_a_tool_call_and_its_result_share_a_lane(*, whole: bool) -> None:
    text = json.dumps({"messages": CALLS}) if whole else "\n".join(map(json.dumps, CALLS))
    cuts = split(text).messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert [(leg.sender, leg.recipient) for leg in only.legs] == [
        ("assistant", "tell_planner"),
        ("tell_planner", "assistant"),
    ]
    assert [party.name for party in only.parties] == ["assistant", "tell_planner"]


def _role(sender: str, recipient: str | None, call: str | None = None) -> Supplied:
    return Supplied(sender=sender, recipient=recipient, roles=True, call=call)


CALL_A, CALL_B = _role("assistant", "a"), _role("assistant", "b")
FIRST, SECOND = _role("assistant", "a", "1"), _role("assistant", "b", "2")


@pytest.mark.parametrize(
    ("said", "senders"),
    [
        (
            (FIRST, SECOND, _role("tool", None, "2"), _role("tool", None, "1")),
            "assistant assistant b a",
        ),
        ((CALL_A, _role("tool", "assistant")), "assistant a"),
        ((CALL_A, CALL_B, _role("tool", "assistant")), "assistant assistant tool"),
        ((CALL_A, CALL_B, _role("b", None)), "assistant assistant b"),
        ((FIRST, _role("tool", "assistant", "9")), "assistant tool"),
        ((_role("tool", "assistant"), _role("user", "assistant")), "tool user"),
    ],
)
def test_a_result_is_of_the_tool_that_was_called_where_that_is_sure(
    said: tuple[Supplied, ...], senders: str
) -> None:
    named = list(name_tools((one, at) for at, one in enumerate(said)))

    assert [supplied.sender for supplied in named] == senders.split()
    assert all(
        supplied.recipient == "assistant" for supplied in named if supplied.sender in ("a", "b")
    )


def test_several_messages_in_one_result_are_of_one_tool() -> None:
    result = _role("tool", "assistant")

    named = name_tools([(CALL_A, 1), (CALL_A, 1), (result, 2), (result, 2)])

    assert [supplied.sender for supplied in named] == ["assistant", "assistant", "a", "a"]


def test_an_id_that_is_used_again_is_of_the_later_call() -> None:
    again = _role("assistant", "b", "1")

    named = name_tools(
        [(FIRST, 1), (again, 2), (_role("tool", None, "1"), 3), (_role("a", None), 4)]
    )

    assert [(supplied.sender, supplied.recipient) for supplied in named][2:] == [
        ("b", "assistant"),
        ("a", None),
    ]


NAMED = st.sampled_from([None, "", "a", "b", "tool", "function", "assistant", "user"])
ROLE = st.builds(
    Supplied,
    sender=NAMED,
    recipient=NAMED,
    roles=st.booleans(),
    call=st.sampled_from([None, None, "1", "2"]),
)


@given(said=st.lists(st.tuples(ROLE, st.integers(0, 4)), max_size=20))
@fuzz.examples(60)
def test_whatever_records_say_only_results_are_named_again(
    said: list[tuple[Supplied, int]],
) -> None:
    named = list(name_tools(said))

    assert len(named) == len(said)
    for one, (before, _) in zip(named, said, strict=True):
        if one != before:
            assert before.roles
            assert (before.recipient or "tool") in ("tool", "function", "assistant", "user")
            assert one.sender in ("a", "b")
