"""When teaching a protocol in the prompt has paid for itself."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.tokens import breakeven_chart
from playground.tokens.breakeven import LONGEST, Plan, graduate, reach, tabulate


def plan(
    prompt: int = 300,
    message: int = 19,
    baseline: int = 27,
    messages: int = 20,
    repeats: int = 1,
    factor: Fraction = Fraction(1),
) -> Plan:
    return Plan(prompt, Fraction(message), Fraction(baseline), messages, repeats, factor)


plans = st.builds(
    plan,
    prompt=st.integers(0, 10_000),
    message=st.integers(0, 500),
    baseline=st.integers(0, 500),
    messages=st.integers(1, 2000),
    repeats=st.integers(0, 50),
    factor=st.fractions(0, 1, max_denominator=100),
)


def test_a_prompt_pays_back_when_its_cost_is_saved() -> None:
    assert plan().saved == 8
    assert plan().pays_back == 38
    assert plan().spend(37) == (Fraction(300 + 37 * 19), Fraction(37 * 27))


def test_every_repeat_costs_the_whole_prompt_unless_it_is_cached() -> None:
    assert plan(repeats=4).teaching == 1200
    assert plan(repeats=4, factor=Fraction(1, 10)).teaching == 390
    assert plan(repeats=4, factor=Fraction(1, 10)).pays_back == 49


@pytest.mark.parametrize("message", [27, 40])
def test_what_saves_nothing_never_pays_back(message: int) -> None:
    assert plan(message=message).pays_back is None


def test_what_is_not_taught_has_nothing_to_pay_back() -> None:
    assert plan(prompt=0).pays_back == 0
    assert plan(repeats=0).teaching == 0
    assert plan(prompt=0, message=40).pays_back is None
    assert plan(prompt=0, message=27).pays_back == 0


@given(plans)
def test_break_even_is_the_first_message_that_costs_no_more(one: Plan) -> None:
    at = one.pays_back
    if at is None:
        assert all(ours >= theirs for ours, theirs in map(one.spend, (1, 10, 10**6)))
        return
    ours, theirs = one.spend(at)
    assert ours <= theirs
    if at:
        ours, theirs = one.spend(at - 1)
        assert ours > theirs


def test_the_table_has_break_even_and_the_conversation_that_was_asked_for() -> None:
    steps = {step.messages: step for step in tabulate(plan(messages=100))}

    assert list(steps) == sorted(steps)
    assert steps[38].marked == "break-even"
    assert steps[100].marked == "your conversation"
    assert (steps[100].protocol, steps[100].baseline, steps[100].difference) == (2200, 2700, -500)


def test_an_axis_has_round_numbers() -> None:
    assert list(graduate(100)) == [0, 50, 100]
    assert list(graduate(2700)) == [0, 1000, 2000]
    assert list(graduate(3)) == [0, 1, 2, 3]


@given(plans)
def test_every_point_of_the_chart_lies_in_the_picture(one: Plan) -> None:
    chart = breakeven_chart.draw(one)
    across = [
        chart["ours"][0],
        chart["ours"][2],
        chart["theirs"][2],
        chart["yours"],
        *(at for at, _ in chart["across"]),
    ]
    up = [*chart["ours"][1::2], *chart["theirs"][1::2], *(at for at, _ in chart["up"])]
    if chart["crossing"]:
        across.append(chart["crossing"][0])
        up.append(chart["crossing"][1])

    assert all(chart["left"] <= x <= chart["right"] + 0.1 for x in across)
    assert all(chart["top"] - 0.1 <= y <= chart["bottom"] + 0.1 for y in up)
    assert 2 <= len(chart["across"]) <= 8
    assert (chart["crossing"] is not None) == bool(one.pays_back and one.pays_back <= reach(one))


def test_the_lines_cross_in_the_chart_when_the_protocol_pays_back() -> None:
    chart = breakeven_chart.draw(plan())

    assert chart["crossing"] is not None
    assert chart["left"] < chart["crossing"][0] < chart["right"]
    assert chart["ours"][1] < chart["theirs"][1]
    assert chart["ours"][3] > chart["theirs"][3]


@pytest.mark.parametrize(
    ("one", "shown"),
    [
        (plan(messages=LONGEST), LONGEST),
        (plan(messages=LONGEST + 1), LONGEST),
        (plan(prompt=LONGEST, message=26), LONGEST),
        (plan(prompt=LONGEST + 1, message=26), 20),
    ],
)
def test_a_chart_has_a_longest_conversation(one: Plan, shown: int) -> None:
    """Break-even comes after as many messages as the prompt has tokens; if too late, never."""
    assert reach(one) == shown
