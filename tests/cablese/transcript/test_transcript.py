"""Messages out of logs, chats and files."""

import json
from random import Random
from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import registry
from cablese.transcript import Transcript, split, splitter
from cablese.transcript.log_lines.lines import Lines
from tests import fuzz
from tests.cablese.hostile import ODD, wires

CONVERSATION = """# Coordinator assigns task to planner
REQ/TSK|g=42,t=1,p=2,@=auth_refactor

# Planner proposes approach
PRO/PLN|g=42,t=1,p=2,@=plan_incremental
"""
FOLDED = (
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|\n"
    "period:2024-08|filter:status=active|fmt:json"
)
PRETTY = '{\n  "g": "FIND_HOTEL",\n  "plan": [\n    ["s", "H_API", {"c": "Paris"}]\n  ]\n}'
NLIP = '{"format":"text","subformat":"English","content":"Hello {you}"}'


def _found(text: str, protocol: str | None = None) -> list[tuple[str, str]]:
    return [(cut.protocol, cut.wire) for cut in split(text, protocol).messages]


def _reasons(text: str) -> list[tuple[str, str]]:
    return [(ignored.reason, ignored.text) for ignored in split(text).ignored]


def test_comments_between_messages_are_ignored_and_reported() -> None:
    assert [wire for _, wire in _found(CONVERSATION)] == [
        "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
        "PRO/PLN|g=42,t=1,p=2,@=plan_incremental",
    ]
    assert _reasons(CONVERSATION) == [
        ("comment", "# Coordinator assigns task to planner"),
        ("comment", "# Planner proposes approach"),
    ]


@pytest.mark.parametrize(
    ("line", "prefix"),
    [
        ("2026-11-20T10:00:01Z INFO planner: REQ/TSK|g=1", "2026-11-20T10:00:01Z INFO planner:"),
        ("[10:00:01] planner -> coder  T|17|Q|obj=test_scope", "[10:00:01] planner -> coder"),
        ("> SLIP v3 planner exec Request Plan auth", ">"),
        (
            "Nov 20 10:00:01 host agent[12]: FLAG|LEGAL|return:LEG-Agent|p:1|aacp:1.1",
            "Nov 20 10:00:01 host agent[12]:",
        ),
        (f"2026-11-20 agent-7 {NLIP}", "2026-11-20 agent-7"),
    ],
)
def test_a_log_prefix_is_ignored(line: str, prefix: str) -> None:
    assert len(split(line).messages) == 1
    assert _reasons(line) == [("log prefix", prefix)]


