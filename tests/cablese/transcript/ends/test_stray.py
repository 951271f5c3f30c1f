"""What closes at the end of a message, and is searched for after few last characters alone."""

import sys

import pytest

from cablese.transcript import split
from cablese.transcript.ends import stray


def test_every_last_character_of_it_is_known() -> None:
    last = {chr(sign) for sign in range(sys.maxunicode + 1) if stray.STRAY.search(f"x{chr(sign)}")}

    assert last
    assert last <= stray.LAST


@pytest.mark.parametrize("closer", ['"#', '"##', "[^1]", "&quot;", "&gt;", '";', '",', "»,"])
def test_one_of_several_characters_ends_with_a_known_one(closer: str) -> None:
    assert stray.STRAY.search(f"x{closer}") is not None
    assert closer[-1] in stray.LAST


@pytest.mark.parametrize("end", ["\\n", "\\r\\n", "#012"])
def test_a_line_end_that_is_written_out_ends_with_a_known_sign(end: str) -> None:
    assert stray.LINE_END.search(f"x{end}") is not None
    assert end.endswith(stray.LINE_ENDS)


@pytest.mark.parametrize(
    "around", ["\u2068{}\u2069", "\u202b{}\u202c", "\u2067\u202a{}\u202c\u2069"]
)
def test_a_turn_around_a_message_is_no_part_of_it(around: str) -> None:
    for wire in ("REQ/TSK|g=42,t=1,@=auth", "SLIP v3 a b Request Plan auth", "T|17|Q|obj=x"):
        assert [cut.wire for cut in split(around.format(wire)).messages] == [wire]


def test_a_turn_in_a_value_stays_in_it() -> None:
    wire = "REQ/TSK|g=42,t=1,@=\u2067a\u2069"

    assert [cut.wire for cut in split(wire).messages] == [wire]
