"""Cells of a table that go on in the next rows are read as one, where it is known how."""

import time

import pytest

from cablese.transcript import split
from cablese.transcript.layers import table_cells
from tests.cablese.transcript.layers.arriving import feed

REASON = "REJ/PLN|g=42,t=1,!=the build failed again"
LONG = "REQ/TSK|g=42,t=1,@=auth_refactor_of_the_service_of_planner"
OTHER = "ACC/PLN|g=42,t=1"
WIDTH = 24


def rows(*cells: str, bar: str = "│", after: str = "200") -> str:
    """The rows of a table whose message has these parts."""
    first, *more = (f"{bar} {{}} {bar} {cell.ljust(WIDTH)} {bar} {{}} {bar}\n" for cell in cells)
    return first.format("10:00:01", after) + "".join(
        row.format(" " * 8, " " * len(after)) for row in more
    )


def wires(text: str) -> list[str]:
    return [cut.wire for cut in split(text).messages]


def is_cut_off(text: str) -> bool:
    (cut,) = split(text).messages
    return cut.facts.is_cut_off


@pytest.mark.parametrize("bar", ["│", "|", "┃", "║"])
def test_a_cell_that_was_wrapped_is_one_message(bar: str) -> None:
    words = rows("REJ/PLN|g=42,t=1,!=the", "build failed again", bar=bar)
    pieces = rows(LONG[:WIDTH], LONG[WIDTH : 2 * WIDTH], LONG[2 * WIDTH :], bar=bar)
    last = rows(OTHER, bar=bar)

    assert wires(words + last) == [REASON, OTHER]
    assert wires(pieces + last) == [LONG, OTHER]
    assert list(feed(list(words + last))) == [REASON, OTHER]
    assert list(feed(list((words + last).replace("\n", "\r\n")))) == [REASON, OTHER]


def test_a_row_with_its_words_in_the_middle_of_the_cell_is_read_alike() -> None:
    text = rows(" REJ/PLN|g=42,t=1,!=the ", "   build failed again   ")

    assert wires(text) == [REASON]


@pytest.mark.parametrize(
    ("parts", "wire"),
    [
        # A word that is as wide as the cell, or a part of one.
        (("REJ/PLN|g=42,t=1,!=the_b", "uild"), "REJ/PLN|g=42,t=1,!=the_b"),
        # The next word would have fit.
        (("REQ/TSK|g=42,t=1,@=a", "b"), "REQ/TSK|g=42,t=1,@=a"),
        # A hyphen of the word, or of the program.
        (("REQ/TSK|g=42,t=1,@=auth-", "refactor"), "REQ/TSK|g=42,t=1,@=auth-"),
        (("REQ/TSK|g=42,t=1,@=auth…", "refactor"), "REQ/TSK|g=42,t=1,@=auth…"),
    ],
)
def test_a_cell_that_may_have_been_wrapped_in_two_ways_is_cut_off(
    parts: tuple[str, str], wire: str
) -> None:
    assert wires(rows(*parts)) == [wire]
    assert is_cut_off(rows(*parts))
    assert not is_cut_off(rows(OTHER))


def test_beside_a_bar_there_was_no_space() -> None:
    assert wires(rows("FETCH|HR|return:HR-Agent", "|p:1|aacp:1.1")) == [
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1"
    ]


def test_rows_of_their_own_are_not_joined() -> None:
    full = "REQ/TSK|g=42,t=1,@=a_tag"
    texts = [
        rows(full) + rows("is a remark"),
        rows(full) + "│          │ build failed             │\n",
        rows(full) + "\n" + rows("", "build failed").split("\n", 1)[1],
        rows(full, OTHER),
        rows("REJ/PLN|g=42,t=1,!=so", "10:00:02 │ executor"),
        rows("REJ/PLN|g=42,t=1,!=so", "───────────"),
        rows("REJ/PLN|g=42,t=1,!=so", "build failed")
        .replace("200", "   ")
        .replace("10:00:01", " " * 8),
        rows("REJ/PLN|g=42,t=1,!=so", "build failed").replace("   │\n", "404│\n"),
    ]

    assert [wires(text)[0] for text in texts[4:]] == ["REJ/PLN|g=42,t=1,!=so"] * 4
    assert [wires(text) for text in texts[:4]] == [[full], [full], [full], [full, OTHER]]
    assert not any(cut.facts.is_cut_off for cut in split(rows(full, OTHER)).messages)


def test_a_row_of_a_group_is_one_of_its_own() -> None:
    text = f"| planner | 10:00 | {OTHER}   |\n|         | 10:01 | acknowledged       |\n"
    two = f"| planner | {OTHER}       |\n|         | sent                   |\n"

    assert wires(text) == wires(two) == [OTHER]
    assert not is_cut_off(text)
    assert not is_cut_off(two)


def test_only_a_row_is_held_back() -> None:
    for line in (f"{OTHER}\n", f"| {OTHER}\n", f"{OTHER} |\n", f"| {OTHER} |\n"):
        assert [cut.wire for cut in split(line, final=False).messages] == [OTHER]
    assert not split(rows(OTHER), final=False).messages


def test_many_rows_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        text = rows(*["REQ/TSK|g=42,t=1,@=a_tag"] * count) + rows("REJ/PLN|g=1,!=the") * count
        begun = time.perf_counter()
        table_cells.take_out(text, final=False)
        return time.perf_counter() - begun

    seconds(100)
    assert seconds(8_000) < 40 * seconds(1_000)
