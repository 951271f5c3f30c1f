"""Values of YAML that go on in the next lines are read as one."""

import time

import pytest

from cablese.transcript import split
from cablese.transcript.layers import yaml_lines
from tests.cablese.transcript.layers.arriving import feed

TASK, OTHER = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor", "ACC/PLN|g=42,t=1"
REASON = "REJ/PLN|g=42,t=1,!=the build failed again"


def wires(text: str) -> list[str]:
    return [cut.wire for cut in split(text).messages]


@pytest.mark.parametrize(
    "text",
    [
        "- from: planner\n  wire: REJ/PLN|g=42,t=1,!=the\n    build failed\n    again\n",
        "- wire: REJ/PLN|g=42,t=1,!=the\n    build failed again\n  from: planner\n",
        "messages:\n  - REJ: x\n    msg: REJ/PLN|g=42,t=1,!=the\r\n      build failed again\r\n",
        "- wire: >-\n    REJ/PLN|g=42,t=1,!=the build\n    failed again\n  from: planner\n",
        "wire: >\n  REJ/PLN|g=42,t=1,!=the build\n  failed again\n",
        "- wire: 'REJ/PLN|g=42,t=1,!=the build\n    failed again'\n",
        '- "wire": "REJ/PLN|g=42,t=1,!=the build\n    failed again"\n',
        'wire: "REJ/PLN|g=42,t=1,!=the build fai\\\n  led again"\n',
        'wire: "REJ/PLN|g=42,t=1,!=the build\\\n  \\ failed again"\n',
    ],
)
def test_a_value_of_several_lines_is_one_message(text: str) -> None:
    assert wires(text) == [REASON]
    assert list(feed(list(text))) == [REASON]
    assert wires(f"{OTHER}\n{text}{OTHER}\n") == [OTHER, REASON, OTHER]


def test_a_key_beside_a_value_tells_that_it_is_of_yaml() -> None:
    text = "message: REJ/PLN|g=42,t=1,!=the\n  build failed again\n"

    assert wires(f"{text}from: planner\n") == [REASON]
    assert wires(f"from: planner\n{text}") == [REASON]
    assert wires(text) == ["REJ/PLN|g=42,t=1,!=the"]


@pytest.mark.parametrize(
    "text",
    [
        f"message: {TASK}\n  at Bus.send (bus.js:42)\nfrom: planner\n",
        f"planner: {TASK}\n  build failed\nexecutor: {OTHER}\n",
        f"message: {TASK}\n  build failed\nmessage: {OTHER}\n",
        f"- wire: {TASK}\n    note: build failed\n",
        f"- wire: {TASK}\n    - build failed\n",
        f"- wire: {TASK}\n    # build failed\n",
        f"- wire: {TASK}\n  build failed\n",
        f"- wire: {TASK}\n\n    build failed\n",
        f"- wire: >-\n    {TASK}\n    {OTHER}\n",
        f"- wire: |\n    {TASK}\n    build failed\n",
        f"- wire: '{TASK}'\n    build failed\n",
    ],
)
def test_a_line_of_its_own_is_not_joined(text: str) -> None:
    count = 1 + text.count("ACC/PLN")

    assert wires(text) == [TASK, OTHER][:count]


def test_a_line_with_which_the_message_is_wrong_is_none_of_it() -> None:
    assert wires("- wire: ACC/PLN|g=42,t=1\n    sent to executor\n") == [OTHER]


def test_only_a_line_that_may_go_on_is_held_back() -> None:
    for line in (f"{TASK}\n", f"wire: {TASK}\n", f"wire: '{TASK}'\n", f"  {TASK}\n"):
        assert [cut.wire for cut in split(line, final=False).messages] == [TASK]
    assert not split(f"- wire: {TASK}\n", final=False).messages


def test_the_places_are_those_of_the_text() -> None:
    text = f"- wire: REJ/PLN|g=42,t=1,!=the\n    build failed\n- wire: {OTHER}\n"
    first, second = split(text).messages

    assert text[slice(*first.span)] == "REJ/PLN|g=42,t=1,!=the\n    build failed"
    assert text[slice(*second.span)] == OTHER


def test_many_lines_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        text = f"- wire: {TASK}\n" + "    more of it\n" * count + f"- wire: {TASK}\n" * count
        begun = time.perf_counter()
        yaml_lines.take_out(text, final=False)
        return time.perf_counter() - begun

    seconds(100)
    assert seconds(8_000) < 40 * seconds(1_000)
