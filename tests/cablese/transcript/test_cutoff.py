"""A message that is cut off costs its own record, and no neighbor pays for it."""

import pytest

from cablese import detection
from cablese.transcript import split
from tests.transcript.cutoff import CASES, PREFIX, Spoilt, texts, wrong
from tests.transcript.folds import FOLDS, Fold, unfolded

BROKEN = '{"format":"text","subformat":"english","content":"It ends too early'
GOOD = '{"format":"text","subformat":"english","content":"message %d"}'


@pytest.mark.parametrize("spoilt", CASES, ids=lambda spoilt: spoilt.name)
def test_it_harms_no_neighbor_and_is_not_valid(spoilt: Spoilt) -> None:
    assert list(texts(spoilt))
    assert not wrong(spoilt), wrong(spoilt)[:3]


@pytest.mark.parametrize("prefix", ["", PREFIX, "executor: ", "> "])
@pytest.mark.parametrize("at", [0, 1500])
def test_one_of_3000_records_is_cut_off(prefix: str, at: int) -> None:
    lines = [GOOD % n for n in range(3000)]
    lines[at] = BROKEN
    cuts = split("\n".join(prefix + line for line in lines)).messages
    assert [cut.wire for cut in cuts] == lines
    assert [
        n for n, cut in enumerate(cuts) if not detection.decode(cut.wire, cut.protocol).valid
    ] == [at]


def test_one_of_3000_records_is_cut_off_and_its_protocol_known() -> None:
    lines = [BROKEN, *(GOOD % n for n in range(1, 3000))]
    assert [cut.wire for cut in split("\n".join(lines), "nlip").messages] == lines


@pytest.mark.parametrize("prefix", ["", PREFIX, "> "])
@pytest.mark.parametrize("at", [0, 1, 1500, 2999])
def test_one_of_3000_packets_ends_in_a_bar(at: int, prefix: str) -> None:
    lines = [f"FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:r{n}" for n in range(3000)]
    lines[at] = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|"
    cuts = split("\n".join(prefix + line for line in lines)).messages
    assert [cut.wire for cut in cuts] == lines
    assert [
        n for n, cut in enumerate(cuts) if not detection.decode(cut.wire, cut.protocol).valid
    ] == [at]


@pytest.mark.parametrize("fold", FOLDS, ids=lambda fold: fold.name)
def test_a_folded_packet_is_whole_behind_any_prefix(fold: Fold) -> None:
    assert not unfolded(fold), unfolded(fold)
