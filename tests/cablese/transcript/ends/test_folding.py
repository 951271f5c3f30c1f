"""Where a packet ends that is folded over lines: as if it were on one."""

import json

import pytest

from cablese.transcript import Transcript, split
from tests.cablese.transcript.layers.arriving import feed_cuts
from tests.growth import assert_linear

LINES = ["FETCH|HR|return:HR-Agent|p:1|", "aacp:1.1|period:2024-08|", "fields:name,salary"]
FOLDED = "\n".join(LINES)
HEAD = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1"
OTHER = "FETCH|CS|return:CS-Agent|p:2|aacp:1.1"
AROUND = [
    ('msg = """', '"""'),
    ("send('''", "''', 1)"),
    ('send("', '")'),
    ('msg="', '" took=3ms'),
    ("echo '", "' | send"),
    ("(", ")"),
    ("[[", "]]"),
    ("**", "**"),
    ("{code}", "{code}"),
    ("<pre>", "</pre>"),
    ("[code]", "[/code]"),
    ("<!-- ", " -->"),
    ("/* ", " */"),
    ("planner: ", " (12ms)"),
    ("planner: ", " [200]"),
    ("planner: ", ' {"service":"bus"}'),
    ("planner: ", "    200"),
    ("planner: ", " # sent"),
    ("", " (12ms)"),
    ("", "<|im_end|>"),
    ("Planner sent ", ". Then it waited."),
    ("planner --", "--> executor"),
]


def only_wire(found: Transcript) -> str:
    (cut,) = found.messages
    return cut.wire


@pytest.mark.parametrize(("before", "after"), AROUND)
def test_it_ends_before_what_closes_or_follows_it(before: str, after: str) -> None:
    found = split(f"{before}{FOLDED}{after}")

    assert only_wire(found) == FOLDED
    assert found.messages[0].span.start == len(before)
    assert [one.text for one in found.ignored] == [
        text.strip() for text in (before, after) if text.strip()
    ]


@pytest.mark.parametrize("prefix", ["planner-1  | ", "2026-11-20T10:00:01Z stdout F ", "> "])
@pytest.mark.parametrize("after", [" (12ms)", "    200", '"""'])
def test_lines_with_a_prefix_end_alike(prefix: str, after: str) -> None:
    text = "".join(f"{prefix}{line}\n" for line in LINES)

    found = split(f"{text[:-1]}{after}\n{prefix}REQ/TSK|g=1")

    assert [cut.wire for cut in found.messages] == [FOLDED, "REQ/TSK|g=1"]
    assert [one.text for one in found.ignored if one.text.strip() == after.strip()]


@pytest.mark.parametrize("prefix", ["{:>6}\t", "{:>3} | ", "{:>7} "])
def test_numbers_of_lines_may_be_at_the_right(prefix: str) -> None:
    packet = "\n".join(f"{prefix.format(n)}{line}" for n, line in enumerate(LINES, 8))
    value = json.dumps({"g": "FIND", "plan": [["search", "HOTELS", {}]]}, indent=2)
    lines = enumerate(value.split("\n"), 8)

    assert only_wire(split(packet)) == FOLDED
    assert only_wire(split("\n".join(f"{prefix.format(n)}{line}" for n, line in lines))) == value


def test_what_is_after_it_is_text_after_a_message() -> None:
    found = split(f'send("{FOLDED}", "planner")')

    assert [one.text for one in found.ignored if one.reason == "text after a message"] == [
        '", "planner")'
    ]


def test_a_mark_after_it_says_that_it_was_longer() -> None:
    found = split(f"planner: {FOLDED}... 34 more characters")

    assert only_wire(found) == FOLDED
    assert found.messages[0].facts.is_cut_off


def test_what_follows_states_its_metadata() -> None:
    (cut,) = split(f"sending {FOLDED} to executor").messages

    assert (cut.wire, cut.facts.recipient) == (FOLDED, "executor")


@pytest.mark.parametrize("after", ["", " (12ms)", "."])
def test_a_string_of_a_record_is_all_of_it(after: str) -> None:
    wire = f"{FOLDED}{after}"

    assert only_wire(split('{"msg":"' + wire.replace("\n", "\\n") + '"}')) == wire


def test_values_keep_what_they_open() -> None:
    for last in ("fields:(a)", 'fields:"a"', "fields:a.", "fields:a b", "fields:[a]"):
        wire = "\n".join((*LINES[:2], last))

        assert only_wire(split(f"planner: {wire}")) == wire


@pytest.mark.parametrize(("before", "after"), AROUND)
def test_pieces_of_a_text_give_the_same(before: str, after: str) -> None:
    text = f"{before}{FOLDED}{after}\nREQ/TSK|g=1\n"

    for size in (1, 7, 40):
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        assert [cut.wire for cut in feed_cuts(parts)] == [cut.wire for cut in split(text).messages]


MIXED = [
    [f"{HEAD}|", f"{OTHER}|", "period:2024-08", "period:2024-09"],
    [f"{HEAD}|", f"{OTHER}|", "period:2024-08|", "period:2024-09|", "fmt:json", "fmt:csv"],
    [f"{HEAD}|", f"{OTHER}|", "period:2024-08|fmt:json", "period:2024-09|fmt:csv"],
    [f"{HEAD}|", f"{HEAD}|", "period:2024-08", "period:2024-08"],
]
"""Lines of two packets that were written at the same time."""


@pytest.mark.parametrize("lines", MIXED)
@pytest.mark.parametrize("prefix", ["", "planner: ", "> "])
def test_lines_of_two_packets_are_not_joined(lines: list[str], prefix: str) -> None:
    text = "".join(f"{prefix}{line}\n" for line in lines)

    found = split(text).messages

    assert [cut.wire for cut in found] == lines[:2]
    for size in (1, 7, 40):
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        assert [cut.wire for cut in feed_cuts(parts)] == lines[:2]


def test_a_string_holds_the_lines_of_one_packet() -> None:
    wire = f"{HEAD}|\nres:salary|\nres:pension"

    assert only_wire(split(json.dumps({"msg": wire}))) == wire


@pytest.mark.parametrize("after", ["period: the month", "fmt:json", "planner: period:2024-09"])
def test_other_text_below_a_packet_is_of_no_other_one(after: str) -> None:
    wire = f"{HEAD}|\nperiod:2024-08"

    assert only_wire(split(f"{wire}\n{after}")) == wire


def test_packets_that_were_mixed_are_read_in_linear_time() -> None:
    def read(size: int) -> None:
        split("".join(f"a{n % (size // 2)}:1|\n" for n in range(size)), "aacp")

    assert_linear(read, 500)