def test_quotes_and_fences_are_ignored() -> None:
    text = 'Look:\n```text\n"REQ/TSK|g=1",\n`ACC/PLN|g=1`\n```\n'
    assert [wire for _, wire in _found(text)] == ["REQ/TSK|g=1", "ACC/PLN|g=1"]
    assert ("code fence", "```text") in _reasons(text)
    assert ("unrecognized text", "Look:") in _reasons(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(end: str) -> None:
    assert [wire for _, wire in _found(f"REQ/TSK|g=1{end}ACC/PLN|g=1{end}")] == [
        "REQ/TSK|g=1",
        "ACC/PLN|g=1",
    ]


def test_a_folded_packet_is_one_message() -> None:
    assert _found(FOLDED) == [("aacp", FOLDED)]
    assert _found(f"REQ/TSK|g=1\n{FOLDED}\nREQ/TSK|g=2")[1] == ("aacp", FOLDED)


def test_a_packet_that_ends_with_a_bar_takes_no_other_message() -> None:
    text = "ACK|HR|return:HR-Agent|p:1|aacp:1.1|\nREQ/TSK|g=2"
    assert _found(text) == [
        ("aacp", "ACK|HR|return:HR-Agent|p:1|aacp:1.1|"),
        ("nslip", "REQ/TSK|g=2"),
    ]


def test_a_packet_that_ends_with_a_bar_takes_no_message_behind_a_log_prefix() -> None:
    packet = "ACK|HR|return:HR-Agent|p:1|aacp:1.1"
    text = f"10:00:01 INFO {packet}|\n10:00:02 INFO {packet}\n10:00:03 INFO REQ/TSK|g=2"
    assert _found(text) == [("aacp", f"{packet}|"), ("aacp", packet), ("nslip", "REQ/TSK|g=2")]


@pytest.mark.parametrize(
    "begin", ["REQ/TSK|@=", "FETCH|HR|return:A|p:1|aacp:1.1|filter:", "T|1|Q|obj="]
)
def test_an_object_in_a_value_is_data(begin: str) -> None:
    wire = begin + NLIP.replace(" ", "")
    assert [cut.wire for cut in split(wire).messages] == [wire]
    assert [cut.wire for cut in split(f"10:00:01 INFO {wire}").messages] == [wire]


def test_a_line_message_inside_an_object_is_data_too() -> None:
    wire = NLIP.replace("Hello {you}", "REQ/TSK|g=1")
    assert _found(wire) == _found(f"10:00:01 INFO {wire}") == [("nlip", wire)]


def test_a_message_in_a_log_of_json_is_found_in_its_envelope() -> None:
    text = '{"level":"info","msg":"REQ/TSK|g=1"}'
    assert _found(text) == [("nslip", "REQ/TSK|g=1")]
    around = "log record around a message"
    assert _reasons(text) == [(around, '{"level":"info","msg":"'), (around, '"}')]


def test_prose_about_codes_is_no_message() -> None:
    assert _found("First send a REQ/TSK message, then wait.") == []
    assert _found("planner: REQ/TSK g=1") == [("nslip", "REQ/TSK g=1")]
    assert _found("planner: REQTSK|g=1") == [("nslip", "REQTSK|g=1")]


def test_json_over_many_lines_is_one_message() -> None:
    assert _found(f"{PRETTY}\r\n{NLIP}") == [("sacp", PRETTY), ("nlip", NLIP)]


def test_json_lines_and_lists_of_objects_are_messages_each() -> None:
    assert _found(f"{NLIP}\n{NLIP}") == [("nlip", NLIP)] * 2
    assert _found(f"[{NLIP},\n{NLIP}]") == [("nlip", NLIP)] * 2


def test_an_object_that_never_closes_takes_no_neighbour() -> None:
    broken = '{"format":"text","subformat":"English","content":"Hello"'
    assert _found(f"{NLIP}\n{broken}\n{NLIP}\nREQ/TSK|g=1") == [
        ("nlip", NLIP),
        ("nlip", broken),
        ("nlip", NLIP),
        ("nslip", "REQ/TSK|g=1"),
    ]


def test_prose_and_foreign_json_are_ignored() -> None:
    assert _found('Dear all,\nplease read {"a": 1} and T-line.\n{"level":"info"}') == []
    assert len(_reasons('Dear all,\n{"level":"info"}')) == 2


def test_a_named_protocol_reads_every_line_and_ignores_nothing() -> None:
    transcript = split("hello\n\nREQ/TSK|g=1\n# note", "nslip")
    assert [cut.wire for cut in transcript.messages] == ["hello", "REQ/TSK|g=1", "# note"]
    assert transcript.ignored == ()
    assert _found(f"{PRETTY}\nnot json", "sacp") == [("sacp", PRETTY), ("sacp", "not json")]
    assert _found(FOLDED, "aacp") == [("aacp", FOLDED)]


def test_empty_text_has_no_messages() -> None:
    assert split("") == Transcript((), (), 0)
    assert split(" \n\t\r\n").messages == ()


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(registry.UnknownProtocol):
        split("x", "morse")


def _covers(text: str, found: Transcript) -> None:
    pieces = [(cut.span, cut.wire) for cut in found.messages if cut.verbatim]
    pieces += [(cut.span, text[slice(*cut.span)]) for cut in found.messages if not cut.verbatim]
    pieces += [(ignored.span, ignored.text) for ignored in found.ignored]
    at = 0
    for span, piece in sorted(pieces):
        assert span.start >= at
        assert not text[at : span.start].strip(" \t\r\n\v\f")
        assert text[slice(*span)] == piece
        at = span.end
    assert not text[at:].strip(" \t\r\n\v\f")


def test_a_message_before_a_stray_quote_is_found_once() -> None:
    message = r'{"g":"A","plan":[["run","T",{"a":"\u0007"}]]}'
    transcript = split(f'"hello"{message}FETCH|HR|return:X|p:1|aacp:1.1|res:y')

    assert [cut.protocol for cut in transcript.messages] == ["sacp", "aacp"]


@pytest.mark.parametrize("protocol", [None, "sacp"])
def test_a_byte_order_mark_after_a_message_is_reported(protocol: str | None) -> None:
    transcript = split('{"g":"A","plan":[["run","T",{}]]}\ufeff', protocol)

    assert [ignored.text for ignored in transcript.ignored] == ["\ufeff"]


PIECES = [
    FOLDED,
    PRETTY,
    NLIP,
    CONVERSATION,
    "{",
    "}",
    '{"g":',
    "[",
    "```",
    "a: ",
    "\n",
    "\r\n",
    "  ",
    *ODD,
]
ALL_WIRES = [wire for name in registry.get_names() for wire in wires(name)]


@given(
    st.lists(st.sampled_from([*PIECES, *ALL_WIRES]), max_size=12),
    st.sampled_from([None, *registry.get_names()]),
)
@fuzz.examples(80)
def test_nothing_but_blanks_goes_unmentioned(pieces: list[str], protocol: str | None) -> None:
    text = "".join(pieces)
    transcript = split(text, protocol)
    _covers(text, transcript)
    assert transcript.end == len(text)
    if protocol:
        assert transcript.ignored == ()


@given(st.lists(st.sampled_from([*PIECES, *ALL_WIRES]), max_size=12), st.integers(0, 2**32))
@fuzz.examples(60)
def test_a_text_that_arrives_in_pieces_is_cut_at_the_same_places(
    pieces: list[str], seed: int
) -> None:
    text = "\n".join(pieces)
    random = Random(seed)
    wires_found: list[str] = []
    held, at = "", 0
    while at < len(text):
        step = random.randint(1, 40)
        held, at = held + text[at : at + step], at + step
        part = split(held, final=False)
        wires_found += [cut.wire for cut in part.messages]
        held = held[part.end :]
    wires_found += [cut.wire for cut in split(held).messages]
    assert wires_found == [cut.wire for cut in split(text).messages]


@pytest.mark.parametrize(
    "piece",
    ["{", '{"', "{\n", '{"a":[\n', '"', "\\", "x|y|\n", "FETCH|HR|\n", "```\n", "[{", "T|1|Q|"],
)
def test_hostile_repetition_is_cut_without_losing_a_character(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    _covers(text, split(text))


def test_after_too_many_pieces_the_rest_is_one_ignored_piece() -> None:
    text = "REQ/TSK|g=1,t=1\nprose\n" * 3

    transcript = split(text, most=4)

    assert [cut.wire for cut in transcript.messages] == ["REQ/TSK|g=1,t=1"] * 2
    assert [ignored.reason for ignored in transcript.ignored] == ["unrecognized text"] * 2 + [
        "text after too many lines"
    ]
    assert transcript.ignored[-1].text == "REQ/TSK|g=1,t=1\nprose"
    assert transcript.end == len(text)
    assert transcript.remainder == transcript.ignored[-1]
    assert split(text).remainder is None


def test_the_rest_is_told_apart_from_a_color_code_behind_it() -> None:
    text = "\x1b[32mREQ/TSK|g=1\x1b[0m\n" * 5

    transcript = split(text, most=2)

    assert transcript.remainder is not None
    assert text[transcript.remainder.span.start :].startswith("REQ/TSK|g=1")


@pytest.mark.parametrize("message", ["REQ/TSK|g=1,t=1", '{"msg":"REQ/TSK|g=1"}'])
def test_after_too_many_pieces_the_rest_of_a_line_is_ignored(message: str) -> None:
    text = f"{message} " * 10 + "\nREQ/TSK|g=2"

    transcript = split(text, most=4)

    assert len(transcript.messages) < 6
    assert transcript.ignored[-1].reason == "text after too many lines"
    assert transcript.ignored[-1].span.end == len(text)
    _covers(text, transcript)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The places where the splitter measures a line."""
    measured: list[int] = []
    at = Lines.at

    def count(self: Lines, place: int) -> tuple[int, int]:
        measured.append(place)
        return at(self, place)

    monkeypatch.setattr(Lines, "at", count)
    return measured


@pytest.mark.parametrize("blank", ["\n", "\r\n", "\r", " \n", "\t \v\f\n"])
@pytest.mark.parametrize("end", ["final", "may grow"])
def test_blank_lines_are_passed_over_at_once(blank: str, end: str, measured: list[int]) -> None:
    text = f"{blank * 500}  REQ/TSK|g=1{blank * 500}REQ/TSK|g=2\n{blank * 500} "
    transcript = split(text, final=end == "final")

    assert [cut.wire for cut in transcript.messages] == ["REQ/TSK|g=1", "REQ/TSK|g=2"]
    assert transcript.ignored == ()
    assert transcript.end == len(text) - (end == "may grow")
    assert 3 <= len(measured) < 10


def test_records_on_one_line_copy_no_more_than_themselves() -> None:
    class Counted(str):
        copied = 0
        __slots__ = ()

        def __getitem__(self, key: SupportsIndex | slice) -> str:
            part = super().__getitem__(key)
            Counted.copied += len(part)
            return part

    text = Counted('{"msg":"T|"}' * 1000)
    split(text)

    assert Counted.copied < 20 * len(text)


def test_as_many_pieces_as_are_taken_leave_nothing_behind() -> None:
    assert len(split("prose\n" * 4, most=4).ignored) == 4


@pytest.mark.parametrize("protocol", [None, "sacp"])
def test_a_line_of_many_values_is_measured_once(protocol: str | None, measured: list[int]) -> None:
    text = (
        '{"g":"FIND","plan":[]} ' * 50 + "\n" + '{"g":"FIND",\n"plan":[]}  {"g":"FIND","plan":[]}\n'
    )

    assert len(split(text, protocol).messages) == 52
    assert 3 <= len(measured) <= 6


def test_equal_lines_without_a_message_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["T|", " T|", "REQ/TSK|g=1", "T|", "T| REQ/TSK|g=1", "T|"]
    text = "\n".join(lines * 50)
    alone = [
        (ignored.text, ignored.reason, ignored.resembles)
        for line in lines
        for ignored in split(line).ignored
    ]
    taken = 0
    take = splitter._Cutter._take_line

    def counted(self: splitter._Cutter, start: int, end: int, line: str) -> int:
        nonlocal taken
        taken += line == "T|"
        return take(self, start, end, line)

    monkeypatch.setattr(splitter._Cutter, "_take_line", counted)

    read = split(text)

    assert [
        (ignored.text, ignored.reason, ignored.resembles) for ignored in read.ignored
    ] == alone * 50
    assert all(text[slice(*ignored.span)] == ignored.text for ignored in read.ignored)
    assert len(read.messages) == 100
    assert taken == 1


def test_a_check_between_lines_can_end_the_work() -> None:
    class Enough(Exception):
        pass

    lines = 0

    def check() -> None:
        nonlocal lines
        lines += 1
        if lines > 3:
            raise Enough

    assert len(split("a: REQ/TSK|g=42,t=1\nb: T|17|Q|obj=x\n", check=check).messages) == 2
    assert lines == 2
    for text in ("Hello\n" * 9, json.dumps({"log": "a: REQ/TSK|g=42,t=1\n" * 9})):
        lines = 0
        with pytest.raises(Enough):
            split(text, check=check)
