"""Training examples of nSLIP: every one decodes, fits its role and the flow, and comes out the same every time."""

from collections import Counter
from hashlib import sha256

import msgspec
import pytest

from protocols.nslip.codec import codec
from protocols.nslip.flow import MOVES
from protocols.nslip.training import LESSONS, ROLES, SCORES, Example, make_example, make_examples, write_lines
from protocols.thread import gather

EXAMPLES = list(make_examples(42, 4_000))
PINNED = "94963039d7a6b8ef232f4184710bcdb1227b72b1ccb4a2c9e7436af7e96d08db"
"""SHA-256 of the first 1,000 lines of seed 42. Whoever changes it changes the data that people have trained with."""


def message_of(example: Example) -> str:
    return example.prompt.split("Current message:\n")[1].split("\n")[0]


@pytest.mark.requirement("NSLIP-20")
@pytest.mark.parametrize("role", ROLES)
def test_every_role_has_prompts_of_every_lesson(role: str) -> None:
    learned = {(one.received, one.expected) for one in EXAMPLES if one.role == role}

    assert learned == {(lesson.received, lesson.expected) for lesson in LESSONS[role]}


@pytest.mark.requirement("NSLIP-20")
def test_a_prompt_has_the_form_of_the_source() -> None:
    one = next(one for one in EXAMPLES if one.received == "REQ/TSK")
    received = codec.decode(message_of(one)).values["slots"]

    assert one.role == "planner"
    assert one.prompt.startswith(
        "You are a planner agent. You receive a REQUEST/TASK message.\n"
        "Reply with a single PROPOSE/PLAN nSLIP message.\n\n"
        f"Current message:\nREQ/TSK|g={received['g']},t={received['t']},p={received['p']},@=goal_{received['g']}\n\n"
        f"Goal[{received['g']}]: "
    )
    assert one.prompt.endswith(".\n")


@pytest.mark.requirement("NSLIP-20")
def test_articles_agree_with_what_follows() -> None:
    openings = {one.prompt.split("\n")[0] for one in EXAMPLES}

    assert "You are an executor agent. You receive an ACCEPT/PLAN message." in openings
    assert "You are a critic agent. You receive an INFORM/OBSERVATION message." in openings
    assert "You are a coordinator agent. You receive an EVAL/EVALUATION message." in openings


@pytest.mark.requirement("NSLIP-21")
def test_every_message_decodes_without_a_remark_and_is_what_was_announced() -> None:
    for one in EXAMPLES:
        for wire, code in ((message_of(one), one.received), (one.target, one.expected)):
            message = codec.decode(wire)
            assert message.diagnostics == ()
            assert codec.canonical(message) == wire
            assert wire.startswith(f"{code}|")


@pytest.mark.requirement("NSLIP-21")
def test_an_answer_speaks_of_the_same_goal_and_task() -> None:
    for one in EXAMPLES:
        asked, answered = (codec.decode(wire).values["slots"] for wire in (message_of(one), one.target))
        assert (asked["g"], asked["t"]) == (answered["g"], answered["t"])
        assert f"\nGoal[{asked['g']}]: " in one.prompt


@pytest.mark.requirement("NSLIP-21")
def test_scores_agree_with_statuses() -> None:
    scored = Counter[str]()
    for one in EXAMPLES:
        if one.role == "critic":
            status = codec.decode(message_of(one)).values["slots"]["s"]
            assert codec.decode(one.target).values["slots"]["sc"] in SCORES[status]
            scored[status] += 1

    assert scored.keys() == SCORES.keys()
    assert sorted(score for scores in SCORES.values() for score in scores) == list(range(11))


@pytest.mark.requirement("NSLIP-21")
def test_a_coordinator_ends_what_is_done_and_sends_back_what_is_not() -> None:
    for one in EXAMPLES:
        if one.received == "EVL/EVL":
            done = codec.decode(message_of(one)).values["slots"]["sc"] in SCORES["done"]
            assert one.expected == ("CFM/EVL" if done else "REJ/PLN")


@pytest.mark.requirement("NSLIP-16")
def test_every_lesson_is_a_step_of_the_flow() -> None:
    """No answer is out of order behind the message that it answers, and it comes from the role that the flow names."""
    for one in EXAMPLES[:400]:
        (conversation,) = gather([codec.decode(message_of(one)), codec.decode(one.target)])
        found = {finding.code for finding in conversation.findings}
        assert not found & {"nslip.out-of-order", "nslip.changed-decision"}
        if one.expected in MOVES:
            assert MOVES[one.expected].sender == one.role


@pytest.mark.requirement("NSLIP-21")
def test_the_same_seed_gives_the_same_bytes_and_another_one_others() -> None:
    lines = b"".join(write_lines(make_examples(42, 1_000)))

    assert sha256(lines).hexdigest() == PINNED
    assert lines != b"".join(write_lines(make_examples(43, 1_000)))


@pytest.mark.requirement("NSLIP-21")
def test_an_example_needs_none_of_those_before_it() -> None:
    assert make_example(42, 3_999) == EXAMPLES[3_999]


@pytest.mark.requirement("NSLIP-21")
def test_a_line_is_one_example() -> None:
    (line,) = write_lines(make_examples(1, 1))

    assert line.endswith(b"\n")
    assert msgspec.json.decode(line, type=Example) == make_example(1, 0)
    assert list(msgspec.json.decode(line)) == ["role", "received", "expected", "prompt", "target"]


@pytest.mark.requirement("NSLIP-21")
def test_only_the_roles_that_were_asked_for_come() -> None:
    assert {one.role for one in make_examples(42, 200, ["critic", "planner"])} == {"critic", "planner"}


def test_goals_and_examples_are_many() -> None:
    goals = {one.prompt.rpartition("]: ")[2] for one in EXAMPLES}

    assert len(goals) > 3_500
    assert len({one.prompt + one.target for one in EXAMPLES}) == len(EXAMPLES)
    assert all(count > 800 for count in Counter(one.role for one in EXAMPLES).values())
