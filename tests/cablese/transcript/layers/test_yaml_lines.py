"""Values of YAML that go on in the next lines are read as one."""

import time

import pytest

from cablese.transcript import split
from cablese.transcript.layers import yaml_lines
from tests.cablese.transcript.layers.arriving import feed, wires

TASK, OTHER = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor", "ACC/PLN|g=42,t=1"
LONG = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor_of_the_service_that_planner_has_found"
REASON = "REJ/PLN|g=42,t=1,!=the build failed again"


@pytest.mark.parametrize(
    "text",
    [
        "- wire: >-\n    REJ/PLN|g=42,t=1,!=the build\n    failed again\n  from: planner\n",
        "- wire: 'REJ/PLN|g=42,t=1,!=the build\n    failed\n    again' # and more\n",
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


@pytest.mark.parametrize(
    "text",
    [
        f"  message: {LONG}\n    at Bus.send (bus.js:42)\n",
        f"  error: {LONG}\n    Caused by: java.x\n",
        f"  error: {LONG}\n    ^~~~~\n",
        f"  text: {LONG}\n    Traceback (most recent call last):\n      x\n",
        f"  Message: {LONG}\n    Exit Code: 1\n",
        f'  wire: {LONG}\n    "from": planner\n',
        f"  wire: {LONG}\n    {OTHER}\n",
        f"  wire: {LONG},\n    10:01 planner: {OTHER}\n",
        f"planner: {LONG}\n  build failed\nexecutor: {OTHER}\n",
        f"data: {LONG}\n  what is that?\n",
        f"- wire: {LONG}\n    note: build failed\n",
        f"- wire: {LONG}\n    - build failed\n",
        f"- wire: {LONG}\n    # build failed\n",
        f"- wire: {LONG}\n  build failed\n",
        f"- wire: {LONG}\n\n    build failed\n",
        f"- wire: >-\n    {LONG}\n    {OTHER}\n",
        f"- wire: >-\n    {LONG},\n    planner -> {OTHER}\n",
        f"- wire: >-\n    {LONG}\n      build failed\n",
        f"- wire: '{LONG}\n    build failed\nnext: x\n",
        f"- wire: |\n    {LONG}\n    build failed\n",
        f"- wire: '{LONG}'\n    build failed\n",
        f'msg: "{LONG}\n  level: "info"\n',
        f"msg: '{LONG}\n  it's failing\n",
    ],
)
def test_a_line_of_its_own_is_not_joined(text: str) -> None:
    count = 1 + text.count("ACC/PLN")

    assert [wire.removesuffix(",") for wire in wires(text)] == [LONG, OTHER][:count]


def test_a_line_with_which_the_message_is_wrong_is_none_of_it() -> None:
    assert wires("- wire: >\n    ACC/PLN|g=42,t=1\n    sent to executor\n") == [OTHER]


def test_only_a_line_that_may_go_on_is_held_back() -> None:
    for lead in ("", "  ", "wire: ", "  wire: ", "- wire: "):
        assert [cut.wire for cut in split(f"{lead}{TASK}\n\n.", final=False).messages] == [TASK]
    assert [cut.wire for cut in split(f"wire: '{LONG}'\n\n.", final=False).messages] == [LONG]
    for start in ("wire: >\n  ", "wire: '", '- "wire": "'):
        assert not split(f"{start}{LONG}\n.", final=False).messages


def test_the_places_are_those_of_the_text() -> None:
    text = f"- wire: 'REJ/PLN|g=42,t=1,!=the\n    build failed'\n- wire: {OTHER}\n"
    first, second = split(text).messages

    assert text[slice(*first.span)] == "REJ/PLN|g=42,t=1,!=the\n    build failed"
    assert text[slice(*second.span)] == OTHER


def test_many_lines_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        text = f"- wire: >\n    {TASK}{'a ' * 900}\n" + "    more\n" * count
        text += f"- wire: '{TASK}\n" * count
        begun = time.perf_counter()
        yaml_lines.take_out(text, final=False)
        return time.perf_counter() - begun

    seconds(100)
    assert seconds(8_000) < 40 * seconds(1_000)
