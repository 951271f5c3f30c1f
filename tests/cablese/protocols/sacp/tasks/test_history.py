"""What becomes of tasks in a transcript: moves, replies, and who takes over where one failed."""

import json

import pytest

from cablese.message import Message
from cablese.protocols.sacp.agents.samples import AGENTS
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.tasks import states
from cablese.protocols.sacp.tasks.history import Course, follow

PLAN = [["s", "H_API", {}], ["r", "RANK", {}]]


def said(state: str | None = None, goal: str = "FIND_HOTEL", **more: object) -> Message:
    given = {"state": state} if state else {}
    return codec.decode(json.dumps({"g": goal, "plan": PLAN} | given | more))


def replied(status: str, **more: object) -> Message:
    return codec.decode(json.dumps({"status": status} | more))


def course(*messages: Message) -> Course:
    (only,) = follow(messages, AGENTS)
    return only


@pytest.mark.requirement("SACP-21")
def test_each_move_names_its_message_and_the_task_its_goal() -> None:
    history = course(
        said("PENDING", msg_id="a"), said("IN_PROGRESS", reply_to="a"), said("DONE", reply_to="a")
    )

    assert (history.name, history.goal, history.state, history.illegal) == (
        "a",
        "FIND_HOTEL",
        "DONE",
        0,
    )
    assert [(event.message, event.state) for event in history.events] == [
        (0, "PENDING"),
        (1, "IN_PROGRESS"),
        (2, "DONE"),
    ]


@pytest.mark.requirement("SACP-21")
def test_a_task_that_was_answered_with_an_error_is_not_shown_as_it_was_before() -> None:
    asked, failed = said("PENDING", msg_id="a"), replied("ERR", code="UNKNOWN_VERB", reply_to="a")

    assert course(asked, failed).state == "ERR"
    assert course(asked, replied("VALID", reply_to="a")).state == "PENDING"
    assert course(asked, failed, said("DONE", reply_to="a")).state == "DONE"


@pytest.mark.requirement("SACP-21")
def test_a_move_that_cannot_be_is_told_why() -> None:
    history = course(said("DONE", msg_id="a"), said("IN_PROGRESS", reply_to="a"))

    assert history.illegal == 1
    assert history.events[1].reason == "IN_PROGRESS cannot follow DONE: the message has ended."


@pytest.mark.requirement("SACP-21")
def test_messages_without_ids_are_tied_by_their_goal() -> None:
    first, second = follow([said("PENDING"), said("PENDING", "BOOK"), said("DONE")], AGENTS)

    assert [(event.message, event.state) for event in first.events] == [(0, "PENDING"), (2, "DONE")]
    assert (second.name, second.goal) == ("BOOK", "BOOK")


@pytest.mark.requirement("SACP-12")
@pytest.mark.requirement("SACP-21")
def test_a_message_without_ids_goes_on_with_the_task_of_its_goal() -> None:
    messages = [
        said("PENDING", msg_id="a"),
        said("DONE"),
        replied("VALID"),
        replied("VALID", reply_to="z"),
    ]

    assert states.sort_tasks([*messages,
                             Message("nlip", "nlip/draft", "", {}, (), lambda _: ())]) == [
        "a", "a", "a", "z", None,
    ]  # fmt: skip


@pytest.mark.requirement("SACP-21")
def test_a_reply_without_an_id_is_about_the_latest_task_of_its_conversation() -> None:
    messages = [
        said("PENDING", msg_id="a"),
        said("PENDING", "BOOK", msg_id="b"),
        replied("ERR", code="BAD_PARAM"),
    ]

    assert states.sort_tasks(messages, [[0, 2], [1]]) == ["a", "b", "a"]
    assert states.sort_tasks(messages, [[0], [1], [2]]) == ["a", "b", None]
    assert [one.state for one in follow(messages, AGENTS, [[0, 2], [1]])] == ["ERR", "PENDING"]


@pytest.mark.requirement("SACP-18")
def test_the_fallback_of_the_step_that_an_err_names_takes_over() -> None:
    err = replied(
        "ERR", code="BAD_PARAM", details="Step 1: the catalogue does not answer.", reply_to="a"
    )

    history = course(said("IN_PROGRESS", msg_id="a"), err, said("FAILED", reply_to="a"))

    assert [(event.status or event.state, len(event.takeovers)) for event in history.events] == [
        ("IN_PROGRESS", 0), ("ERR", 1), ("FAILED", 0),
    ]  # fmt: skip
    (taken,) = history.events[1].takeovers
    assert (taken.step, taken.agent, taken.fallback) == ("1", "HOTEL_FINDER", "HOTEL_ARCHIVE")
    assert history.events[1].words == "BAD_PARAM Step 1: the catalogue does not answer."


@pytest.mark.requirement("SACP-18")
def test_where_nothing_names_the_step_that_failed_every_step_is_looked_at() -> None:
    history = course(said("FAILED", msg_id="a"))

    assert not history.events[0].certain
    assert [
        (takeover.step, takeover.fallback, takeover.note)
        for takeover in history.events[0].takeovers
    ] == [
        ("1", "HOTEL_ARCHIVE", ""), ("2", "",
                                     "Its fallback HOTEL_ARCHIVE cannot execute this step."),
    ]  # fmt: skip


@pytest.mark.requirement("SACP-18")
@pytest.mark.parametrize(
    ("details", "steps"),
    [
        ("step 1.2 took too long", ["1.2"]),
        ("Step 1, branch 1: no. Step 1, branch 1: again", ["1.1"]),
        ("step 1", ["1.1", "1.2"]),
        ("step 9 is missing", []),
        ("a step failed", []),
    ],
)
def test_steps_are_named_with_their_branches(details: str, steps: list[str]) -> None:
    plan = [{"parallel": [["s", "H_API", {}], ["predict", "PRC_EST", {}]]}, ["join", "MERGE", {}]]

    history = course(
        said(msg_id="a", plan=plan), replied("ERR", code="BAD_PARAM", details=details, reply_to="a")
    )

    assert [takeover.step for takeover in history.events[0].takeovers] == steps


@pytest.mark.requirement("SACP-18")
def test_nobody_takes_over_where_no_fallback_is_named_or_no_agent_fits() -> None:
    plan = [["predict", "PRC_EST", {}], ["fly", "KITE", {}], ["join", "M", {}]]
    history = course(said("FAILED", msg_id="a", plan=plan))

    assert [
        (takeover.agent, takeover.fallback, takeover.note)
        for takeover in history.events[0].takeovers
    ] == [("PRICE_PREDICTOR", "", "It has no fallback.")]


def test_broken_messages_and_other_protocols_are_followed_too() -> None:
    texts = [
        "",
        "{",
        '{"g":5,"state":"DONE","msg_id":7}',
        '{"status":"ERR","details":[1]}',
        '{"g":"A","plan":[[1]]}',
    ]
    messages = [
        codec.decode(text)
        for text in (*texts, '{"g":"A","state":"FAILED","plan":[["s"]],"msg_id":"a"}')
    ]

    assert [one.state for one in follow(messages, AGENTS)] == ["FAILED"]
    assert follow([], ()) == ()
