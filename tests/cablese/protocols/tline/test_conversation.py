"""T-line conversations: ids, rollover, definitions, and messages that are made when asked for."""

import pytest

from cablese import registry
from cablese.conversation.model import Term
from cablese.protocols.tline.conversation import (
    announce_rollover,
    ask_for_detail,
    next_id,
    say_ambiguous,
)
from cablese.protocols.tline.vocabulary import ID_LIMIT
from tests.cablese.conversation.gathering import conversation, told

SOURCE = (
    "T|17|Q|obj=test_scope;ctx=api_auth",
    "T|18|A|res=2_fail;err=timeout;next=retry_1",
    "T|19|C|act=run;cmd=pytest%20-k%20auth",
    "T|20|S|res=pass;next=close",
)
ROLLOVER = f"T|{ID_LIMIT}|S|rollover=y"
tline = registry.get("tline")


def ids(*numbers: int) -> list[tuple[str, tuple[int, ...]]]:
    """What is told of a conversation whose messages have these ids and nothing else that is
    wrong.
    """
    return told(conversation(*(f"T|{number}|S|res=ok" for number in numbers)))


@pytest.mark.requirement("TLINE-11")
def test_the_sources_conversation_has_running_ids_and_every_request_is_answered() -> None:
    only = conversation(*SOURCE)

    assert only.complete is True
    assert {finding.code for finding in only.findings} == {"tline.key-never-declared"}


