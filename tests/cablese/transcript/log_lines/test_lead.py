"""What comes before a message that has no anchor."""

import pytest

from cablese.transcript.log_lines import lead

WIRE = "SLIP v3 planner exec Request Plan auth"


@pytest.mark.parametrize(("signs", "is_found"), [(11, True), (12, False)])
def test_a_message_is_looked_for_after_eleven_signs(*, signs: int, is_found: bool) -> None:
    anchor = lead.find(f"{'> ' * signs}{WIRE}")

    assert (anchor and anchor.at) == (2 * signs if is_found else None)


@pytest.mark.parametrize(("length", "count"), [(200, 1), (201, 0)])
def test_short_lines_are_remembered(length: int, count: int) -> None:
    lead._remembered.cache_clear()

    for _ in range(2):
        assert lead.resembles("T|".ljust(length, "x")) == "tline"

    assert lead._remembered.cache_info().currsize == count
