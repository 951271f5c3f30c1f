"""Feasible plans: unknown verbs and tools, wrong pairs, parameters, and agents for each step."""

import json

import pytest

from cablese.protocols.sacp.agents import (
    dryrun,
    feasible,
    report,
    spawn,
)
from cablese.protocols.sacp.agents.registry import Agent
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec
from tests.cablese.protocols.sacp.source import HOTEL, read


def check(*steps: object) -> feasible.Feasibility:
    return feasible.check(read(*steps), LIBRARY, AGENTS)


def codes(found: feasible.Feasibility) -> list[tuple[str, str]]:
    return [(obstacle.step, obstacle.code) for obstacle in found.obstacles]


@pytest.mark.requirement("SACP-30")
def test_the_plan_of_the_source_is_feasible() -> None:
    feasibility = check(*HOTEL)

    assert feasibility.answer == {"status": "VALID"}
    assert feasibility.feasible
    assert [assignment.agents for assignment in feasibility.assignments] == [
        ("HOTEL_FINDER", "HOTEL_ARCHIVE"), ("HOTEL_FINDER",), ("REPORT_WRITER",),
    ]  # fmt: skip


@pytest.mark.requirement("SACP-24")
@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([["fly", "H_API", {}]], [("1", "UNKNOWN_VERB")]),
        ([HOTEL[0], ["search", "M_API", {}]], [("2", "UNKNOWN_TOOL")]),
        ([["rank", "H_API", {}]], [("1", "VERB_TOOL_MISMATCH")]),
        ([["s", "H_API", {"c": 5}]], [("1", "BAD_PARAM")]),
        ([["s", "H_API", {"p_max": True}]], [("1", "BAD_PARAM")]),
        ([["r", "RANK", {"criteria": "price"}]], [("1", "BAD_PARAM")]),
        ([["r", "RANK", {"c": ["p"]}]], []),
        (
            [{"parallel": [HOTEL[0], ["fly", "X", {}]]}, ["join", "MERGE", {}]],
            [("1.2", "UNKNOWN_VERB")],
        ),
        (
            [
                ["define", "X", {}],
                ["instantiate", "X_A", {"tool": "X", "verb": "fly"}],
                ["fly", "X", {}],
            ],
            [],
        ),
    ],
)
def test_unknown_verbs_and_tools_and_wrong_pairs_are_errors(
    steps: list[object], expected: list[tuple[str, str]]
) -> None:
    feasibility = check(*steps)

    assert codes(feasibility) == expected
    assert feasibility.answer.get("code") == (expected[0][1] if expected else None)


@pytest.mark.requirement("SACP-30")
@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (["s", "H_API", {"c": "Paris", "p_max": 150}], []),
        (
            ["search", "H_API", {"city": "Paris", "p_max": 150, "color": "red"}],
            [("unknown", "color")],
        ),
        (["s", "H_API", {"c": "Paris"}], [("missing", "p_max")]),
        (
            ["s", "H_API", {"clr": 1}],
            [("unknown", "clr"), ("missing", "city"), ("missing", "p_max")],
        ),
        (["generate", "SUMMARY", {"length": "short"}], [("missing", "type"), ("missing", "topic")]),
        (["analyze", "SENTIMENT", {"anything": 1}], []),
        (["s", "H_API", {"c": 5, "p_max": 1, "x": 2}], [("unknown", "x")]),
        (["rank", "H_API", {"x": 1}], []),
        (["fly", "H_API", {"x": 1}], []),
    ],
)
def test_unknown_and_missing_parameters_are_reported(
    step: list[object], expected: list[tuple[str, str]]
) -> None:
    feasibility = check(step)

    assert [(parameter.problem, parameter.name) for parameter in feasibility.parameters] == expected
    assert all(
        parameter.details.startswith("Step 1: ") and parameter.step == "1"
        for parameter in feasibility.parameters
    )


