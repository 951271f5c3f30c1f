"""A line end that is written out ends a message, and is part of none."""

import json

import pytest

from cablese import decode
from cablese.transcript import split
from tests.cablese.transcript.layers.arriving import wires

TASK = "REQ/TSK|g=42,t=1,@=auth_refactor"
AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08"
TLINE = "T|17|Q|obj=test_scope"
SECOND = "ACC/TSK|g=42,t=1,@=second"
MARKS = (
    "\\n", "\\r\\n", "\\r", "\\t", "\\\\n", "\\u000a", "\\x0A", "\\012", "\\0", "#012", "&#10;",
    "&#13;&#xA;", "^M", "^M$", "^J", "^@", "<0x0A>", " ⏎ ", "↵", "␊", "␍", "␤", "¶", "\0", "\v",
    "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\\n\\n", "\\n \\n",
)  # fmt: skip


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize("wire", [TASK, AACP, TLINE])
def test_a_written_line_end_is_part_of_no_message(wire: str, mark: str) -> None:
    for end in ("", "\n", "\r\n", " \n"):
        assert wires(wire + mark + end) == [wire], end
    lead = "[2026-11-01T10:00:00Z] exec: "
    for between in (mark, f"{mark}exec: ", f"{mark}{lead}", f" {mark} "):
        assert wires(wire + between + SECOND) == [wire, SECOND], between
    assert wires(f'{wire}{mark}{{"format":"text","subformat":"English","content":"Hi"}}')[0] == wire


@pytest.mark.parametrize("wire", [TASK, AACP, TLINE])
def test_a_backslash_at_the_end_of_a_line_goes_on_in_no_value(wire: str) -> None:
    assert wires(f"{wire}\\\n{SECOND} \\\n") == [wire, SECOND]


def test_a_line_of_two_messages_names_the_parties_of_each() -> None:
    (first, second) = split(f"planner: {TASK}\\nexec -> planner: {SECOND}").messages

    assert first.facts.sender == "planner"
    assert (second.facts.sender, second.facts.recipient) == ("exec", "planner")


@pytest.mark.parametrize(
    "wire",
    [
        f"{TLINE}%0A",  # an escape of the protocol
        f"{AACP}%0Asecond",
        "REQ/TSK|g=42,t=1,@=a\\nb",  # no message begins after it
        "REQ/TSK|g=42,t=1,@=C:\\dir\\n",  # other escapes are before it
        "REQ/TSK|g=42,t=1,@=a^b",
        "REQ/TSK|g=42,t=1,@=a&#b;",
        "REQ/TSK|g=42,t=1,@=a\0b",
    ],
)
def test_what_is_no_line_end_stays(wire: str) -> None:
    assert wires(wire) == [wire]


def test_a_string_has_its_own_line_ends() -> None:
    text = json.dumps({"msg": f"{TASK}\n{SECOND}", "note": "a\nb"})

    assert wires(text) == [TASK, SECOND]
    assert wires(f'"{TASK}\\n{SECOND}" ok') == [TASK, SECOND]
    (cut,) = split('{"format":"text","subformat":"English","content":"C:\\').messages
    assert cut.wire.endswith("C:\\")


def test_a_folded_packet_goes_on_after_a_written_line_end() -> None:
    folded = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|"

    assert wires(f"{folded}^M\nperiod:2024-08^M\n{SECOND}^M") == [
        f"{folded}\nperiod:2024-08",
        SECOND,
    ]


def test_places_and_what_is_ignored_are_those_of_the_text() -> None:
    text = f"10:00 planner: {TASK}\\n\\n{SECOND}^M\nnoise ⏎\n\x1b[32m{TLINE}\x1b[0m\\r\n"
    found = split(text)

    assert [text[slice(*cut.span)] for cut in found.messages] == [TASK, SECOND, TLINE]
    assert [(one.text, one.reason) for one in found.ignored] == [
        ("10:00 planner:", "log prefix"),
        ("\\n\\n", "line end"),
        ("^M", "line end"),
        ("noise ⏎", "unrecognized text"),
        ("\x1b[32m", "color code"),
        ("\x1b[0m", "color code"),
        ("\\r", "line end"),
    ]
    assert found.end == len(text)


def test_the_end_of_a_piece_is_no_end_of_a_line() -> None:
    piece = f"{TASK}^M\r\n{SECOND}^M"
    first = split(piece, final=False)

    assert [cut.wire for cut in first.messages] == [TASK]
    assert piece[first.end :] == f"{SECOND}^M"
    assert wires(piece[first.end :]) == [SECOND]


@pytest.mark.parametrize("between", [" ~ ", "; exec -> planner: ", ", exec -> planner ", " a→b: "])
@pytest.mark.parametrize("wire", [TASK, AACP, TLINE])
def test_parties_and_signs_between_two_messages_are_part_of_neither(
    wire: str, between: str
) -> None:
    assert wires(f"{wire}{between}{SECOND}") == [wire, SECOND]
    assert all(decode(found).valid for found in wires(f"{wire}{between}{SECOND}"))


def test_what_is_searched_is_limited() -> None:
    for length, is_found in ((78, True), (81, False)):
        lead = f"{'x' * length}: "[-length:]
        assert (wires(f"{TASK}\\n{lead}{SECOND}")[0] == TASK) is is_found, length
    for marks, is_found in ((40, True), (41, False)):
        assert (wires("x\\n" * marks + TASK) == [TASK]) is is_found, marks
    for marks, is_found in ((100, True), (101, False)):
        assert (wires(TASK + "^M" * marks) == [TASK]) is is_found, marks
