"""Training examples of nSLIP: every one decodes, fits its role and the flow, and comes out the same
every time.
"""

import re
from collections import Counter
from hashlib import sha256

import msgspec
import pytest

from cablese.conversation.gather import gather
from cablese.protocols.nslip.codec import codec
from cablese.protocols.nslip.flow import MOVES
from cablese.protocols.nslip.training import work
from cablese.protocols.nslip.training.examples import (
    CHOSEN,
    GOAL,
    LESSONS,
    ROLES,
    SCORES,
    Example,
    make_example,
    make_examples,
    write_lines,
)

EXAMPLES = list(make_examples(42, 4_000))
PINNED = "8e575fa148150eeabe48b717329ac7283cd906525898d8a6cfbaa803065d06f6"
"""SHA-256 of the first 1,000 lines of seed 42. Whoever changes it changes the data that people have
trained with.
"""


def message_of(example: Example) -> str:
    return example.prompt.split("Current message:\n")[1].split("\n")[0]


def messages_of(example: Example) -> dict[str, str]:
    """What is received, unless it is a goal in English, and the answer, by act and frame."""
    received = {} if example.received == GOAL else {example.received: message_of(example)}
    return received | {example.expected: example.target}


def told_by(prompt: str) -> dict[str, set[object]]:
    """Every value that a prompt gives to a slot, read from the prompt alone."""
    message = re.search(r"^Current message:\n(.+)$", prompt, re.MULTILINE)
    slots = codec.decode(message[1]).values["slots"] if message else {}
    told: dict[str, set[object]] = {key: {value} for key, value in slots.items()}
    goal = re.search(r"^Goal\[(\d+)\]: ", prompt, re.MULTILINE)
    assert goal
    told.setdefault("g", set()).add(int(goal[1]))
    tags = told.setdefault("@", set())
    tags.add(f"goal_{goal[1]}")
    # A reason may become the tag of a question, and a tag the reason of a rejection.
    reasons = told.setdefault("!", set())
    reasons |= tags
    for line in re.finditer(r"^Task\[(\d+)\]: priority ([123])\.$", prompt, re.MULTILINE):
        told["t"], told["p"] = {int(line[1])}, {int(line[2])}
    for line in re.finditer(
        r"^(?:Result\[(\d+)\]|Progress|Failure): ([a-z ]+), ([^.]+)\.$", prompt, re.MULTILINE
    ):
        if line[1]:
            told["r"] = {int(line[1])}
        told["s"] = {line[2].replace(" ", "_")}
        tags.add(line[3].replace(" ", "_"))
        reasons.add(line[3].replace(" ", "_"))
    if "sc" in slots:
        told["s"] = {status for status, scores in SCORES.items() if slots["sc"] in scores}
    return told


ALLOWED: dict[str, dict[str, set[object]]] = {
    "PRO/PLN": {"@": {plan for trade in work.TRADES for plan in trade.plans}},
    "REJ/PLN": {"!": set(work.OBJECTIONS), "@": set(work.REMEDIES)},
    "EVL/EVL": {"sc": set(range(11)), "@": {*work.PRAISE, *work.CRITIQUE, *work.BLAME}},
    "QRY/CST": {"@": set(work.QUESTIONS)},
}
"""What a role decides for itself, written out: nothing else may be in a target unless the prompt
gives it.
"""


@pytest.mark.requirement("NSLIP-20")
@pytest.mark.parametrize("role", ROLES)
def test_every_role_has_prompts_of_every_lesson(role: str) -> None:
    learned = {(example.received, example.expected) for example in EXAMPLES if example.role == role}

    assert learned == {(lesson.received, lesson.expected) for lesson in LESSONS[role]}


@pytest.mark.requirement("NSLIP-20")
def test_a_prompt_has_the_form_of_the_source() -> None:
    example = next(
        example
        for example in EXAMPLES
        if (example.received, example.expected) == ("REQ/TSK", "PRO/PLN")
    )
    received = codec.decode(message_of(example)).values["slots"]

    assert example.role == "planner"
    assert example.prompt.startswith(
        "You are a planner agent. You receive a REQUEST/TASK message.\n"
        "Reply with a single PROPOSE/PLAN nSLIP message.\n\n"
        f"Current message:\nREQ/TSK|g={received['g']},t={received['t']},p={received['p']},"
        f"@=goal_{received['g']}\n\n"
        f"Goal[{received['g']}]: "
    )
    assert example.prompt.endswith(".\n")


@pytest.mark.requirement("NSLIP-20")
def test_articles_agree_with_what_follows() -> None:
    openings = {example.prompt.split("\n")[0] for example in EXAMPLES}

    assert "You are an executor agent. You receive an ACCEPT/PLAN message." in openings
    assert "You are a critic agent. You receive an INFORM/OBSERVATION message." in openings
    assert "You are a coordinator agent. You receive an EVAL/EVALUATION message." in openings


