"""Plans with steps side by side are drawn on the panel of a message."""

import json

import pytest
from django.test import Client

from cablese.message import Message
from cablese.protocols.sacp.codec import codec
from playground.display import plan_diagram
from playground.display.plan_diagram import Graph

TWO = {"parallel": [["fetch", "H_API", {}], ["predict", "PRC_EST", {}]]}
JOIN = ["join", "MERGE", {}]


def read(*steps: object) -> Message:
    return codec.decode(json.dumps({"g": "A", "plan": list(steps)}))


def draw(*steps: object) -> Graph:
    graph = plan_diagram.draw(read(*steps))
    assert graph is not None
    return graph


@pytest.mark.requirement("SACP-11")
def test_branches_stand_above_each_other_and_meet_before_the_join() -> None:
    graph = draw(TWO, JOIN)

    first, second, join = graph.boxes
    assert first.x == second.x < join.x
    assert first.y < second.y
    assert join.joins
    assert not first.joins
    assert len(graph.lines) == 3
    assert {(line.x2, line.y2) for line in graph.lines[:2]} == {
        (graph.lines[2].x1, graph.lines[2].y1)
    }
    assert all(0 <= box.x <= graph.width and 0 <= box.y <= graph.height for box in graph.boxes)


@pytest.mark.requirement("SACP-11")
def test_the_list_says_the_same() -> None:
    one, join = draw(TWO, JOIN).steps

    assert [branch.label for branch in one.branches] == ["fetch with H_API", "predict with PRC_EST"]
    assert join.label == "join with MERGE"


def test_what_runs_in_a_row_is_not_drawn() -> None:
    assert plan_diagram.draw(read(["fetch", "H_API", {}], JOIN)) is None
    assert plan_diagram.draw(codec.decode("")) is None
    assert plan_diagram.draw(codec.decode('{"status":"VALID"}')) is None


@pytest.mark.parametrize(
    "broken", [5, None, [], {}, ["fetch"], [5, {}, "x"], {"parallel": 5}, {"parallel": []}]
)
def test_broken_steps_are_drawn_as_far_as_they_go(broken: object) -> None:
    assert draw(TWO, broken, {"parallel": [broken, {"parallel": [broken]}]}).boxes


def test_a_large_plan_is_cut() -> None:
    graph = draw({"parallel": [["a" * 50, "T", {}]] * 100}, JOIN)

    assert len(graph.boxes) == plan_diagram.BOXES
    assert graph.more == 101 - plan_diagram.BOXES
    assert len(graph.boxes[0].verb) == plan_diagram.LETTERS


def later(*steps: object) -> Message:
    return codec.decode(json.dumps({"proto_ver": "1.0.0", "g": "A", "plan": list(steps)}))


def step(name: str, *after: str, **more: str) -> dict[str, object]:
    return {
        "id": name,
        "verb": "run",
        "tool": name.upper(),
        "params": {},
        "depends_on": list(after),
        **more,
    }


@pytest.mark.requirement("SACP-36")
def test_a_plan_of_1_0_is_drawn_from_what_its_steps_wait_for() -> None:
    graph = plan_diagram.draw(
        later(step("a"), step("b", "a"), step("c", "a"), step("d", "b", "c"), step("e", "a"))
    )
    assert graph is not None
    a, b, c, e, d = graph.boxes

    assert [box.tool for box in graph.boxes] == ["A", "B", "C", "E", "D"]
    assert a.x < b.x == c.x == e.x < d.x
    assert len(graph.lines) == 5
    assert not any(line.otherwise for line in graph.lines)
    assert [step.label for step in graph.steps][3:] == [
        "d: run with D, after b, c",
        "e: run with E, after a",
    ]


@pytest.mark.requirement("SACP-36")
def test_a_fallback_is_drawn_behind_the_step_that_it_stands_in_for() -> None:
    graph = plan_diagram.draw(later(step("a", on_error="fallback", fallback_step="b"), step("b")))
    assert graph is not None

    assert graph.boxes[0].x < graph.boxes[1].x
    assert [line.otherwise for line in graph.lines] == [True]
    assert graph.steps[1].label == "b: run with B, if a fails"


def test_steps_of_1_0_in_a_row_or_in_a_circle_are_not_drawn() -> None:
    assert plan_diagram.draw(later(step("a"), step("b", "a"))) is None
    assert plan_diagram.draw(later(step("a", "b"), step("b", "a"))) is None


@pytest.mark.parametrize(
    "broken", [5, None, [], {}, ["fetch"], {"id": 5}, {"id": "x", "depends_on": 5}, {"id": "a"}]
)
def test_broken_steps_of_1_0_are_drawn_as_far_as_they_go(broken: object) -> None:
    graph = plan_diagram.draw(later(step("a"), broken, step("b", "a", "nowhere")))

    assert graph is not None
    assert graph.boxes


@pytest.mark.django_db
def test_a_deep_plan_is_shown(client: Client) -> None:
    plan = '{"parallel":[' * 25 + '["a","T",{}]' + "]}" * 25

    page = client.post(
        "/reading", {"text": f'{{"g":"A","plan":[{plan},["join","M",{{}}]]}}'}
    ).content.decode()

    assert "and deeper: 1" in page
    assert page.count('class="plan-step') == 2


@pytest.mark.django_db
@pytest.mark.requirement("SACP-11")
def test_the_workbench_shows_picture_and_list(client: Client) -> None:
    page = client.post(
        "/reading", {"text": read(TWO, ["join", "<script>", {}]).wire}
    ).content.decode()

    assert page.count('class="plan-step') == 3
    assert "<li>fetch with H_API</li>" in page
    assert "<script>" not in page
    assert "style=" not in page.split('class="panel plan"')[1].split("</section>")[0]


def test_lines_begin_and_end_at_the_middle_of_a_side_of_a_box() -> None:
    graph = draw(TWO, JOIN)
    first, second, join = graph.boxes
    rights = {(box.x + graph.box_width, box.y + graph.box_height // 2) for box in (first, second)}

    assert {(line.x1, line.y1) for line in graph.lines[:2]} == rights
    assert (graph.lines[2].x2, graph.lines[2].y2) == (join.x, join.y + graph.box_height // 2)
    assert 2 * graph.lines[2].x1 == first.x + graph.box_width + join.x
    assert graph.lines[2].y1 == join.y + graph.box_height // 2


def test_words_stand_in_the_middle_of_their_box_one_above_the_other() -> None:
    for box in draw(TWO, JOIN).boxes:
        assert 2 * box.middle == 2 * box.x + Graph.box_width
        assert box.y < box.upper < box.lower < box.y + Graph.box_height


def test_a_line_between_steps_of_1_0_leads_from_side_to_side() -> None:
    graph = plan_diagram.draw(later(step("a"), step("b"), step("c", "a", "b")))
    assert graph is not None
    a, b, c = graph.boxes

    assert {(line.x1, line.y1, line.x2, line.y2) for line in graph.lines} == {
        (box.x + graph.box_width, box.y + graph.box_height // 2, c.x, c.y + graph.box_height // 2)
        for box in (a, b)
    }