@pytest.mark.requirement("SACP-30")
def test_parameters_come_from_the_context_and_from_earlier_steps_too() -> None:
    predict = ["predict", "PRC_EST", {"method": "linear", "window": 7}]
    give = Agent("HISTORIAN", ("recall",), ("DB",), (), ("history",), "Knows old prices")
    recall = ["recall", "DB", {}]

    def missing(*steps: object, **more: object) -> list[str]:
        feasibility = feasible.check(read(*steps, **more), LIBRARY, (*AGENTS, give))
        return [parameter.name for parameter in feasibility.parameters]

    assert missing(predict) == ["history"]
    assert missing(predict, ctx={"history": [1, 2]}) == []
    assert missing(recall, predict) == []
    assert missing(predict, recall) == ["history"]


@pytest.mark.requirement("SACP-30")
def test_what_is_reported_does_not_make_a_plan_of_the_source_infeasible() -> None:
    feasibility = check(
        ["extract", "FEEDBACK_DOC", {"range": "Q2"}], ["generate", "SUMMARY", {"length": "short"}]
    )

    assert feasibility.feasible
    assert feasibility.parameters


@pytest.mark.requirement("SACP-30")
@pytest.mark.parametrize(
    "step", [["rank", "H_API", {}], ["s", "RANK", {}], ["fly", "H_API", {}], ["s", "M_API", {}]]
)
def test_nobody_is_proposed_for_a_pair_that_cannot_be(step: list[object]) -> None:
    handy = Agent(
        "HANDY",
        ("rank", "search", "fly"),
        ("H_API", "RANK"),
        (),
        (),
        "Says that it does everything",
    )
    message, agents = read(step), (*AGENTS, handy)
    feasibility = feasible.check(message, LIBRARY, agents)
    run = dryrun.rehearse(message.values, agents, proposed=feasibility.proposed)

    assert feasibility.obstacles
    assert [assignment.agents for assignment in feasibility.assignments] == [()]
    assert (run.state, {event.agent for event in run.events}) == ("FAILED", {""})
    assert (
        "HANDY" in feasible.check(read(["s", "H_API", {}]), LIBRARY, agents).assignments[0].agents
    )


@pytest.mark.requirement("SACP-30")
def test_an_agent_without_the_context_that_it_needs_is_not_proposed() -> None:
    predict = ["predict", "PRC_EST", {"method": "linear", "window": 7}]
    with_history = feasible.check(read(predict, ctx={"history": [1]}), LIBRARY, AGENTS)
    without = check(predict)

    assert with_history.assignments[0].agents == ("PRICE_PREDICTOR",)
    assert (without.assignments[0].agents, without.feasible) == ((), False)
    assert without.assignments[0].lacking == ("PRICE_PREDICTOR",)
    assert spawn.find_missing(read(predict), report.look(read(predict), LIBRARY, AGENTS)) == []


@pytest.mark.requirement("SACP-24")
def test_an_answer_names_the_step_and_the_words() -> None:
    answer = check({"parallel": [HOTEL[0], ["s", "RANK", {}]]}, ["join", "MERGE", {}]).answer

    assert answer == {
        "status": "ERR",
        "code": "VERB_TOOL_MISMATCH",
        "details": 'Step 1, branch 2: "RANK" does not support "s" (search).',
    }
    assert codec.decode(json.dumps(answer)).diagnostics == ()


@pytest.mark.requirement("SACP-30")
def test_a_message_that_is_wrong_in_itself_is_answered_first() -> None:
    assert check().answer["status"] == "REQ_CLARIFY"
    assert check(["fly"]).answer["code"] == "MALFORMED_PLAN"
    assert not check(["fly"]).assignments


@pytest.mark.requirement("SACP-30")
def test_a_plan_that_nobody_carries_out_is_valid_and_not_feasible() -> None:
    feasibility = feasible.check(read(*HOTEL), LIBRARY, ())

    assert feasibility.answer == {"status": "VALID"}
    assert not feasibility.feasible
