"""A message ends before a remark, and otherwise with its line."""

import json

import pytest

from cablese import registry
from cablese.codec import Codec
from cablese.message import Message
from cablese.transcript import split
from cablese.transcript.ends import ending
from cablese.transcript.ends.room import Room
from tests.growth import assert_linear

WIRE = "REQ/TSK|g=42,t=1"
REMARKS = (
    " (12ms)",
    " [200]",
    ' {"service":"bus"}',
    " took=12ms",
    " # done",
    " -> executor",
    "    200",
    "\t200",
)


def _found(text: str, *, is_alone: bool = True) -> str:
    at = text.index("R")
    return text[
        at : ending.find(
            registry.get("nslip"),
            text,
            at,
            len(text),
            room=Room(len(text)),
            line=0,
            is_alone=is_alone,
        )
    ]


@pytest.mark.parametrize("remark", [*REMARKS, " 12ms"])
def test_it_ends_before_a_remark(remark: str) -> None:
    assert _found(WIRE + remark) == WIRE


@pytest.mark.parametrize("wire", [WIRE, "FETCH|HR|return:A|p:1|aacp:1.1|x:a b", "T|17|Q|obj=a"])
@pytest.mark.parametrize("bar", "│┃║")
@pytest.mark.parametrize("form", ["|«»|", "| «»|", "| «» | 200 |", "|a|«»|200|", "|«»|other"])
def test_it_ends_before_the_bar_that_is_drawn_around_its_line(
    form: str, bar: str, wire: str
) -> None:
    (cut,) = split(form.replace("|", bar).replace("«»", wire)).messages

    assert cut.wire == wire


def test_a_bar_that_is_not_before_its_line_may_be_its_own() -> None:
    wire = "FETCH|HR|return:A|p:1|aacp:1.1|x:a│"

    assert [cut.wire for cut in split(f"{wire}\nplanner: {wire}").messages] == [wire] * 2


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("wire", ["RQE/TSK|g=42,t=1", "RQE/TSK|g=42,!=too big", "REQ/TSK|t=1,g=x"])
def test_one_with_errors_of_its_own_ends_there_too(wire: str, remark: str) -> None:
    assert _found(wire + remark) == wire


@pytest.mark.parametrize(
    "text", ["REQ/TSK g=42 (1ms)", "REQ/TSK|g=4 2 (1ms)", "REQ/TSK|g (1ms),t=1"]
)
def test_it_goes_on_where_the_rest_may_be_the_error(text: str) -> None:
    assert _found(text) == text


@pytest.mark.parametrize("value", ['"too (very) big"', "'see [7] there'", '"a -> b"'])
def test_it_does_not_end_in_quotes(value: str) -> None:
    wire = f"REQ/TSK|g=42,!={value}"

    assert _found(wire) == wire
    assert _found(f"{wire} (1ms)") == wire


def test_it_goes_on_over_other_words() -> None:
    assert _found(f"{WIRE} and so on") == f"{WIRE} and so on"


def test_a_bracket_that_was_opened_before_ends_it() -> None:
    assert _found(f"(see {WIRE})", is_alone=False) == WIRE


def test_punctuation_after_it_is_not_part_of_it_in_prose() -> None:
    assert _found(f'say {WIRE}".', is_alone=False) == WIRE


