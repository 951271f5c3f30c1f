"""The states of goals, tasks, steps, and agents at each message, and where it went wrong."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection
from cablese.conversation.gather import gather
from cablese.conversation.model import Conversation, Supplied
from cablese.conversation.timeline import Timeline, trace
from tests.cablese.conversation.gathering import (
    KNOWN,
    conversation,
    conversations,
    sacp,
    supplied,
)
from tests.growth import TIMES, assert_linear

REQ, PRO, ACC = "REQ/TSK|g=42,t=1", "PRO/PLN|g=42,t=1", "ACC/PLN|g=42,t=1"
REJ, QRY, CFM = "REJ/PLN|g=42,t=1,!=late", "QRY/TSK|g=42,t=1", "CFM/TSK|g=42,t=1"
DONE, FAILED = "INF/OBS|g=42,t=1,s=done", "INF/OBS|g=42,t=1,s=failed"
EVL = "EVL/EVL|g=42,t=1,sc=8"
STEPS = [["s", "HOTELS", {}], ["r", "RANK", {}]]
TOKEN = [{"format": "token", "subformat": "conversation", "content": "c-17"}]
OTHER = [{"format": "text", "subformat": "english", "content": "bye"}]
FETCH = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary"


def nlip(**more: Any) -> str:
    base = {"format": "text", "subformat": "english", "content": "hello", "submessages": TOKEN}
    return msgspec.json.encode(base | more).decode()


def standings(of: Timeline, place: int) -> dict[str, str]:
    return {
        f"{of.subjects[at].kind} {of.subjects[at].name}": standing.state
        for at, standing in of.at(place).items()
    }


def states(subject: str, *wires: str) -> list[str | None]:
    """The states of a subject after each message of the only conversation."""
    timeline = trace(conversation(*wires))
    return [standings(timeline, place).get(subject) for place in range(len(wires))]


@pytest.mark.parametrize(
    ("subject", "wires", "expected"),
    [
        ("task 1", (REQ, PRO, ACC, DONE, EVL), "requested proposed accepted done evaluated"),
        ("goal 42", (REQ, PRO, REJ, PRO), "requested proposed rejected proposed"),
        ("goal 42", (REQ, DONE, EVL), "requested done evaluated"),
        ("task 1", (REQ, FAILED, REQ), "requested failed requested"),
        ("task 1", (REQ, "INF/OBS|g=42,t=1,s=blocked", QRY), "requested blocked blocked"),
        ("task 1", (REQ, "INF/OBS|g=42,t=1,s=blocked", EVL), "requested blocked blocked"),
        ("agent coordinator", (REQ, PRO, ACC), "waiting asked accepted"),
        ("agent planner", (REQ, PRO, ACC), "asked waiting ready"),
        (
            "task Task",
            (
                "SLIP v3 a b Request Task",
                "SLIP v3 b a Propose Plan",
                "SLIP v3 a b Accept Plan",
                "SLIP v3 b a Inform Result",
            ),
            "requested proposed accepted informed",
        ),
        ("agent b", ("SLIP v3 a b Request Task", "SLIP v3 b a Error Timeout"), "asked failed"),
        ("task HR salary", (FETCH, f"{FETCH}|status:done"), "requested done"),
        ("task HR salary", (f"{FETCH}|status:failed", FETCH), "failed failed"),
        ("task 17", ("T|17|Q|obj=door", "T|18|A|res=open"), "queried answered"),
        ("goal door", ("T|17|Q|obj=door", "T|18|E|err=stuck"), "queried failed"),
        ("task c-17", (nlip(), nlip(format="error", subformat="code")), "informed failed"),
        ("task a", (sacp("a"), sacp(None, "a", status="VALID")), "requested confirmed"),
        (
            "step 1",
            (sacp("a"), sacp("b", "a", state="DONE"), sacp(None, "b", status="VALID")),
            "requested done done",
        ),
    ],
)
def test_a_message_changes_the_state_of_what_it_is_about(
    subject: str, wires: tuple[str, ...], expected: str
) -> None:
    assert states(subject, *wires) == expected.split()


def test_the_steps_of_a_plan_have_states_of_their_own() -> None:
    plan = sacp("a", plan=STEPS)
    refused = sacp(None, "a", status="ERR", code="BAD_PARAM", details="Step 2: no such tool")
    again = sacp("b", "a", plan=STEPS, state="DONE")

    assert states("step 1", plan, refused, again) == ["requested", "requested", "done"]
    assert states("step 2", plan, refused, again) == ["requested", "failed", "done"]
    assert states("task a", plan, refused, again) == ["requested", "failed", "done"]


def test_a_failure_that_names_no_step_fails_no_step() -> None:
    refused = sacp(None, "a", status="ERR", code="BAD_PARAM", details="no")

    assert states("step 1", sacp("a"), refused) == ["requested", "requested"]
    assert states("task a", sacp("a"), refused) == ["requested", "failed"]


def test_a_step_of_version_1_is_known_by_its_id() -> None:
    step = {"id": "s1", "verb": "search", "tool": "H", "params": {}, "depends_on": []}
    base: dict[str, Any] = {
        "proto_ver": "1.0.0",
        "ts": "2026-05-09T00:00:00Z",
        "sender": "A",
        "plan": [step],
    }
    error = {"code": "TIMEOUT", "message": "too late", "step_id": "s1"}

    assert states(
        "step s1",
        sacp("a", state="PENDING", **base),
        sacp("b", "a", state="FAILED", error=error, **base),
    ) == ["requested", "failed"]


@pytest.mark.parametrize(
    ("before", "wire", "note"),
    [
        (REQ, "XYZ/TSK|g=42,t=1,s=done", "The act is unknown, so no state changes."),
        (DONE, CFM, "The task stays done."),
        (FAILED, EVL, "The task stays failed."),
        (
            "SLIP v3 a b Inform Result",
            "SLIP v3 b a Accept Plan",
            "It names no goal and no task.",
        ),
        (
            sacp("a"),
            sacp(None, "gone", status="VALID"),
            "It replies to an unknown message, so no task changes.",
        ),
    ],
)
def test_a_message_that_changes_no_task_says_why(before: str, wire: str, note: str) -> None:
    timelines = [trace(each) for each in conversations(before, wire)]
    last = timelines[-1].moments[-1]

    assert last.note == note
    kinds = {timelines[-1].subjects[change.subject].kind for change in last.changes}
    assert kinds <= {"agent"}


def test_a_control_message_changes_nothing() -> None:
    (moment,) = trace(conversation(nlip(messagetype="control"))).moments

    assert (moment.changes, moment.note) == ((), "A control message changes no state.")


def test_a_change_says_what_was_before_and_whether_the_task_is_assumed() -> None:
    timeline = trace(
        conversation("SLIP v3 a b Request Task", "SLIP v3 b a Accept Plan", "SLIP v3 b a Error X")
    )
    task = next(at for at, subject in enumerate(timeline.subjects) if subject.kind == "task")
    changes = [
        change for moment in timeline.moments for change in moment.changes if change.subject == task
    ]

    assert [(change.before, change.state, change.assumed) for change in changes] == [
        (None, "requested", False),
        ("requested", "accepted", False),
        ("accepted", "failed", True),
    ]
    assert timeline.at(1)[task].since == 1
    assert timeline.at(2)[task].assumed


def test_a_goal_of_several_tasks_is_done_when_all_are_and_failed_when_one_is() -> None:
    wires = [f"T|{at}|Q|obj=door" for at in (1, 2)]
    goal = Supplied(thread="x")
    (both,) = supplied(*((wire, goal) for wire in (*wires, "T|3|A|res=open", "T|4|E|err=stuck")))

    assert [standings(trace(both), at)["goal door"] for at in range(4)] == [
        "queried", "queried", "answered", "failed"
    ]  # fmt: skip


def test_a_goal_has_the_state_that_a_task_took_last() -> None:
    wires = ("T|1|Q|obj=door", "T|2|A|res=open", "T|3|Q|obj=door")
    (both,) = supplied(*((wire, Supplied(thread="x")) for wire in wires))

    assert [standings(trace(both), at)["goal door"] for at in range(3)] == [
        "queried", "answered", "queried"
    ]  # fmt: skip


ENDED = [sacp(f"{task}2", task, state="DONE") for task in "ab"]


@pytest.mark.parametrize(
    ("wires", "expected"),
    [
        ((sacp("a"), sacp("b"), *ENDED), "requested requested requested done"),
        # A task that failed is done in the end.
        (
            (sacp("a"), sacp("b"), sacp("x", "a", state="FAILED"), *ENDED),
            "requested requested failed requested done",
        ),
    ],
)
def test_a_goal_is_not_done_before_its_last_task(wires: tuple[str, ...], expected: str) -> None:
    (both,) = supplied(*((wire, Supplied(thread="x")) for wire in wires))
    timeline = trace(both)

    assert [standings(timeline, at)["goal FIND_HOTEL"] for at in range(len(wires))] == (
        expected.split()
    )


@pytest.mark.parametrize(
    ("wires", "place", "code"),
    [
        ((REQ, ACC, DONE, FAILED), 1, "thread.accept-of-nothing"),
        ((REQ, PRO, ACC, DONE, FAILED), 4, "thread.contradictory-status"),
        ((REQ, PRO, ACC, FAILED), 3, "thread.failed"),
        ((sacp("a"), sacp("a"), sacp(None, "a", status="VALID")), 1, "thread.repeated-id"),
        (("T|1|Q|obj=a", "T|2|A|zz=1", "T|3|S|zz=2"), 1, "tline.key-never-declared"),
        (("T|1|Q|obj=a", "T|5|A|res=1"), 1, "tline.id-skipped"),
        ((nlip(), nlip(submessages=OTHER)), 1, "nlip.token-lost"),
        ((REQ, "PRO/PLN|g=42,t=1,p=x", ACC), 1, "nslip.not-an-integer"),
        (("SLIP v3 a b Request Task", "SLIP v3 a b Inform X"), 0, "thread.unmatched-request"),
        ((REQ, PRO, ACC, DONE, EVL), None, ""),
    ],
)
def test_the_first_message_that_went_wrong_is_the_one_that_shows_it(
    wires: tuple[str, ...], place: int | None, code: str
) -> None:
    wrong = next((trace(each).wrong for each in conversations(*wires)), None)

    assert (wrong and wrong.message, wrong.code if wrong else "") == (place, code)


def test_what_only_the_end_shows_comes_after_everything_else() -> None:
    timeline = trace(conversation(sacp("a"), sacp("b", "a"), sacp("b", "a", state="DONE")))

    assert [(each.message, each.late) for each in timeline.problems] == [(1, True), (2, False)]
    assert timeline.wrong == timeline.problems[1]


def cut(of: Conversation, length: int) -> Conversation:
    return msgspec.structs.replace(
        of, turns=of.turns[:length], legs=of.legs[:length], answered=of.answered[:length]
    )


@given(st.lists(st.sampled_from([wire for _, wire in KNOWN]), min_size=1, max_size=12))
def test_the_states_of_a_beginning_are_those_at_its_last_message(wires: list[str]) -> None:
    for each in gather([detection.decode(wire) for wire in wires]):
        whole = trace(each)
        for length in range(1, len(each.turns) + 1):
            beginning = trace(cut(each, length))
            assert beginning.at(length - 1) == whole.at(length - 1)
            assert beginning.moments == whole.moments[:length]


@given(st.lists(st.sampled_from([REQ, PRO, ACC, REJ, QRY, CFM, DONE, FAILED, EVL]), min_size=1))
def test_the_states_of_the_first_messages_need_no_later_ones(wires: list[str]) -> None:
    whole = trace(conversation(*wires))

    for length in range(1, len(wires) + 1):
        assert trace(conversation(*wires[:length])).moments == whole.moments[:length]


@given(st.lists(st.sampled_from([wire for _, wire in KNOWN]), max_size=12))
def test_every_change_is_from_the_state_before_and_every_failure_is_a_problem(
    wires: list[str],
) -> None:
    for each in gather([detection.decode(wire) for wire in wires]):
        timeline = trace(each)
        now: dict[int, str] = {}
        for moment in timeline.moments:
            for change in moment.changes:
                assert change.before == now.get(change.subject) != change.state
                now[change.subject] = change.state
        assert timeline == trace(each)
        places = {turn.index for turn in each.turns}
        assert {problem.message for problem in timeline.problems} <= places
        if each.failed:
            assert timeline.wrong is not None


def test_it_takes_time_in_proportion_to_the_messages() -> None:
    talks = {
        size: conversation(*(f"T|{at + 1}|{'QA'[at % 2]}|obj=x{at // 2}" for at in range(size)))
        for size in (100, 5_000, TIMES * 5_000)
    }

    assert_linear(lambda size: trace(talks[size]), 5_000)
