"""A container that lines name as their writer is the agent that other lines name."""

import pytest

from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Supplied
from cablese.conversation.replicas import name_agents
from cablese.detection import decode
from cablese.transcript import split

ASK, ANSWER = "T|1|Q|obj=door", "T|2|A|res=open"
POD = "7d9f8c6b5-x2x1z"


def sides(*pairs: tuple[str, str], line: bool = True) -> list[tuple[str | None, str | None]]:
    supplied = [Supplied(sender=one, recipient=other, line=line) for one, other in pairs]
    return [(each.sender, each.recipient) for each in name_agents(supplied)]


@pytest.mark.parametrize(
    "lines",
    [
        ("planner-1  | sent to executor:", "executor-1 | sent to planner:"),
        ("planner_1  | sent to executor:", "executor_1 | sent to planner:"),
        ("executor-1 | received from planner:", "planner-1  | received from executor:"),
        (f"[pod/planner-{POD}/planner] sent to executor:",
         f"[pod/executor-{POD}/executor] sent to planner:"),
    ],
)  # fmt: skip
def test_lines_of_two_containers_are_one_conversation(lines: tuple[str, str]) -> None:
    cuts = split(f"{lines[0]} {ASK}\n{lines[1]} {ANSWER}").messages

    (only,) = gather([decode(cut.wire) for cut in cuts], recorded(cuts))

    assert only.findings == ()
    assert [(leg.sender, leg.recipient) for leg in only.legs] == [
        ("planner", "executor"), ("executor", "planner"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "pairs",
    [
        (("boss", "worker-1"), ("worker-1", "boss"), ("boss", "worker"), ("worker", "boss")),
        (("worker-1", "boss"), ("worker-2", "boss"), ("boss", "worker")),
        (("worker", "boss-1"), ("worker-1", "boss")),
        (("worker-1", "boss"), ("boss", "worker-1")),
        (("gpt-4", "boss"), ("boss", "claude")),
    ],
)
def test_names_that_may_be_two_agents_stay(pairs: tuple[tuple[str, str], ...]) -> None:
    assert sides(*pairs) == list(pairs)


def test_names_that_no_line_states_stay() -> None:
    pairs = (("planner-1", "executor"), ("executor-1", "planner"))

    assert sides(*pairs, line=False) == list(pairs)
    assert sides(*pairs) == [("planner", "executor"), ("executor", "planner")]
