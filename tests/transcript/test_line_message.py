"""Messages that follow each other on a line, and the time that takes."""

from time import process_time

import pytest

from protocols.transcript import split


@pytest.mark.parametrize("wire", ["FETCH|HR|return:A|p:1|aacp:1.1|filter:rows[12]", "REQ/TSK|g=1,t=1,@=size(2)"])
def test_it_keeps_a_bracket_that_its_own_value_opened(wire: str) -> None:
    assert [cut.wire for cut in split(f"{wire} REQ/TSK|g=2,t=2").messages] == [wire, "REQ/TSK|g=2,t=2"]


def test_it_ends_at_a_bracket_that_was_opened_before_it() -> None:
    assert [cut.wire for cut in split("(REQ/TSK|g=1) (REQ/TSK|g=2)").messages] == ["REQ/TSK|g=1", "REQ/TSK|g=2"]


@pytest.mark.parametrize("piece", ["REQ/TSK|g=42,t=1 ", '"REQ/TSK|g=1 ', "(REQ/TSK|g=1 "])
def test_it_takes_four_times_as_long_for_four_times_as_many(piece: str) -> None:
    split(piece)

    few, many = min(_seconds(piece * 400) for _ in range(3)), min(_seconds(piece * 1600) for _ in range(3))

    assert len(split(piece * 400).messages) == 400
    assert many < 10 * few
    # A bracket that never closes once cost forty times as much as none.
    assert many < 15 * min(_seconds("REQ/TSK|g=1 " * 1600) for _ in range(3))


def _seconds(text: str) -> float:
    start = process_time()
    split(text)
    return process_time() - start
