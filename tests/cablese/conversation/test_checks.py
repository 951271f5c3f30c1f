"""What the rules of all protocols find in a conversation."""

import pytest

from cablese import registry
from cablese.conversation import checks
from cablese.conversation.gather import gather
from cablese.conversation.model import Supplied
from tests.cablese.conversation.gathering import conversation, conversations, sacp, supplied, told
from tests.cablese.hostile import wires


def test_a_request_that_nobody_answers_is_told() -> None:
    asked = "SLIP v3 planner exec Request Task"

    assert told(conversation(asked)) == [("thread.unmatched-request", (0,))]
    assert conversation(asked, "SLIP v3 exec planner Accept Task").findings == ()
    assert told(conversation(asked, "SLIP v3 planner exec Inform Result")) == [
        ("thread.unmatched-request", (0,))
    ]
    assert [step.words for step in conversation(asked).next] == ["an answer to the request"]


def test_a_proposal_is_answered_by_a_decision_only() -> None:
    proposed = "SLIP v3 planner exec Propose Plan"

    assert told(conversation(proposed, "SLIP v3 exec planner Inform Result")) == [
        ("thread.undecided-proposal", (0,))
    ]
    assert conversation(proposed, "SLIP v3 exec planner Reject Plan").findings == ()


@pytest.mark.parametrize("force", ["Accept", "Reject"])
def test_an_accept_or_reject_of_nothing_is_told(force: str) -> None:
    assert told(conversation(f"SLIP v3 exec planner {force} Plan")) == [
        ("thread.accept-of-nothing", (0,))
    ]


def test_an_instruction_of_aacp_waits_for_no_packet() -> None:
    only = conversation("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary")

    assert (only.findings, only.complete, only.next) == ((), None, ())


def test_a_reply_closes_the_message_it_names() -> None:
    only = conversation(sacp("a"), sacp("b", "a"), sacp(None, "a", status="VALID"))

    assert told(only) == [("thread.unmatched-request", (1,))]


def test_a_reply_to_what_is_not_there_is_told() -> None:
    assert ("thread.reply-to-nothing", (0,)) in told(
        conversation(sacp(None, "gone", status="VALID"))
    )
    assert ("thread.reply-to-nothing", (0,)) in told(conversation(sacp("b", "a"), sacp("a")))


def test_a_plan_that_is_sent_again_answers_who_asked_for_its_steps() -> None:
    empty, whole, done = sacp(plan=[]), sacp(), sacp(state="DONE")
    clarify = sacp(status="REQ_CLARIFY")
    named = (sacp("a"), sacp(None, "a", status="REQ_CLARIFY"))

    assert conversation(empty, clarify, whole, done).answered == (None, 0, 1, 2)
    assert told(conversation(empty, clarify)) == [("thread.unmatched-request", (1,))]
    assert told(conversation(*named)) == [("thread.unmatched-request", (1,))]
    assert told(conversation(*named, sacp("b", "a"))) == [("thread.unmatched-request", (2,))]
    assert told(conversation(*named, sacp("b", "a"), sacp("c", "b", state="DONE"))) == []


def test_a_fallback_answers_a_request() -> None:
    asked = "SLIP v3 planner exec Request Task"

    assert conversation(asked, "SLIP v3 exec planner Fallback Generic ref1").findings == ()


def test_an_id_that_is_used_again_is_told() -> None:
    assert ("thread.repeated-id", (0, 1)) in told(conversation(sacp("a"), sacp("a")))


def test_versions_that_drift_are_told() -> None:
    first, second = (
        f"FETCH|HR|return:HR-Agent|p:1|aacp:{version}|res:salary" for version in ("1.1", "1.2")
    )

    assert told(conversation(first, second, second)) == [("thread.version-drift", (0, 1, 2))]
    assert told(conversation(second, second)) == []


def test_a_reply_without_a_version_drifts_from_none() -> None:
    step = {"id": "s1", "verb": "run", "tool": "T", "params": {}}
    later = sacp(
        "a", proto_ver="1.0.0", ts="2026-05-09T00:00:00Z", sender="A", state="PENDING", plan=[step]
    )
    wires = later, sacp(None, "a", status="VALID")
    messages = [registry.get("sacp").decode(wire) for wire in wires]

    assert [(message.valid, message.dialect) for message in messages] == [
        (True, "sacp/1.0"),
        (True, "sacp/0.1"),
    ]
    assert "thread.version-drift" not in {
        finding.code for conversation in gather(messages) for finding in conversation.findings
    }