@pytest.mark.requirement("TLINE-11")
@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((1, 2, 3), []),
        ((41, 42), []),
        ((1, 2, 2), [("tline.repeated-id", (1, 2))]),
        ((1, 2, 1), [("tline.repeated-id", (0, 2))]),
        ((1, 2, 5), [("tline.id-skipped", (1, 2))]),
        ((7, 8, 3), [("tline.id-goes-back", (1, 2))]),
        ((7, 8, 3, 9), [("tline.id-goes-back", (1, 2))]),
        ((7, 8, 3, 4), [("tline.id-goes-back", (1, 2))]),
        ((100, 1, 2, 3), [("tline.id-goes-back", (0, 1))]),
        ((ID_LIMIT, ID_LIMIT), [("tline.repeated-id", (0, 1))]),
    ],
)
def test_ids_are_unique_and_go_up_by_one(
    numbers: tuple[int, ...], expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert ids(*numbers) == expected


@pytest.mark.requirement("TLINE-11")
def test_an_id_that_is_none_is_passed_over() -> None:
    assert "tline.id-skipped" not in {
        code for code, _ in told(conversation("T|1|S|res=a", "T|x|S|res=b", "T|2|S|res=c"))
    }


@pytest.mark.requirement("TLINE-11")
@pytest.mark.parametrize(
    ("wires", "expected"),
    [
        ((), 1),
        (SOURCE, 21),
        (("T|17|Q|obj=a", "T|x|A|res=b"), 18),
        (("T|17|Q|obj=a", f"T|{ID_LIMIT + 1}|A|res=b"), 18),
        ((f"T|{ID_LIMIT - 1}|S|res=a",), ID_LIMIT),
        ((ROLLOVER,), 1),
    ],
)
def test_the_next_id_follows_the_last_that_can_be_read(
    wires: tuple[str, ...], expected: int
) -> None:
    assert next_id([tline.decode(wire) for wire in wires]) == expected


@pytest.mark.requirement("TLINE-12")
def test_ids_start_again_when_an_s_message_announced_it() -> None:
    assert told(conversation(ROLLOVER, "T|1|S|res=a", "T|2|S|res=b")) == []


@pytest.mark.requirement("TLINE-12")
@pytest.mark.parametrize(
    "last", [f"T|{ID_LIMIT}|S|res=a", f"T|{ID_LIMIT}|S|rollover=n", f"T|{ID_LIMIT}|E|rollover=y"]
)
def test_a_rollover_that_no_s_message_announced_is_an_error(last: str) -> None:
    (one,) = [
        finding
        for finding in conversation(last, "T|1|S|res=a").findings
        if finding.code != "thread.failed"
    ]

    assert (one.code, one.messages) == ("tline.rollover-unannounced", (0, 1))
    assert one.severity == "error"


@pytest.mark.requirement("TLINE-12")
def test_ids_start_again_at_one_and_only_at_the_limit() -> None:
    assert told(conversation(ROLLOVER, "T|5|S|res=a")) == [("tline.id-skipped", (0, 1))]
    assert told(conversation("T|20|S|rollover=y", "T|1|S|res=a")) == [
        ("tline.id-goes-back", (0, 1))
    ]


@pytest.mark.requirement("TLINE-12")
def test_an_announcement_holds_for_one_rollover() -> None:
    twice = told(conversation(ROLLOVER, "T|1|S|res=a", f"T|{ID_LIMIT}|S|res=b", "T|1|S|res=c"))

    assert ("tline.rollover-unannounced", (2, 3)) in twice


@pytest.mark.requirement("TLINE-12")
def test_an_id_may_come_around_again_after_a_rollover() -> None:
    assert told(conversation("T|2|S|res=a", ROLLOVER, "T|1|S|res=b", "T|2|S|res=c")) == [
        ("tline.id-skipped", (0, 1))
    ]


@pytest.mark.requirement("TLINE-12")
def test_the_announcement_is_offered_when_it_is_due() -> None:
    (step,) = conversation(f"T|{ID_LIMIT - 1}|S|res=a").next

    assert step.form == announce_rollover() == ROLLOVER


@pytest.mark.requirement("TLINE-13")
def test_definitions_are_collected() -> None:
    only = conversation(
        "T|1|S|keydef=ctx:context;keydef=act:action%20to%20take",
        "T|2|C|act=run;ctx=api",
        "T|3|A|res=ok",
    )

    assert only.terms == (Term("ctx", "context", 0), Term("act", "action to take", 0))
    assert only.findings == ()


@pytest.mark.requirement("TLINE-13")
def test_a_definition_in_a_later_s_message_is_told() -> None:
    late = conversation("T|1|S|res=a", "T|2|S|keydef=ctx:context")
    first = conversation("T|1|Q|obj=a", "T|2|S|keydef=ctx:context")

    assert told(late) == [("tline.late-keydef", (0, 1))]
    assert told(first) == []


@pytest.mark.requirement("TLINE-13")
def test_a_key_defined_in_two_ways_is_told() -> None:
    assert ("tline.redefined-key", (0,)) in told(
        conversation("T|1|S|keydef=ctx:context;keydef=ctx:contract")
    )


@pytest.mark.requirement("TLINE-13")
@pytest.mark.parametrize("key", ["obj", "res", "err", "next", "keydef", "rollover"])
def test_a_core_key_keeps_its_meaning(key: str) -> None:
    only = conversation(f"T|1|S|keydef={key}:task;keydef=ctx:context", f"T|2|S|keydef={key}:other")

    assert only.terms == (Term("ctx", "context", 0),)
    assert [one for one in told(only) if one[0] == "tline.redefined-key"] == [
        ("tline.redefined-key", (0,)), ("tline.redefined-key", (1,))
    ]  # fmt: skip


@pytest.mark.requirement("TLINE-14")
def test_keys_that_nobody_defined_are_told_once_each() -> None:
    only = conversation(*SOURCE, "T|21|Q|obj=more;ctx=api", "T|22|A|res=ok")

    assert told(only) == [("tline.key-never-declared", (2,))] * 2 + [
        ("tline.key-never-declared", (0, 4))
    ]
    assert {finding.severity for finding in only.findings} == {"warning"}
    assert 'Undeclared key "ctx".' in only.findings[-1].message


@pytest.mark.requirement("TLINE-14")
def test_only_the_conversation_says_that_no_message_declares_a_key() -> None:
    """One message cannot know that, so what it reports is an info that is true in either case."""
    wire = "T|17|Q|obj=test_scope;ctx=api_auth"
    (alone,) = tline.decode(wire).diagnostics
    undeclared = conversation("T|16|S|res=ready", wire).findings[0]
    declared = conversation("T|16|S|keydef=ctx:context", wire).findings

    assert (alone.severity, alone.message) == (
        "info", 'Custom key "ctx". Expected a keydef in an earlier S message.'
    )  # fmt: skip
    assert undeclared.severity == "warning"
    assert undeclared.message.startswith('Undeclared key "ctx".')
    assert [finding for finding in declared if "ctx" in finding.message] == []


@pytest.mark.requirement("TLINE-14")
def test_a_definition_that_comes_after_the_key_does_not_declare_it() -> None:
    after = told(conversation("T|1|C|act=run", "T|2|S|keydef=act:action"))

    assert after == [("tline.key-never-declared", (0,))]


@pytest.mark.requirement("TLINE-15")
def test_the_ambiguity_fallback_is_made_with_the_next_id() -> None:
    only = conversation("T|17|Q|obj=test_scope")

    assert say_ambiguous(18) == "T|18|E|err=ambiguous;next=clarify"
    assert say_ambiguous(18) in [step.form for step in only.next]
    assert tline.decode(say_ambiguous(18)).diagnostics == ()


@pytest.mark.requirement("TLINE-15")
def test_the_fallback_answers_a_question_and_another_one_is_due() -> None:
    only = conversation("T|17|Q|obj=test_scope", say_ambiguous(18))
    asked_again = conversation(
        "T|17|Q|obj=test_scope", say_ambiguous(18), "T|19|Q|obj=test_scope", "T|20|A|res=ok"
    )

    assert (only.complete, only.failed) == (False, True)
    assert (asked_again.complete, asked_again.failed) == (True, False)


@pytest.mark.requirement("TLINE-16")
def test_the_request_for_detail_is_made_with_the_next_id() -> None:
    only = conversation(*SOURCE)

    assert ask_for_detail(21) == "T|21|Q|obj=detail"
    assert ask_for_detail(21) in [step.form for step in only.next]
    assert tline.decode(ask_for_detail(21)).diagnostics == ()


def test_who_asks_and_who_answers_is_inferred_and_a_state_may_be_of_either() -> None:
    only = conversation(*SOURCE)

    assert [leg.sender for leg in only.legs] == ["asker", "responder", "asker", None]
    assert all(party.inferred for party in only.parties)
