"""Rows of CSV without a line that names their columns."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection
from cablese.transcript import Cut, split
from tests.cablese.transcript.layers.arriving import feed_cuts

AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1"
LISTED = f"{AACP}|fields:name,salary"
NSLIP = ["REQ/TSK|g=42,t=1,@=auth", "ACC/PLN|g=42,t=1", "INF/OBS|g=42,t=1,s=done"]
TLINE = ["T|17|Q|obj=test_scope;ctx=api", "T|18|A|res=found", "T|19|C|next=run"]
WIRES = {
    "nslip": NSLIP,
    "aacp": [AACP, f"{AACP}|res:emp_salary", "LOG|HR|return:B|p:2|aacp:1.1|period:2024-08"],
    "tline": TLINE,
    "mixed": [NSLIP[0], AACP, TLINE[0]],
}
NAMES = ["planner", "executor", "planner"]


def rows(
    wires: Sequence[str], after: str, *, mark: str = ",", first: str = "2026-11-24T10:00:0{}Z"
) -> str:
    lines = [
        mark.join((first.format(n), NAMES[n % 3], wire, *after.split(",")))
        for n, wire in enumerate(wires)
    ]
    return "\n".join(lines)


def read(text: str) -> list[Cut]:
    return list(split(text).messages)


def wires(text: str) -> list[str]:
    return [cut.wire for cut in read(text)]


@pytest.mark.parametrize("after", ["200", "executor,200", "executor,ok", "ok", "12ms,", "", ",,3"])
@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("first", ["2026-11-24T10:00:0{}Z", '"2026-11-24 10:00:0{}"', "1{}", "a,7"])
def test_alike_rows_end_their_messages(name: str, after: str, first: str) -> None:
    for line_end in ("\n", "\r\n"):
        text = rows(WIRES[name], after, first=first).replace("\n", line_end)
        assert [(cut.wire, cut.facts.doubts) for cut in read(text)] == [
            (wire, ()) for wire in WIRES[name]
        ]


def test_what_follows_is_text_after_a_message() -> None:
    found = split(rows(TLINE, "200"))

    assert [one.text for one in found.ignored if one.reason == "text after a message"] == [
        ",200"
    ] * 3
    assert [one.span.start for one in found.ignored] == sorted(
        one.span.start for one in found.ignored
    )


def test_semicolons_may_be_between_cells() -> None:
    assert wires(rows(TLINE, "executor,200", mark=";")) == TLINE


@pytest.mark.parametrize("after", ["200", "executor, 200", "ok, 7", '"a,b", 3'])
@pytest.mark.parametrize("name", WIRES)
def test_a_space_may_be_after_each_comma(name: str, after: str) -> None:
    senders = zip(NAMES, WIRES[name], strict=True)
    lines = [f"10:00:0{n}, {sender}, {wire}, {after}" for n, (sender, wire) in enumerate(senders)]

    assert wires("\n".join(lines)) == WIRES[name]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"well, planner, {wire}, urgent" for wire in NSLIP),
        "\n".join(f"10:00:0{n}, planner: {wire}, urgent" for n, wire in enumerate(NSLIP)),
    ],
)
def test_a_comma_and_a_space_before_an_error_are_its_own(text: str) -> None:
    assert all(wire.endswith(", urgent") for wire in wires(text))


@pytest.mark.parametrize("cell", ['{"a":1,"b":{"c":2}}', "[1,2]", "{}", '{"a":[1,2]},200'])
@pytest.mark.parametrize("name", WIRES)
def test_the_next_cell_may_be_json(name: str, cell: str) -> None:
    lines = [f"10:00:0{n},planner,{wire},{cell}" for n, wire in enumerate(WIRES[name])]

    assert wires("\n".join(lines)) == WIRES[name]


@pytest.mark.parametrize("cell", ['{"a":1,"b":2}', "[1,2]", '{"a":1},200'])
def test_a_cell_of_json_is_in_doubt_in_one_row(cell: str) -> None:
    (cut,) = read(f"10:00:01,planner,{AACP}|res:emp_salary,{cell}")

    assert cut.wire.endswith(cell)
    assert cut.facts.doubts == ("next_columns",)


def test_a_message_in_quotes_tells_how_many_cells_follow_those_without() -> None:
    text = rows([f'"{NSLIP[0]}"', TLINE[0], TLINE[1]], "coder,200")

    assert wires(text) == [NSLIP[0], *TLINE[:2]]


def test_a_value_may_have_commas_among_rows_with_a_column() -> None:
    listed = "T|18|Q|obj=a,b"

    first, second, third = read(rows([TLINE[0], listed, TLINE[1]], "200"))

    assert [first.wire, second.wire, third.wire] == [TLINE[0], listed, TLINE[1]]
    assert not any(cut.facts for cut in (first, second, third) if cut.facts.doubts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (rows(TLINE[:1], "200"), [f"{TLINE[0]},200"]),
        (rows(TLINE[:2], "200"), [f"{wire},200" for wire in TLINE[:2]]),
        (rows(TLINE, "coder"), [f"{wire},coder" for wire in TLINE]),
        (rows([LISTED] * 3, "")[:-1].replace(",\n", "\n"), [LISTED] * 3),
        (rows([LISTED] * 3, "200"), [LISTED] * 3),
        (rows(["T|17|Q|ids=1"] * 3, "2"), ["T|17|Q|ids=1,2"] * 3),
        (rows([AACP], "200"), [f"{AACP},200"]),
    ],
)
def test_an_end_that_rows_do_not_show_is_in_doubt(text: str, expected: list[str]) -> None:
    cuts = read(text)

    assert [cut.wire for cut in cuts] == expected
    for cut in cuts:
        assert cut.facts.doubts == ("next_columns",)
        message = detection.mark_doubts(detection.decode(cut.wire), cut.facts.doubts)
        assert f"{cut.protocol}.next-columns" in {one.code for one in message.diagnostics}


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{wire},200" for wire in TLINE),  # nothing is before the message
        "\n".join(f"planner: {wire},200" for wire in TLINE),
        "\n".join(f"well, {wire},200" for wire in TLINE),
        "\n".join(f"a=1,b=2,{wire},200" for wire in TLINE),
        f"time,from,message\n{rows(TLINE, '200')}",  # the last column is the message
        rows(TLINE, "x" * 2_000),
    ],
)
def test_other_lines_are_read_to_their_end(text: str) -> None:
    cuts = read(text)

    assert all(len(cut.wire) > len(wire) for cut, wire in zip(cuts, TLINE, strict=True))
    assert not any(cut.facts.doubts for cut in cuts)


@given(
    st.lists(st.sampled_from([*TLINE, AACP, LISTED, *NSLIP, "T|7|Q|obj=a,b,3"]), min_size=1),
    st.sampled_from(["{}", "planner: {}", "10:00:01 INFO planner {}", "- {}", "> {}"]),
)
def test_messages_that_are_no_cells_are_never_cut(messages: list[str], form: str) -> None:
    cuts = read("\n".join(map(form.format, messages)))

    assert [cut.wire for cut in cuts] == messages
    assert not any(cut.facts.doubts for cut in cuts)


@given(
    st.lists(st.sampled_from([*TLINE, AACP, "T|7|Q|ids=1"]), min_size=1, max_size=8),
    st.sampled_from(["200", "executor,200", "coder", "ok,", "2026-11-24"]),
    st.integers(1, 5),
)
def test_rows_that_arrive_in_parts_are_right_or_in_doubt(
    messages: list[str], after: str, size: int
) -> None:
    lines = rows(messages, after, first="10:00:0{}").splitlines(keepends=True)
    parts = ["".join(lines[at : at + size]) for at in range(0, len(lines), size)]

    cuts = list(feed_cuts(parts))

    assert len(cuts) == len(messages)
    for cut, wire in zip(cuts, messages, strict=True):
        assert cut.wire == wire or cut.facts.doubts == ("next_columns",)


def test_rows_of_the_piece_before_show_the_columns() -> None:
    cuts = list(feed_cuts(rows(TLINE * 3, "200", first="10:00:0{}").splitlines(keepends=True)))

    assert [cut.wire for cut in cuts[2:]] == (TLINE * 3)[2:]


@pytest.mark.parametrize(("size", "is_known"), [(250, True), (251, False)])
def test_long_rows_are_not_known_in_the_next_piece(size: int, *, is_known: bool) -> None:
    lead = "10:00:01,executor,"
    wire = f"T|17|Q|obj={'x' * (size - len(lead) - 15)}"
    text = "\n".join(f"{lead}{wire},200" for _ in range(3))
    assert len(text) == 3 * size + 2

    found = split(f"{text}\n", final=False)

    assert found.context == (text if is_known else "")
