"""Normalization gives what Unicode says, in time that grows with the text."""

import sys
import unicodedata
from typing import get_args

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cablese.normalization import Form, is_nfc, marks, normalize
from tests.growth import assert_linear

FORMS: tuple[Form, ...] = get_args(Form)
MARKS = ("\u0301\u0323", "\u0f73", "\uff9e\u0301\u0323", "\u0344\u0327", "\u0345\u0301\u0323")
each_form = pytest.mark.parametrize("form", FORMS)
ODD = ["a", "á", "ﬁ", "가", "ᄀ", "ᅡ", "\u0301", "\u0323", "\u0344", "\u0f73", "\uff9e", " ", "中"]
text_with_marks = st.lists(st.sampled_from(ODD) | st.characters(), max_size=12).map("".join)


@each_form
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(text=text_with_marks, run=text_with_marks, times=st.integers(0, 60))
@example(text="á", run="\u0301\u0323", times=40)
@example(text="가", run="\uff9e\u0f73", times=40)
def test_it_equals_the_standard_library_for_every_text(
    form: Form, text: str, run: str, times: int
) -> None:
    whole = text + run * times + text

    assert normalize(form, whole) == unicodedata.normalize(form, whole)
    assert is_nfc(whole) <= unicodedata.is_normalized("NFC", whole)


@each_form
@pytest.mark.parametrize("run", MARKS, ids=ascii)
def test_long_runs_of_marks_take_linear_time(form: Form, run: str) -> None:
    assert_linear(lambda size: normalize(form, "a" + run * (size // len(run))), 9_000)


@pytest.mark.parametrize("run", MARKS, ids=ascii)
def test_telling_whether_a_text_is_composed_takes_linear_time(run: str) -> None:
    assert_linear(lambda size: is_nfc("a" + run * (size // len(run))), 9_000)


def test_no_mark_is_missing() -> None:
    """A character whose decomposition has several marks and is not known as a mark could build a
    long run.
    """
    for decomposed in ("NFD", "NFKD"):
        known = marks(decomposed)
        found = {
            character
            for character in map(chr, range(sys.maxunicode + 1))
            if all(map(unicodedata.combining, unicodedata.normalize(decomposed, character)))
        }
        assert found == known
        assert len(known) > 900