@pytest.mark.parametrize(
    ("states", "contradictory"),
    [
        (("PENDING", "IN_PROGRESS", "DONE"), False),
        (("DONE", "IN_PROGRESS"), True),
        (("DONE", "PENDING"), True),
        (("DONE", "FAILED"), True),
        (("FAILED", "IN_PROGRESS", "DONE"), False),
        (("DONE", "DONE"), False),
    ],
)
def test_a_status_after_one_that_ended_the_task_contradicts_it(
    states: tuple[str, ...], *, contradictory: bool
) -> None:
    codes = {code for code, _ in told(conversation(*(sacp(state=state) for state in states)))}

    assert ("thread.contradictory-status" in codes) is contradictory


def test_a_conversation_that_ends_on_the_way_is_told() -> None:
    only = conversation(sacp("a"), sacp("b", "a", state="IN_PROGRESS"))

    assert told(only) == [("thread.unfinished", (1,))]
    assert only.complete is False
    assert 'the last status is "IN_PROGRESS"' in only.findings[0].message


@pytest.mark.parametrize(
    "wires",
    [
        ("T|1|Q|obj=tests", "T|2|A|res=2;err=timeout"),
        ("T|1|C|act=run", "T|2|E|err=ambiguous"),
        ("SLIP v3 a b Request Task auth", "SLIP v3 b a Error Timeout"),
        (sacp("a"), sacp("b", "a", state="FAILED")),
        (sacp("a"), sacp(None, "a", status="ERR", code="UNKNOWN_VERB", details="Step 1: search")),
        ("FETCH|HR|return:A|p:1|aacp:1.1", "REPORT|HR|return:A|p:1|aacp:1.1|status:failed"),
    ],
)
def test_what_failed_is_not_complete_in_any_protocol(wires: tuple[str, str]) -> None:
    only = conversation(*wires)

    assert (only.complete, only.failed, only.stage) == (False, True, "the task failed")
    assert ("thread.failed", (1,)) in told(only)


@pytest.mark.parametrize(
    ("wires", "failed"),
    [
        (("T|1|Q|obj=x", "T|2|E|err=busy", "T|3|Q|obj=x", "T|4|A|res=ok"), False),
        (("T|1|Q|obj=x", "T|2|E|err=busy", "T|3|Q|obj=y", "T|4|A|res=ok"), True),
        (("SLIP v3 a b Request Task", "SLIP v3 b a Error Task", "SLIP v3 a b Request Task"), False),
        (("SLIP v3 a b Request Task", "SLIP v3 b a Error Task", "SLIP v3 a b Request Plan"), True),
        ((sacp("a"), sacp("b", "a", state="FAILED"), sacp("c", "a", state="DONE")), False),
        ((sacp("a"), sacp("b", "a", state="FAILED"), sacp("c", "b", state="PENDING")), False),
        (("INF/OBS|g=1,t=1,s=failed", "RJE/PLN|g=1,t=1"), True),
        (("SLIP v3 b a Error Task", "SLIP v3 b a Shout Task"), True),
    ],
)
def test_a_failure_stands_until_its_own_task_is_taken_up_again(
    wires: tuple[str, ...], *, failed: bool
) -> None:
    assert conversation(*wires).failed is failed


def test_every_finding_is_a_rule_that_is_listed() -> None:
    for codec in registry.all_codecs():
        rules = {rule.code: rule for rule in (*checks.RULES.values(), *codec.thread_rules)}
        assert codec.exempt <= rules.keys()
        for found in [
            finding
            for gathered in conversations(*wires(codec.name), protocol=codec.name)
            for finding in gathered.findings
        ]:
            rule = rules[found.code]
            assert (found.severity, found.section, found.requirement) == (
                rule.severity,
                rule.section,
                rule.requirement,
            )


def test_who_answers_himself_answers_nothing() -> None:
    there, back = Supplied(goal="7", sender="a"), Supplied(goal="7", sender="b")
    asked, answered = "T|1|Q|obj=a", "T|2|A|res=ok"

    def codes(*both: Supplied) -> list[str]:
        (only,) = supplied(*zip((asked, answered), both, strict=True))
        return [code for code, _ in told(only)]

    assert "thread.unmatched-request" in codes(there, there)
    assert "thread.unmatched-request" not in codes(there, back)


def test_a_goal_that_is_supplied_for_all_parts_no_task_from_its_failure() -> None:
    wires = ("T|1|Q|obj=x", "T|2|A|res=half;err=timeout", "T|3|C|act=again", "T|4|S|res=pass")

    (only,) = supplied(*((wire, Supplied(goal="api")) for wire in wires))

    assert (only.complete, only.failed) == (True, False)
