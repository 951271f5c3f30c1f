"""Rows below a line that names their columns."""

import pytest

from cablese.transcript import Cut, split

AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08"
HEAD = "time,from,message,to,status\n"
TIME = "2026-11-20T10:00:01Z"


def read(text: str) -> list[Cut]:
    return list(split(text).messages)


@pytest.mark.parametrize(
    "wire",
    [AACP, f"{AACP},2024-09", "REQ/TSK|g=42,t=1", "T|17|Q|obj=x", "REJ/PLN|!=too big, sorry"],
)
def test_a_message_without_quotes_ends_before_the_next_column(wire: str) -> None:
    first, last = read(f'{HEAD}{TIME},planner,{wire},executor,200\n{TIME},critic,{wire},"a, b",')

    assert first.wire == last.wire == wire
    assert (first.facts.sender, first.facts.recipient) == ("planner", "executor")
    assert first.facts.time is not None
    assert first.facts.time.text == TIME
    assert first.facts.attributes == {"status": "200"}
    assert (last.facts.sender, last.facts.recipient) == ("critic", "a, b")


def test_a_quoted_field_has_the_same_metadata() -> None:
    text = f'{HEAD}{TIME},"planner","REQ/TSK|g=1,@=""x""","executor",200'

    (cut,) = read(text)

    assert cut.wire == 'REQ/TSK|g=1,@="x"'
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


def test_the_first_column_may_be_the_message_and_semicolons_may_be_between() -> None:
    first, second = read("wire;sender\nREQ/TSK|g=42,t=1;planner\nFETCH|HR|return:A|p:1|aacp:1.1;b")

    assert (first.wire, first.facts.sender) == ("REQ/TSK|g=42,t=1", "planner")
    assert (second.wire, second.facts.sender) == ("FETCH|HR|return:A|p:1|aacp:1.1", "b")


@pytest.mark.parametrize(
    "text",
    [
        "time\tfrom\tto\tmessage\n10:00\tplanner\texecutor\tREQ/TSK|g=42",
        "|time|from|to|message|\n|-|-|-|-|\n| 10:00 | planner | executor | REQ/TSK|g=42 |",
        " time | from | to | message\n---+---\n 10:00 | planner | executor | REQ/TSK|g=42\n(1 row)",
    ],
)
def test_columns_between_tabs_and_bars_are_metadata_too(text: str) -> None:
    (cut,) = read(text)

    assert cut.wire == "REQ/TSK|g=42"
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")
    assert cut.facts.attributes == {"time": "10:00"}


@pytest.mark.parametrize(
    "text",
    [
        f"{TIME},planner,{AACP},executor,200",  # no line names the columns
        f"Hello, world, again\n{TIME},planner,{AACP},executor,200",
        f"alpha,beta,gamma,delta,epsilon\n{TIME},planner,{AACP},executor,200",
        f"time,from,message\n{TIME},planner,{AACP},executor,200",  # the last column
        f"{HEAD}{AACP},executor,200",  # other columns than those
    ],
)
def test_without_its_columns_a_message_is_read_to_the_end(text: str) -> None:
    assert read(text)[-1].wire == f"{AACP},executor,200"


def test_a_cell_of_a_named_column_is_no_program() -> None:
    (cut,) = read(" status | message\n--------+---\n open   | REQ/TSK|g=42\n(1 row)")

    assert (cut.facts.sender, cut.facts.attributes) == (None, {"status": "open"})


def test_a_row_with_other_columns_has_no_metadata_of_them() -> None:
    (cut,) = read(f"{HEAD}planner,REQ/TSK|g=42,t=1")

    assert not cut.facts


@pytest.mark.parametrize(("length", "is_read"), [(1_000, True), (1_001, False)])
def test_a_line_that_is_too_long_names_no_columns(*, length: int, is_read: bool) -> None:
    names = ["from", "message", *(f"n{number:02}".ljust(40, "x") for number in range(24))]
    head = ",".join(names)
    head += "," + "x" * (length - len(head) - 1)

    (cut,) = read(f"{head}\nplanner,REQ/TSK|g=1{',' * 25}")

    assert len(head) == length
    assert cut.facts.sender == ("planner" if is_read else None)


@pytest.mark.parametrize(("length", "is_read"), [(2_000, True), (2_001, False)])
def test_columns_far_from_their_message_are_not_read(*, length: int, is_read: bool) -> None:
    head = "from,note,message,other,to"
    # A comma and a quote are beside the message.
    before, after = "planner,".ljust(length - 2, "x") + ',"', '",'.ljust(length - 9, "x")
    for row in (
        f'{before}REQ/TSK|g=1",x,executor',
        f'planner,x,"REQ/TSK|g=1{after},executor',
    ):
        (cut,) = read(f"{head}\n{row}")
        assert cut.wire == "REQ/TSK|g=1"
        assert (cut.facts.recipient == "executor") == is_read


@pytest.mark.parametrize("wire", [f"{AACP}|fmt:json", "T|17|Q|ctx=api_auth"])
@pytest.mark.parametrize(
    ("text", "parties"),
    [
        ("\ufeffmessage,sender\r\n{},planner\r\n", ("planner", None)),
        (",from,wire,to\n0,planner,{},executor\n", ("planner", "executor")),
        ('"","from","wire","to"\n"1","planner","{}","executor"\n', ("planner", "executor")),
        ("from,wire,\nplanner,{},\n", ("planner", None)),
        ("\tfrom\twire\tto\n0\tplanner\t{}\texecutor\n", ("planner", "executor")),
        ("frame:\r\n\twire\tto\r\n0\t{}\texecutor\r\n", (None, "executor")),
        ("wire, from\n{}, planner\n", ("planner", None)),
        ('from, wire, to\n"the planner", {}, "a, b"\n', ("the planner", "a, b")),
        ("wire; to\n{};executor\n", (None, "executor")),
    ],
)
def test_a_head_is_read_as_programs_write_it(
    text: str, parties: tuple[str | None, str | None], wire: str
) -> None:
    (cut,) = read(text.format(wire))

    assert cut.wire == wire
    assert (cut.facts.sender, cut.facts.recipient) == parties


@pytest.mark.parametrize(
    "line", ["Hello, message", "message, from me", "wire, note", "from, to", ", from, wire"]
)
def test_prose_with_commas_names_no_columns(line: str) -> None:
    (cut,) = read(f"{line}\nREQ/TSK|g=42,t=1,@=a, planner\n")

    assert cut.wire == "REQ/TSK|g=42,t=1,@=a, planner"
    assert not cut.facts
