"""What is remembered of the lines that were read, and for how long."""

import pytest

from cablese.transcript import memory, split
from cablese.transcript.log_lines import lead, line_message


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    memory.forget_unused()
    memory.forget_unused()


def remembered() -> int:
    return line_message._remembered.cache_info().currsize


@pytest.mark.parametrize(("length", "count"), [(256, 1), (257, 0)])
def test_short_messages_are_remembered(length: int, count: int) -> None:
    line = "REQ/TSK|g=42,t=1,@=".ljust(length, "x")

    assert [cut.wire for cut in split(line).messages] == [line]
    assert remembered() == count


def test_a_line_is_read_again_where_it_has_another_neighbor() -> None:
    """What is remembered is about the line alone."""
    folded = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nperiod:2024-08"
    line = "REQ/TSK|g=42,t=1"

    assert [cut.wire for cut in split(f"{line}\n{folded}\n{line}").messages] == [
        line,
        folded,
        line,
    ]
    assert [cut.wire for cut in split(f"note {line}\n{line}").messages] == [line, line]


def test_all_is_forgotten_when_nobody_reads() -> None:
    split("REQ/TSK|g=42,t=1\nREQ-TSK|g=42,t=1")
    assert remembered() > 0
    assert lead._remembered.cache_info().currsize > 0

    memory.forget_unused()
    split("REQ/TSK|g=42,t=1")
    memory.forget_unused()
    assert remembered() > 0

    memory.forget_unused()
    assert remembered() == 0
    assert lead._remembered.cache_info().currsize == 0
