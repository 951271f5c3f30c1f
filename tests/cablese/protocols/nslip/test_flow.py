"""The flow of nSLIP: the stages of one task, what may come next, what is missing, and the roles
behind the acts.
"""

import pytest

from cablese import detection
from cablese.conversation.gather import gather
from cablese.conversation.model import Conversation
from cablese.protocols.nslip.flow import CRITIC, ROLES
from cablese.transcript import split
from playground.workbench.examples import CONVERSATION
from tests.cablese.conversation.gathering import conversation, conversations, told

REQ, PRO, ACC, REJ = (
    "REQ/TSK|g=42,t=1",
    "PRO/PLN|g=42,t=1",
    "ACC/PLN|g=42,t=1",
    "REJ/PLN|g=42,t=1,!=too_large",
)
INF, EVL = "INF/OBS|g=42,t=1,r=1,s=done", "EVL/EVL|g=42,t=1,sc=8"
BLOCKED = "INF/OBS|g=42,t=1,r=1,s=blocked"
CYCLE = (REQ, PRO, ACC, INF, EVL)


def next_forms(of: Conversation) -> list[str]:
    return [step.form for step in of.next]


@pytest.mark.requirement("NSLIP-19")
def test_the_sources_conversation_loads_and_decodes_as_one_flow() -> None:
    cuts = split(CONVERSATION).messages
    messages = [detection.decode(cut.wire, cut.protocol) for cut in cuts]

    (only,) = gather(messages)

    assert [message.diagnostics for message in messages] == [()] * 6
    assert only.key == "goal 42, task 1"
    assert [leg.message for leg in only.legs] == [0, 1, 2, 3, 4, 5]
    assert [(leg.sender, leg.recipient) for leg in only.legs] == [
        ("coordinator", "planner"),
        ("planner", "coordinator"),
        ("coordinator", "planner"),
        ("executor", "coordinator"),
        ("critic", "coordinator"),
        ("coordinator", "planner"),
    ]


@pytest.mark.requirement("NSLIP-17")
def test_the_sources_reject_behind_a_completed_cycle_opens_a_new_round_and_is_no_fault() -> None:
    only = conversation(*CYCLE, REJ)

    assert told(only) == [("nslip.new-round", (5,)), ("thread.unfinished", (5,))]
    assert {finding.severity for finding in only.findings} == {"info"}
    assert only.stage == "waiting for a proposal"


@pytest.mark.requirement("NSLIP-16")
@pytest.mark.parametrize(
    ("sent", "stage", "next_", "missing"),
    [
        (
            (REQ,),
            "waiting for a proposal",
            ["PRO/PLN"],
            ("PRO/PLN", "ACC/PLN", "INF/OBS", "EVL/EVL"),
        ),
        (
            (REQ, PRO),
            "waiting for the plan to be accepted or rejected",
            ["ACC/PLN", "REJ/PLN", "PRO/PLN"],
            ("ACC/PLN", "INF/OBS", "EVL/EVL"),
        ),
        (
            (REQ, PRO, ACC),
            "waiting for execution",
            ["REQ/PLN", "INF/OBS"],
            ("INF/OBS", "EVL/EVL"),
        ),
        (
            (REQ, PRO, ACC, INF),
            "waiting for evaluation",
            ["EVL/EVL", "INF/OBS"],
            ("EVL/EVL",),
        ),
        (
            (REQ, PRO, ACC, BLOCKED),
            "waiting for the task to be done",
            ["INF/OBS", "EVL/EVL"],
            ("INF/OBS", "EVL/EVL"),
        ),
        (
            (REQ, PRO, ACC, BLOCKED, EVL),
            "waiting for the task to be done",
            ["INF/OBS", "REQ/TSK", "PRO/PLN", "REJ/PLN", "EVL/EVL"],
            ("INF/OBS", "EVL/EVL"),
        ),
    ],
)
def test_each_stage_says_what_may_come_next_and_what_is_missing(
    sent: tuple[str, ...], stage: str, next_: list[str], missing: tuple[str, ...]
) -> None:
    only = conversation(*sent)

    assert only.stage == stage
    assert next_forms(only) == [*next_, "QRY", "CFM"]
    assert only.missing == missing
    assert only.complete is False


@pytest.mark.requirement("NSLIP-16")
def test_a_whole_cycle_is_complete_and_without_a_finding() -> None:
    only = conversation(*CYCLE)

    assert (only.complete, only.missing, only.findings) == (True, (), ())


@pytest.mark.requirement("NSLIP-16")
@pytest.mark.parametrize("hand_over", ["REQ/PLN|g=42,t=1", "INF/PLN|g=42,t=1", ACC])
def test_an_accepted_plan_may_be_handed_to_the_executor(hand_over: str) -> None:
    assert conversation(REQ, PRO, ACC, hand_over, INF, EVL).findings == ()


