"""Places of the browser agree with a slow count."""

from hypothesis import given
from hypothesis import strategies as some

from playground.display.offsets import Places


@given(some.text(alphabet="ab\n🙂é\U00010000"))
def test_units_lines_and_columns_agree_with_a_slow_count(text: str) -> None:
    places = Places(text)

    for at in range(len(text) + 1):
        before = text[:at]
        assert places.unit(at) == len(before.encode("utf-16-le")) // 2
        assert places.line(at) == before.count("\n") + 1
        assert places.column(at) == len(before.rpartition("\n")[2]) + 1
