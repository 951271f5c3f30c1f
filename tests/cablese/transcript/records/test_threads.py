"""The conversation that a line names, and threads of programs, which are none."""

import json
from typing import Any

import pytest

from .wires import NSLIP, cuts


def _thread(text: str) -> tuple[str | None, Any]:
    (cut,) = cuts(text)
    return cut.facts.thread, cut.facts.attributes.get("thread")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"wire": NSLIP, "from": "a", "thread": "zz-9"}),
        json.dumps({"wire": NSLIP, "thread": "zz-9"}),
        json.dumps({"from": "a", "to": "b", "thread": "zz-9", "msg": NSLIP}),
        json.dumps({"level": "info", "packet": {"from": "a", "thread": "zz-9", "wire": NSLIP}}),
        f"2026-11-20T10:00:01Z from=planner to=executor thread=zz-9 {NSLIP}",
        f"- thread: zz-9\n  from: planner\n  wire: {NSLIP}\n",
    ],
)
def test_it_reads_the_thread_of_a_conversation(text: str) -> None:
    assert _thread(text) == ("zz-9", None)


@pytest.mark.parametrize(
    "members",
    [
        {"level": "INFO", "thread": "zz-9", "from": "a"},
        {"loggerName": "bus", "thread": "zz-9", "from": "a"},
        {"log.level": "INFO", "thread": "zz-9", "to": "b"},
        {"pid": 7, "thread": "zz-9", "from": "a"},
        {"threadPriority": 5, "thread": "zz-9", "from": "a"},
        {"thread": "zz-9", "host": "a"},
        {"thread": "main", "from": "a"},
        {"thread": "MainThread", "from": "a"},
        {"thread": "http-nio-8080-exec-1", "from": "a"},
        {"thread": "pool-1-thread-2", "from": "a"},
        {"thread": "DefaultDispatcher-worker-1", "from": "a"},
        {"thread": "140213", "from": "a"},
    ],
)
def test_a_thread_that_may_be_one_of_a_program_is_an_attribute(members: dict[str, Any]) -> None:
    assert _thread(json.dumps(members | {"message": NSLIP})) == (None, members["thread"])


@pytest.mark.parametrize(
    ("line", "thread"),
    [
        ("2026-11-20 10:00:01 INFO thread=zz-9 from=planner", "zz-9"),
        ("2026-11-20 10:00:01 thread=main from=planner", "main"),
        ("2026-11-20 10:00:01 thread=zz-9", "zz-9"),
    ],
)
def test_a_thread_of_a_program_on_a_line_is_an_attribute(line: str, thread: str) -> None:
    assert _thread(f"{line} {NSLIP}") == (None, thread)


def test_an_id_that_is_a_number_beside_a_level_is_that_of_a_program() -> None:
    (cut,) = cuts(f'ts=1795168801 level=info thread_id=140213 from=planner msg="{NSLIP}"')

    assert cut.facts.thread is None
    assert cut.facts.attributes["thread_id"] == "140213"


def test_an_id_is_a_conversation_beside_a_level_too() -> None:
    for key in ("thread_id", "conversation_id", "conversation"):
        members = {"level": "info", key: "t-17", "message": NSLIP}
        (cut,) = cuts(json.dumps(members))
        assert cut.facts.thread == "t-17"