@pytest.mark.requirement("NSLIP-16")
def test_goals_and_tasks_have_flows_of_their_own() -> None:
    other = [wire.replace("t=1", "t=2") for wire in CYCLE]
    mixed = [wire for pair in zip(CYCLE, other, strict=True) for wire in pair]

    first, second = conversations(*mixed)

    assert (first.key, second.key) == ("goal 42, task 1", "goal 42, task 2")
    assert [turn.index for turn in second.turns] == [1, 3, 5, 7, 9]
    assert first.findings == second.findings == ()


@pytest.mark.requirement("NSLIP-16")
@pytest.mark.parametrize(
    ("sent", "code", "messages"),
    [
        ((REQ, INF), "nslip.out-of-order", (0, 1)),
        ((REQ, PRO, INF), "nslip.out-of-order", (1, 2)),
        ((REQ, PRO, ACC, EVL), "nslip.out-of-order", (2, 3)),
        ((REQ, ACC), "thread.accept-of-nothing", (1,)),
        ((REJ,), "thread.accept-of-nothing", (0,)),
        (("ACC/RSC|g=42,t=1",), "thread.accept-of-nothing", (0,)),
        ((*CYCLE, ACC), "nslip.out-of-order", (4, 5)),
    ],
)
def test_a_step_before_its_time_is_a_warning(
    sent: tuple[str, ...], code: str, messages: tuple[int, ...]
) -> None:
    warnings = [
        (finding.code, finding.messages)
        for finding in conversation(*sent).findings
        if finding.severity == "warning"
    ]

    assert warnings == [(code, messages)]


@pytest.mark.requirement("NSLIP-16")
def test_a_step_out_of_order_says_what_was_expected() -> None:
    words = [
        finding.message
        for finding in conversation(REQ, PRO, INF).findings
        if finding.code == "nslip.out-of-order"
    ]

    assert words == [
        (
            "Unexpected INF/OBS: waiting for the plan to be accepted or rejected. Expected "
            "ACC/PLN, "
            "REJ/PLN, or PRO/PLN."
        )
    ]


@pytest.mark.requirement("NSLIP-16")
def test_a_conversation_without_its_beginning_is_only_an_info() -> None:
    only = conversation(INF, EVL)

    assert told(only) == [("nslip.no-request", (0,))]
    assert only.findings[0].severity == "info"


@pytest.mark.requirement("NSLIP-17")
def test_a_reject_returns_to_planning() -> None:
    rejected = conversation(REQ, PRO, REJ)
    again = conversation(REQ, PRO, REJ, PRO, ACC, INF, EVL)

    assert rejected.stage == "waiting for a proposal"
    assert told(rejected) == [("thread.unfinished", (2,))]
    assert (again.complete, again.findings) == (True, ())


@pytest.mark.requirement("NSLIP-17")
@pytest.mark.parametrize(
    ("sent", "messages"), [((REQ, PRO, ACC, REJ), (2, 3)), ((REQ, PRO, REJ, ACC), (2, 3))]
)
def test_one_plan_accepted_and_rejected_is_a_contradiction(
    sent: tuple[str, ...], messages: tuple[int, ...]
) -> None:
    assert ("nslip.changed-decision", messages) in told(conversation(*sent))


@pytest.mark.requirement("NSLIP-17")
@pytest.mark.parametrize("opening", [REQ, PRO, INF])
def test_a_completed_cycle_may_be_followed_by_another_round(opening: str) -> None:
    assert ("nslip.new-round", (5,)) in told(conversation(*CYCLE, opening))


@pytest.mark.requirement("NSLIP-16")
@pytest.mark.parametrize("status", ["blocked", "waiting", "partial", "in_progress"])
@pytest.mark.parametrize("end", [(INF, EVL), (REQ, PRO, ACC, INF, EVL), (REJ, *CYCLE[1:])])
def test_an_evaluation_of_an_open_task_completes_nothing(status: str, end: tuple[str, ...]) -> None:
    evaluated = (REQ, PRO, ACC, BLOCKED.replace("blocked", status), EVL)

    assert told(conversation(*evaluated)) == [("thread.unfinished", (4,))]
    assert (conversation(*evaluated, *end).complete, told(conversation(*evaluated, *end))) == (
        True,
        [],
    )


@pytest.mark.requirement("NSLIP-16")
def test_the_last_status_says_whether_a_task_is_open() -> None:
    unstated, failed = "INF/OBS|g=42,t=1,r=1", "INF/ERR|g=42,t=1,s=blocked"

    assert conversation(REQ, PRO, ACC, BLOCKED, unstated, EVL).complete is False
    assert conversation(REQ, PRO, ACC, BLOCKED, f"{EVL},s=done").complete is True
    assert conversation(REQ, PRO, ACC, unstated, f"{EVL},s=partial").complete is False
    assert conversation(REQ, PRO, ACC, BLOCKED, EVL, REQ, PRO, ACC, unstated, EVL).complete is True
    asked = (REQ, PRO, ACC, BLOCKED, EVL, "QRY/CST|g=42,t=1")
    assert told(conversation(*asked, unstated, REQ, PRO, ACC, INF, EVL)) == []
    assert conversation(*asked, INF, EVL).complete is True
    assert conversation(REQ, PRO, ACC, failed).stage == "the task failed; waiting for evaluation"