def test_punctuation_inside_a_message_is_not_read_again_and_again() -> None:
    assert_linear(lambda size: _found(f"| REQ/TSK|g{'.' * size}x", is_alone=False), 15_000)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The messages that are decoded."""
    codec = registry.get("nslip")
    read: list[str] = []
    decode = codec.decode

    def noted(wire: str) -> Message:
        read.append(wire)
        return decode(wire)

    monkeypatch.setattr(codec, "decode", noted)
    return read


def test_an_invalid_message_without_punctuation_at_its_end_is_not_read(read: list[str]) -> None:
    assert _found("| REQ/TSK|g", is_alone=False) == "REQ/TSK|g"
    assert not read


def test_forty_ends_of_an_invalid_message_are_tried(read: list[str]) -> None:
    text = f"REQ/TSK{' (1ms)' * 50}"

    assert _found(text) == text
    assert read == [text[: 7 + 6 * number] for number in range(40)]


@pytest.mark.parametrize(("length", "ends"), [(300, True), (500, False)])
def test_an_object_is_sought_only_near_a_message(length: int, *, ends: bool) -> None:
    before = f"Message{{id=42, {'x' * length} wire="

    found = _found(f"{before}{WIRE}, from=planner", is_alone=False)

    assert (found == WIRE) == ends


@pytest.mark.parametrize(
    ("text", "is_part"),
    [
        ("see it +12ms", False),
        ("see it ~3s", False),
        ("see it in 12ms", True),
        ("a +12 b", True),
        ("wait for +5s", True),
        ("it is ~5s", True),
    ],
)
def test_a_duration_with_a_sign_follows_words_too(text: str, *, is_part: bool) -> None:
    wire = f"FETCH|HR|return:A|aacp:1.1|content:{text}"
    (cut,) = split(f"bus:send {wire}").messages
    assert cut.wire == (wire if is_part else wire.rsplit(" ", 1)[0])


def test_a_value_in_quotes_is_no_request_of_nginx() -> None:
    wire = 'FETCH|HR|return:A|aacp:1.1|content:"a, client: b, server: c"'
    prefix, closer = "2026/11/20 10:00:01 [error] 1#1: ", ", client: 10.0.0.1, server: bus"

    for text in (wire, wire + closer):
        (cut,) = split(prefix + text).messages
        assert cut.wire == wire


@pytest.mark.parametrize(
    ("begin", "unit"),
    [
        ("", '(")T|17|Q|x=:01Z |'),
        ('"{\\"a\\":REQ/TSK|g=42,t=1', "&x=T|17|Q|obj=x10:00:01 a=b"),
        ("REQ/TSK|g=x ", "."),
    ],
)
def test_many_ends_of_many_messages_are_not_all_tried(
    begin: str, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (begin + unit * 300)[:4_000]
    decoded = 0
    decode = Codec.decode

    def count(codec: Codec, wire: str, *, dialect: str | None = None) -> Message:
        nonlocal decoded
        decoded += len(wire)
        return decode(codec, wire, dialect=dialect)

    monkeypatch.setattr(Codec, "decode", count)
    split(text)
    assert 0 < decoded < 40 * len(text)


AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1"
WHOLE = (
    f"{AACP}|filter:salary > 5000",
    f"{AACP}|subj:Order #12 shipped",
    f"{AACP}|filter:dept=eng status=active",
    "REJ/PLN|g=1,!=needs > 3 days",
)
"""Messages in which a remark could begin."""


@pytest.mark.parametrize("wire", WHOLE)
@pytest.mark.parametrize("line_end", ["", "\n", "\r\n", "\n\n", " \n"])
@pytest.mark.parametrize(
    "holder", ['{"wire":«»}', '{"role":"user","content":«»}', "print(«»)", "INFO recv «» from a"]
)
def test_a_string_that_is_only_a_message_ends_with_it(
    wire: str, line_end: str, holder: str
) -> None:
    (cut,) = split(holder.replace("«»", json.dumps(wire + line_end))).messages

    assert cut.wire == wire


@pytest.mark.parametrize("wire", WHOLE)
@pytest.mark.parametrize("quotes", ["``", "“”", "«»", "''"])
def test_a_line_end_that_is_written_out_in_quotes_is_no_part_of_it(wire: str, quotes: str) -> None:
    for line_end in ("", r"\n", r"\r\n"):
        (cut,) = split(f"send({quotes[0]}{wire}{line_end}{quotes[1]})").messages

        assert cut.wire == wire


def test_a_remark_ends_it_on_a_line_that_a_container_printed() -> None:
    log = f"{AACP}|fmt:json (12ms)\n"

    assert _wires({"log": log, "stream": "stdout"}) == [f"{AACP}|fmt:json"]
    assert _wires({"log": log}) == [f"{AACP}|fmt:json (12ms)"]


def test_a_remark_ends_it_in_a_string_of_more() -> None:
    for text in (f"{AACP}|fmt:json (12ms)\n{AACP}|fmt:xml\n", f"planner: {AACP}|fmt:json (12ms)\n"):
        assert _wires({"wire": text})[0] == f"{AACP}|fmt:json"


def _wires(record: dict[str, str]) -> list[str]:
    return [cut.wire for cut in split(json.dumps(record)).messages]


TASK = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
TURN = "T|17|Q|obj=a;ctx=api_auth"


@pytest.mark.parametrize("wire", [TASK, f"{AACP}|fmt:json", TURN])
def test_the_next_member_of_a_record_of_c_sharp_ends_it(wire: str) -> None:
    named = f"Message {{ From = planner, To = executor, Wire = {wire}, Retry = 0 }}"
    first = f"Message {{ Wire = {wire}, From = planner, To = executor }}"

    for text in (named, first):
        (cut,) = split(text).messages

        assert cut.wire == wire
        assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


@pytest.mark.parametrize(
    ("wire", "sign"),
    [(TASK, ";"), (f"{AACP}|fmt:json", ","), (f"{AACP}|fmt:json", ";"), (TURN, ",")],
)
def test_what_is_before_a_pair_is_no_part_of_it(wire: str, sign: str) -> None:
    (cut,) = split(f"INFO bus: {wire}{sign} from=planner, to=executor").messages

    assert cut.wire == wire
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


@pytest.mark.parametrize(
    "wire",
    [
        "REQ/TSK|g=42, t=1, p=2",
        "T|17|Q|obj=a; ctx=api_auth",
        f"{AACP}|filter:a, b = 5",
        f"{AACP}|filter:a=1, |fmt:json",
    ],
)
def test_what_parts_its_own_fields_does_not_end_it(wire: str) -> None:
    for text in (f"INFO bus: {wire}", f"Event{{id=7, wire={wire}}}"):
        (cut,) = split(text).messages

        assert cut.wire == wire
