"""Messages of a text that is written inside another one."""

import json

import pytest

from cablese.transcript import split
from cablese.transcript.records import nested
from cablese.transcript.records.nested import ALLOWED, MIN_ALLOWED
from cablese.transcript.records.wrapper import MAX_DEPTH
from cablese.transcript.splitter import MAX_RUN, _Cutter
from tests.growth import assert_linear

WIRE = "REQ/TSK|g=1,t=1"


@pytest.mark.parametrize("sign", ['{"', '"{', "{'", "['", '{\\"', "\"'{"])
@pytest.mark.parametrize("closing", ["", '"}'])
def test_strings_that_begin_inside_each_other_are_not_read_again_and_again(
    sign: str, closing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"level": "info", "msg": sign * 300})[:-2] + closing
    left = (ALLOWED + 1) * len(text) + MIN_ALLOWED
    detect = _Cutter.detect

    def counted(self: _Cutter, context: str = "") -> None:
        nonlocal left
        left -= len(self.text)
        assert left >= 0, "more was read than is allowed"
        detect(self, context)

    monkeypatch.setattr(_Cutter, "detect", counted)

    split(text)


def test_what_may_be_read_is_enough_for_every_level() -> None:
    value = "REQ/TSK|g=1,t=1"
    for _ in range(MAX_DEPTH):
        value = json.dumps({"msg": value})

    (cut,) = split(value).messages

    assert cut.wire == "REQ/TSK|g=1,t=1"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are split, the one around the others first."""
    read: list[str] = []
    detect = _Cutter.detect

    def noted(self: _Cutter, context: str = "") -> None:
        read.append(self.text)
        detect(self, context)

    monkeypatch.setattr(_Cutter, "detect", noted)
    return read


def test_equal_strings_without_a_message_are_read_once(read: list[str]) -> None:
    text = "".join(f'{{"msg":"T|"}}\n{{"msg":"REQ/TSK|g={number}"}}\n' for number in range(50))

    messages = split(text).messages

    assert read.count("T|") == 1
    assert [cut.wire for cut in messages] == [f"REQ/TSK|g={number}" for number in range(50)]


def test_not_every_string_without_a_message_is_remembered(
    read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nested, "REMEMBERED", 1)

    split('{"msg":"T|"}\n{"msg":"A|"}\n' * 5)

    assert (read.count("T|"), read.count("A|")) == (1, 5)


def test_rows_of_a_long_table_are_read_a_stretch_at_a_time(read: list[str]) -> None:
    text = "".join(f"| a | REQ/TSK\\|g={n} | {'x' * 900} |\n" for n in range(40))

    assert len(split(text).messages) == 40
    assert len(read) == 4
    assert max(map(len, read[1:])) <= MAX_RUN


def test_a_string_that_holds_a_message_is_read_each_time() -> None:
    messages = split('{"msg":"REQ/TSK|g=1"}\n' * 5).messages

    assert [cut.wire for cut in messages] == ["REQ/TSK|g=1"] * 5


ROWS = (
    "| a | REQ/TSK\\|g=1,t=1 |",
    "| FETCH\\|HR\\| |",
    "| res:salary\\|x",
    '| {"g":"A", \\| |',
    '| "plan":[["s","T",{}]]} | a\\|b |',
    '| {"msg":"T\\|1\\|Q\\|obj=x"} | T\\|2\\|Q\\|obj=x |',
    '| "T\\|3\\|Q\\|obj=x | "',
    "| \\\\\\|REQ/TSK\\|g=2 | [ |",
    "| (REQ/TSK\\|g=3) | planner -> executor |",
)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\n\n", "  \n\t"])
def test_each_row_is_read_as_it_is_alone(line_end: str) -> None:
    expected = [(cut.wire, cut.facts) for row in ROWS for cut in split(row).messages]
    ignored = [(ignored.text, ignored.reason) for row in ROWS for ignored in split(row).ignored]

    read = split(line_end.join(ROWS))

    assert [(cut.wire, cut.facts) for cut in read.messages] == expected
    assert [(ignored.text, ignored.reason) for ignored in read.ignored] == ignored


def test_a_run_of_rows_is_read_at_once(read: list[str]) -> None:
    text = "".join(f"| a | REQ/TSK\\|g={number} |\n" for number in range(400))

    messages = split(text).messages

    assert [cut.wire for cut in messages] == [f"REQ/TSK|g={number}" for number in range(400)]
    assert len(read) < 10


def test_no_more_rows_are_read_than_are_wanted() -> None:
    messages = split("| a | REQ/TSK\\|g=1 |\n" * 400, most=20).messages

    assert len(messages) <= 20


def test_a_row_that_may_grow_is_left() -> None:
    text = "| a | REQ/TSK\\|g=1 |\n| a | REQ/TSK\\|g=2"

    read = split(text, final=False)

    assert [cut.wire for cut in read.messages] == ["REQ/TSK|g=1"]
    assert read.end == text.index("\n") + 1


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ('x: "{', '\\"t\\":\\"a \\u003cb\\u003e|\\",'),
        ("body={", '\\"url\\":\\"http:\\/\\/x.org\\/a|b\\",'),
    ],
)
def test_a_string_that_is_not_closed_is_read_once(head: str, piece: str) -> None:
    assert_linear(lambda size: split(head + piece * (size // len(piece))), 20_000)


def test_after_a_string_that_is_not_closed_others_are_read() -> None:
    text = 'x: "{\\"a\\": 1|\r y: "{\\"m\\": \\"T|17|Q|obj=x\\"}" z'

    assert [cut.wire for cut in split(text).messages] == ["T|17|Q|obj=x"]


SENT = "T|17|Q|obj=x"
TEMPLATE = "T|17|Q|obj={Obj}"


@pytest.mark.parametrize(
    ("record", "wires"),
    [
        ({"@t": "2026-11-20T10:00:01Z", "@mt": TEMPLATE, "Obj": "x"}, []),
        ({"MessageTemplate": TEMPLATE, "RenderedMessage": SENT, "Properties": {}}, [SENT]),
        ({"Message": SENT, "State": {"Obj": "x", "{OriginalFormat}": TEMPLATE}}, [SENT]),
        ({"@mt": "{From} sent {@Wire,20:l}", "From": "planner", "Wire": SENT}, [SENT]),
        ({"msg": "REQ/TSK|g=42,t=1,@=%s", "args": ["x"]}, []),
        ({"msg": "REQ/TSK|g=42,t=1,@=%(tag)s", "args": {"tag": "x"}, "message": SENT}, [SENT]),
        # Other texts with brackets.
        ({"@mt": SENT}, [SENT]),
        ({"@mt": '{"g":"FIND_HOTEL","plan":[]}'}, ['{"g":"FIND_HOTEL","plan":[]}']),
        ({"message": TEMPLATE, "Obj": "x"}, [TEMPLATE]),
        ({"msg": "REQ/TSK|g=42,t=1,@=%s"}, ["REQ/TSK|g=42,t=1,@=%s"]),
        ({"msg": "REQ/TSK|g=42,t=1,@=%s", "args": []}, ["REQ/TSK|g=42,t=1,@=%s"]),
        ({"msg": "REQ/TSK|g=42,t=1,@=x%7C", "args": ["x"]}, ["REQ/TSK|g=42,t=1,@=x%7C"]),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_text_with_holes_for_values_was_not_sent(
    record: dict[str, object], wires: list[str], indent: int | None
) -> None:
    found = split(f"{json.dumps(record, indent=indent)}\n")

    assert [cut.wire for cut in found.messages] == wires


def _blocks(*texts: str) -> list[object]:
    elements = [{"type": "text", "text": text} for text in texts]
    return [
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_section", "elements": elements}],
        }
    ]


@pytest.mark.parametrize("wires", [[WIRE], [WIRE, "ACC/PLN|g=1"], [WIRE, WIRE]])
def test_the_blocks_of_slack_are_no_second_message(wires: list[str]) -> None:
    said = {"type": "message", "text": "\n".join(wires), "blocks": _blocks(*wires)}
    first = {"type": "message", "blocks": _blocks(*wires), "text": "\n".join(wires)}
    for text in (said, first):
        assert [cut.wire for cut in split(json.dumps(text)).messages] == wires
    for many in ([said, said], {"ok": True, "messages": [said, said]}):
        assert [cut.wire for cut in split(json.dumps(many)).messages] == 2 * wires


def test_blocks_without_the_same_text_are_read() -> None:
    for text in ({"blocks": _blocks(WIRE)}, {"text": "See below.", "blocks": _blocks(WIRE, WIRE)}):
        messages = split(json.dumps(text)).messages
        assert {cut.wire for cut in messages} == {WIRE}
        assert len(messages) == json.dumps(text).count(WIRE)
