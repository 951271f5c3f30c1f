"""The states of a conversation as rows and columns of a page."""

import time

from cablese import detection
from cablese.conversation.gather import gather
from playground.display.sequence_diagram import Pointed
from playground.display.state_table import MESSAGES, SUBJECTS, StateTable, draw

WRONG = (
    "REQ/TSK|g=42,t=1",
    "ACC/PLN|g=42,t=1",
    "INF/OBS|g=42,t=1,s=done",
    "INF/OBS|g=42,t=1,s=failed",
)


def table(*wires: str) -> StateTable:
    (only,) = gather([detection.decode(wire) for wire in wires])
    drawn = draw(only, [Pointed(at + 1) for at in range(len(wires))])
    assert drawn is not None
    return drawn


def test_a_row_has_the_states_after_its_message_and_marks_the_new_ones() -> None:
    drawn = table(*WRONG)

    assert [(name, [column.name for column in columns]) for name, columns in drawn.groups] == [
        ("Goals", ["42"]), ("Tasks", ["1"]), ("Agents", ["coordinator", "planner", "executor"])
    ]  # fmt: skip
    assert [cell.said for cell in drawn.rows[3].cells] == [
        "✖ failed", "✖ failed", "notified", "ready", "✖ failed"
    ]  # fmt: skip
    assert {cell.tone for cell in drawn.rows[3].cells if cell.said == "✖ failed"} == {"error"}
    assert [cell.new for cell in drawn.rows[3].cells] == [True, True, False, False, True]
    assert [cell.since for cell in drawn.rows[3].cells] == [4, 4, 3, 2, 4]
    assert [cell.said for cell in drawn.rows[0].cells][-1] == "–"


def test_the_message_where_it_went_wrong_is_shown_first_and_every_problem_is_marked() -> None:
    drawn = table(*WRONG)

    assert drawn.wrong is drawn.shown is drawn.rows[1]
    assert not drawn.late
    assert [[trouble.mark for trouble in row.troubles] for row in drawn.rows] == [
        [], ["▲"], [], ["▲", "✖"]
    ]  # fmt: skip
    assert [row.x for row in drawn.rows] == [0, 33.33, 66.67, 100]


def test_an_invalid_message_is_a_problem_and_what_its_flow_shows_is_a_finding() -> None:
    flow = table("REQ/TSK|g=42,t=1", "ACC/PLN|g=42,t=1").rows[1].troubles
    invalid = table("REQ/TSK|g=42,t=1", "PRO/PLN|g=42,t=1,p=x").rows[1].troubles
    failed = table(*WRONG).rows[3].troubles[-1]

    assert [(trouble.name, trouble.severity) for trouble in flow] == [("finding", "warning")]
    assert [(trouble.name, trouble.severity) for trouble in invalid] == [("problem", "error")]
    assert (failed.name, failed.severity) == ("finding", "info")


def test_its_marks_are_called_what_they_are() -> None:
    broken = ("PRO/PLN|g=42,t=1,p=x", "PRO/PLN|g=42,t=1,p=1")

    assert table(*WRONG).troubled == "finding"
    assert table("REQ/TSK|g=42,t=1", *broken, "ACC/PLN|g=42,t=1").troubled == "problem"
    assert table(*WRONG, *broken).troubled == "problem or finding"


def test_a_good_conversation_shows_its_end_and_an_unanswered_one_says_so() -> None:
    good = table("SLIP v3 a b Request Task", "SLIP v3 b a Inform Result")
    open_ = table("SLIP v3 a b Request Task", "SLIP v3 a b Inform Result")

    assert (good.wrong, good.shown, good.troubled) == (None, good.rows[-1], "")
    assert open_.wrong is open_.rows[0]
    assert open_.late


def test_a_long_conversation_shows_the_messages_around_the_one_that_went_wrong() -> None:
    wires = [f"T|{at}|{'AQ'[at % 2]}|obj=x{at}" for at in range(1, 301)]
    drawn = table(*wires[:200], "T|9|A|res=1", *wires[200:])

    assert len(drawn.rows) == MESSAGES
    assert drawn.shown is drawn.rows[drawn.at]
    assert drawn.shown.at.number == 201
    assert (drawn.first, drawn.last, drawn.total) == (171, 230, 301)
    assert 'data-since="171"' in drawn.rows[0].drawn
    named = [column.name for column in drawn.columns]
    assert {"171", "asker", "responder"} < set(named)
    assert "1" not in named


def test_a_long_good_conversation_shows_its_first_messages() -> None:
    wires = ["SLIP v3 a b Request Task", "SLIP v3 b a Inform Result"]
    drawn = table(*wires * (MESSAGES // 2 + 5))

    assert drawn.wrong is None
    assert (drawn.first, drawn.last, drawn.total) == (1, MESSAGES, MESSAGES + 10)
    assert drawn.shown is drawn.rows[-1]


def test_subjects_beyond_the_limit_are_counted_and_steps_give_way_to_agents() -> None:
    steps = ",".join('["s","H",{}]' for _ in range(20))
    plan = f'{{"g":"X","msg_id":"a","plan":[{steps}]}}'
    drawn = table(plan, '{"status":"VALID","reply_to":"a"}')

    assert len(drawn.columns) == SUBJECTS
    assert (drawn.more, drawn.subjects) == (True, 22)


def test_names_are_escaped_and_invisible_characters_are_shown() -> None:
    drawn = table("T|1|Q|obj=a%E2%80%AE<b>", "T|2|A|res=1")

    assert drawn.columns[0].name == "a⟨U+202E⟩<b>"
    assert "<b>" not in drawn.rows[0].drawn


def test_five_thousand_messages_are_drawn_within_a_second() -> None:
    (only,) = gather([detection.decode(WRONG[at % 4]) for at in range(5000)])
    places = [Pointed(at + 1) for at in range(5000)]
    begun = time.process_time()
    draw(only, places)

    assert time.process_time() - begun < 1