@pytest.mark.requirement("NSLIP-18")
@pytest.mark.parametrize("at", range(6))
def test_a_question_and_a_confirmation_are_allowed_at_any_point(at: int) -> None:
    asked = ("QRY/PLN|g=42,t=1", "CFM/PLN|g=42,t=1")

    only = conversation(*CYCLE[:at], *asked, *CYCLE[at:])

    assert (only.complete, only.findings) == (True, ())


@pytest.mark.requirement("NSLIP-18")
def test_what_may_come_next_always_has_a_question_and_a_confirmation() -> None:
    for end in range(1, 6):
        assert next_forms(conversation(*CYCLE[:end]))[-2:] == ["QRY", "CFM"]


@pytest.mark.requirement("NSLIP-18")
def test_a_question_that_nobody_answers_is_told() -> None:
    assert told(conversation(*CYCLE, "QRY/TSK|g=42,t=1")) == [("thread.unmatched-request", (5,))]


@pytest.mark.requirement("NSLIP-15")
def test_roles_are_inferred_and_marked_so() -> None:
    only = conversation(*CYCLE)

    assert {party.name for party in only.parties} == set(ROLES)
    assert all(party.inferred for party in only.parties)
    assert {party.name: party.messages for party in only.parties} == {
        "user": (), "coordinator": (0, 2), "planner": (1,), "executor": (3,), "critic": (4,)
    }  # fmt: skip
    assert {leg.reason for leg in only.legs} == {"nSLIP messages have no sender"}


@pytest.mark.requirement("NSLIP-15")
def test_a_role_that_no_message_shows_is_not_there() -> None:
    assert CRITIC not in {party.name for party in conversation(REQ, PRO).parties}
    assert conversation("CFM/TSK|g=42,t=1").parties == ()


@pytest.mark.requirement("NSLIP-17")
def test_a_new_request_needs_a_new_plan() -> None:
    assert ("thread.accept-of-nothing", (6,)) in told(conversation(*CYCLE, REQ, ACC))


def test_a_status_after_done_contradicts_unless_a_new_round_began() -> None:
    running = "INF/OBS|g=42,t=1,r=1,s=in_progress"

    assert ("thread.contradictory-status", (3, 4)) in told(
        conversation(REQ, PRO, ACC, INF, running)
    )
    assert ("thread.contradictory-status", (3, 4)) not in told(
        conversation(REQ, PRO, ACC, running, INF)
    )
    again = told(conversation(*CYCLE, REQ, PRO, ACC, running))
    assert "thread.contradictory-status" not in {code for code, _ in again}


def test_a_message_without_a_goal_goes_with_the_latest_conversation() -> None:
    assert [turn.index for turn in conversation(REQ, "CFM/TSK|").turns] == [0, 1]


@pytest.mark.requirement("NSLIP-18")
@pytest.mark.parametrize("end", range(6))
@pytest.mark.parametrize(
    "answer", ["INF/OBS|g=42,t=1", "INF/PLN|g=42,t=1", "INF/RSC|g=42,t=1", "CFM/TSK|g=42,t=1"]
)
def test_a_query_may_come_at_any_point_and_an_inform_or_confirm_answers_it(
    end: int, answer: str
) -> None:
    before, after = CYCLE[:end], CYCLE[end:]

    only = conversation(*before, "QRY/CST|g=42,t=1", answer, *after)

    assert told(only) == []
    assert only.complete is True


@pytest.mark.requirement("NSLIP-16")
def test_an_inform_that_answers_no_query_is_still_out_of_order() -> None:
    codes = [
        code
        for code, _ in told(conversation(REQ, PRO, "QRY/CST|g=42,t=1", "INF/RSC|g=42,t=1", INF))
    ]

    assert "nslip.out-of-order" in codes


@pytest.mark.requirement("NSLIP-10")
@pytest.mark.parametrize(
    "turns",
    [
        ("INF/OBS|g=42,t=1,s=failed",),
        ("INF/OBS|g=42,t=1,s=failed", EVL),
        ("INF/ERR|g=42,t=1", EVL),
        ("INF/OBS|g=42,t=1,s=failed", "EVL/EVL|g=42,t=1,s=done"),
        (INF, "EVL/EVL|g=42,t=1,sc=2,s=failed"),
    ],
)
def test_a_failed_task_is_never_complete(turns: tuple[str, ...]) -> None:
    only = conversation(REQ, PRO, ACC, *turns)

    assert (only.complete, only.failed) == (False, True)
    assert only.stage.startswith("the task failed")
    assert "thread.failed" in [code for code, _ in told(only)]


@pytest.mark.requirement("NSLIP-10")
@pytest.mark.parametrize("again", [(REQ, PRO, ACC, "INF/OBS|g=42,t=1", EVL), (INF, EVL)])
def test_a_failed_task_that_is_taken_up_again_can_be_completed(again: tuple[str, ...]) -> None:
    only = conversation(REQ, PRO, ACC, "INF/OBS|g=42,t=1,s=failed", *again)

    assert (only.complete, only.failed) == (True, False)
