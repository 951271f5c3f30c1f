"""Windows and blocks: nothing is left out, nothing is read twice."""

from hypothesis import given
from hypothesis import strategies as st

from auditlog.search.engine.condition import Bounds
from auditlog.search.engine.windows import LEVELS, blocks_of, count_leaves, cover, windows

LEAVES = st.integers(0, 3 << LEVELS[-1])


@given(one=LEAVES, other=LEAVES, size=st.integers(1, 1 << 22), oldest_first=st.booleans())
def test_windows_lie_beside_each_other_and_have_all_leaves(
    *, one: int, other: int, size: int, oldest_first: bool
) -> None:
    low, high = sorted((one, other))
    pairs = list(windows(Bounds(low, high), size, oldest_first=oldest_first))
    found = [window for window, _ in pairs]
    if not oldest_first:
        found.reverse()
    edges = [low, *(window.high for window in found)]
    assert [window.low for window in found] == edges[:-1]
    assert edges[-1] == high
    assert all(window.low < window.high for window in found)
    for window, beyond in pairs:
        expected = (window.high, high) if oldest_first else (low, window.low)
        assert beyond == expected


def test_a_large_log_has_few_windows() -> None:
    assert len(list(windows(Bounds(0, 100_000_000), 8_192, oldest_first=False))) <= 7


@given(LEAVES, st.integers(1, 1 << 22), st.data())
def test_a_cover_has_every_leaf(low: int, size: int, data: st.DataObject) -> None:
    found = cover(Bounds(low, low + size))
    inside = data.draw(st.integers(low, low + size - 1))
    assert len(set(found) & set(blocks_of(inside))) == 1


@given(LEAVES, st.integers(1, 1 << 20))
def test_a_cover_is_small(low: int, size: int) -> None:
    found = cover(Bounds(low, low + size))
    assert len(found) <= 16
    (level,) = {level for level, _ in found}
    assert level == 0 or size > 1 << LEVELS[level - 1]


def test_the_blocks_of_a_cover_have_more_leaves_than_it_needs() -> None:
    assert count_leaves(Bounds(5, 4_000)) == 4_096
    assert count_leaves(Bounds(100_000, 203_000)) == 3 << LEVELS[1]
    assert count_leaves(Bounds(0, 5 << LEVELS[1])) == 5 << LEVELS[1]
    assert count_leaves(Bounds(0, 17 << LEVELS[1])) == 2 << LEVELS[2]
