"""The names under which packets are counted."""

import pytest

from auditlog.rollup.values import LONGEST, NONE, OTHER, Values, of_stored


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("HR-Agent", "hr-agent"),
        ("x" * LONGEST, "x" * LONGEST),
        ("x" * (LONGEST + 1), OTHER),
        ("x" * 10 * LONGEST, OTHER),
        (" " * LONGEST + "x", "x"),
        ("\N{LATIN SMALL LETTER SHARP S}" * LONGEST, OTHER),
    ],
    ids=["case", "longest", "longer", "not folded", "spaces", "longer when folded"],
)
def test_a_name_that_is_too_long_counts_among_the_others(name: str, counted: str) -> None:
    found = of_stored({"act": "request", "sender": name}, {})

    assert found == Values("request", (counted,), (NONE,))