@pytest.mark.requirement("NSLIP-21")
def test_every_message_decodes_without_a_remark_and_is_what_was_announced() -> None:
    for example in EXAMPLES:
        for code, wire in messages_of(example).items():
            message = codec.decode(wire)
            assert message.diagnostics == ()
            assert codec.canonical(message) == wire
            assert wire.startswith(f"{code}|")


@pytest.mark.requirement("NSLIP-21")
def test_an_answer_speaks_of_the_same_goal_and_task() -> None:
    for example in EXAMPLES:
        answered = codec.decode(example.target).values["slots"]
        assert f"\nGoal[{answered['g']}]: " in example.prompt
        if example.received != GOAL:
            asked = codec.decode(message_of(example)).values["slots"]
            assert (asked["g"], asked["t"]) == (answered["g"], answered["t"])


@pytest.mark.requirement("NSLIP-21")
def test_every_slot_of_a_target_is_told_by_the_prompt_or_is_the_roles_own_choice() -> None:
    for example in EXAMPLES:
        told, own = told_by(example.prompt), ALLOWED.get(example.expected, {})
        for key, value in codec.decode(example.target).values["slots"].items():
            assert value in told.get(key, set()) | own.get(key, set()), (
                example.prompt,
                example.target,
                key,
            )


@pytest.mark.requirement("NSLIP-21")
def test_the_documented_choices_are_the_only_ones() -> None:
    assert {code: set(slots) for code, slots in CHOSEN.items()} == {
        code: set(slots) for code, slots in ALLOWED.items()
    }


@pytest.mark.requirement("NSLIP-21")
def test_a_priority_is_never_made_up() -> None:
    given = [example for example in EXAMPLES if "p" in codec.decode(example.target).values["slots"]]

    assert {one.expected for one in given} == {"REQ/TSK", "PRO/PLN"}
    assert all(
        codec.decode(one.target).values["slots"]["p"] in told_by(one.prompt)["p"] for one in given
    )


@pytest.mark.requirement("NSLIP-20")
def test_a_coordinator_turns_a_goal_into_the_first_request() -> None:
    first = [example for example in EXAMPLES if example.received == GOAL]

    assert {(one.role, one.expected) for one in first} == {("coordinator", "REQ/TSK")}
    for one in first:
        slots = codec.decode(one.target).values["slots"]
        assert one.prompt.startswith(
            "You are a coordinator agent. You receive a goal from the user.\n"
            "Reply with a single REQUEST/TASK nSLIP message.\n\n"
            f"Task[{slots['t']}]: priority {slots['p']}.\n\n"
            f"Goal[{slots['g']}]: "
        )
        assert list(slots) == ["g", "t", "p", "@"]


@pytest.mark.requirement("NSLIP-18")
@pytest.mark.parametrize("act", ["QRY", "CFM"])
def test_questions_and_confirmations_are_taught(act: str) -> None:
    taught = {example.role for example in EXAMPLES if example.expected.startswith(act)}

    assert len(taught) >= 2
    assert any(example.received.startswith("QRY") for example in EXAMPLES)


@pytest.mark.requirement("NSLIP-21")
def test_scores_agree_with_statuses() -> None:
    scored = Counter[str]()
    for example in EXAMPLES:
        if example.expected == "EVL/EVL":
            status = codec.decode(message_of(example)).values["slots"]["s"]
            assert codec.decode(example.target).values["slots"]["sc"] in SCORES[status]
            scored[status] += 1

    assert scored.keys() == SCORES.keys()
    assert sorted(score for scores in SCORES.values() for score in scores) == list(range(11))


@pytest.mark.requirement("NSLIP-21")
def test_a_coordinator_ends_what_is_done_and_sends_back_what_is_not() -> None:
    for example in EXAMPLES:
        if example.received == "EVL/EVL":
            done = codec.decode(message_of(example)).values["slots"]["sc"] in SCORES["done"]
            assert example.expected == ("CFM/EVL" if done else "REJ/PLN")


@pytest.mark.requirement("NSLIP-16")
def test_every_lesson_is_a_step_of_the_flow() -> None:
    """No answer is out of order behind the message that it answers, and it comes from the role that
    the flow names.
    """
    for example in EXAMPLES[:400]:
        (conversation,) = gather([codec.decode(wire) for wire in messages_of(example).values()])
        found = {finding.code for finding in conversation.findings}
        assert not found & {"nslip.out-of-order", "nslip.changed-decision"}
        if example.expected in MOVES:
            assert MOVES[example.expected].sender == example.role


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
    assert {example.role for example in make_examples(42, 200, ["critic", "planner"])} == {
        "critic",
        "planner",
    }


def test_goals_and_examples_are_many() -> None:
    goals = {example.prompt.rpartition("]: ")[2] for example in EXAMPLES}

    assert len(goals) > 3_500
    assert len({example.prompt + example.target for example in EXAMPLES}) == len(EXAMPLES)
    assert all(count > 800 for count in Counter(example.role for example in EXAMPLES).values())
