"""What comes before a message that has no anchor."""

import pytest

from cablese.transcript import split
from cablese.transcript.log_lines import lead
from tests.growth import assert_linear

WIRE = "SLIP v3 planner exec Request Plan auth"


@pytest.mark.parametrize(("signs", "is_found"), [(11, True), (12, False)])
def test_a_message_is_looked_for_after_eleven_signs(*, signs: int, is_found: bool) -> None:
    anchor = lead.find(f"{'> ' * signs}{WIRE}")

    assert (anchor and anchor.at) == (2 * signs if is_found else None)


@pytest.mark.parametrize(("length", "count"), [(200, 1), (201, 0)])
def test_short_lines_are_remembered(length: int, count: int) -> None:
    lead._remembered.cache_clear()

    for _ in range(2):
        assert lead.resembles("T|".ljust(length, "x")) == "tline"

    assert lead._remembered.cache_info().currsize == count


TASK, TLINE = "REQ/TSK|g=1,t=1,@=a", "T|17|Q|obj=x"
AACP = "FETCH|HR|return:A|p:1|aacp:1.1|a:b"


@pytest.mark.parametrize("wire", [TASK, TLINE, AACP, WIRE])
@pytest.mark.parametrize(
    ("before", "after"),
    [("|", "|"), ("planner|", ""), ("|planner|", "|"), ("10:00:01|planner|exec|", "|200|12ms")],
)
def test_a_message_is_found_between_bars(before: str, after: str, wire: str) -> None:
    assert [cut.wire for cut in split(before + wire + after).messages] == [wire]


def test_the_columns_of_bars_are_named() -> None:
    head, row = "time|from|wire|code\n", f"10:00:01|planner|{AACP}|200\n"

    (cut,) = split(head + row).messages

    assert (cut.wire, cut.facts.sender, cut.facts.attributes["code"]) == (AACP, "planner", "200")


@pytest.mark.parametrize(
    "text", ["a|b|T|maybe|later", "x|y|z", "SELECT a|REQ", "a=1|T|x", f"{{a|{TASK}"]
)
def test_other_bars_hold_none(text: str) -> None:
    assert [cut for cut in split(text).messages if cut.wire != TASK] == []


def test_a_field_with_a_message_in_it_is_no_cell() -> None:
    for wire in (f"FETCH|HR|return:A|p:1|aacp:1.1|{TASK}", f"T|17|Q|{TLINE}"):
        assert [cut.wire for cut in split(wire).messages] == [wire]


@pytest.mark.parametrize(("cells", "is_found"), [(12, True), (13, False)])
def test_a_message_is_looked_for_after_twelve_cells(*, cells: int, is_found: bool) -> None:
    assert ([cut.wire for cut in split("a|" * cells + TASK).messages] == [TASK]) is is_found


@pytest.mark.parametrize(
    ("line", "protocol"),
    [
        ("REQ/TSK\\|g=42\\,t=1", "nslip"),
        ("REQ\\/TSK|g=42", "nslip"),
        ("planner: REQ/TSK¦g=42", "nslip"),
        ("REQ／TSK｜g＝42，t＝1", "nslip"),
        ("T│17│Q│obj=x", "tline"),
        ("a \\| b", None),
        ("│ planner │ done │", None),
        ("11/2026 ¦ über", None),
    ],
)
def test_other_signs_for_those_of_a_message_are_seen(line: str, protocol: str | None) -> None:
    found = split(line)

    assert found.messages == ()
    assert [one.resembles for one in found.ignored] == [protocol]


@pytest.mark.parametrize(
    "before",
    [
        "13-",
        "13:",
        "13.",
        "bus.log-13-",
        "bus.log:13:",
        "bus.log-",
        "logs/2026/bus.log-",
        "E..t..@.@......P..",
        "E..h..@.@.<..........",
        ".......:",
        "...",
    ],
)
@pytest.mark.parametrize("wire", ["FETCH|HR|return:A|p:1|aacp:1.1", TASK, TLINE])
def test_what_grep_and_tcpdump_write_before_a_message_is_no_part_of_it(
    wire: str, before: str
) -> None:
    assert [cut.wire for cut in split(before + wire).messages] == [wire]


@pytest.mark.parametrize("task", ["PRE-FETCH", "v2.FETCH", "FETCH_ALL", "a.FETCH"])
def test_a_task_of_its_sender_is_not_shortened(task: str) -> None:
    wire = f"{task}|HR|return:A|p:1|aacp:1.1"

    assert [cut.wire for cut in split(wire).messages] == [wire]


def test_a_task_that_is_marked_in_markdown_is_not_one() -> None:
    found = split("**FETCH**|HR|return:A|p:1|aacp:1.1")

    assert found.messages == ()
    assert [one.resembles for one in found.ignored] == ["aacp"]


def test_many_dots_take_time_in_proportion() -> None:
    assert_linear(lambda size: split(f"{'.' * size}|x:1"), 20_000)


@pytest.mark.parametrize(
    "before", ["bus_test.go:12: ", "bus.py:3:  ", "::error file=a.py,line=4:: ", "##[error] "]
)
@pytest.mark.parametrize("wire", ["FETCH|HR|return:A|p:1|aacp:1.1", TASK, TLINE])
def test_a_space_after_what_hides_a_message_is_not_a_message(wire: str, before: str) -> None:
    for text in (before + wire, f"{before}{wire} {wire}", f"{before}got {wire}, want {wire}"):
        assert {cut.wire for cut in split(text).messages} == {wire}
