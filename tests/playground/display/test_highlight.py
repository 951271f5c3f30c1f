"""Which fields a diagnostic touches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection
from cablese.message import Field, Span
from playground.display import highlight
from playground.display.highlight import (
    ROW_LENGTH,
    Extents,
    brief_runs,
    cut_runs,
    touches,
    visible_span,
)
from tests import fuzz

SPANS = st.tuples(st.integers(0, 20), st.integers(0, 4)).map(
    lambda one: Span(one[0], one[0] + one[1])
)


@given(places=st.lists(SPANS, max_size=12), span=SPANS)
@fuzz.examples(60)
def test_the_fields_that_a_span_touches_are_found(places: list[Span], span: Span) -> None:
    fields = [Field(str(at), "", "", None, place) for at, place in enumerate(places)]

    assert Extents(fields).touching(span) == [field for field in fields if touches(field, span)]


def test_not_every_field_is_looked_at_for_every_span(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def counted(field: Field, span: Span) -> bool:
        nonlocal asked
        asked += 1
        return touches(field, span)

    monkeypatch.setattr(highlight, "touches", counted)
    spans = [Span(2 * at, 2 * at + 1) for at in range(1_000)]
    extents = Extents([Field(str(at), "", "", None, span) for at, span in enumerate(spans)])

    for span in spans:
        assert len(extents.touching(span)) == 1

    assert asked < 5 * len(spans)


@pytest.mark.parametrize("length", [ROW_LENGTH - 1, ROW_LENGTH, ROW_LENGTH + 1])
def test_a_row_ends_at_its_limit_whatever_is_marked_behind_it(length: int) -> None:
    """The wire has an unknown field at its end, which a diagnostic marks."""
    wire = "REQ/TSK|g=1,@=".ljust(length, "a") + ",t=x"
    message = detection.decode(wire)

    assert message.diagnostics[0].span.start > ROW_LENGTH - 2
    assert "".join(run.text for run in brief_runs(message)) == wire[:ROW_LENGTH]


def test_a_row_is_cut_where_its_field_changes() -> None:
    runs = [(run.text, run.field) for run in brief_runs(detection.decode("REQ/TSK|g=1"))]

    assert len(runs) > 4
    assert runs[0] == ("REQ", "act")
    assert runs[-1] == ("1", "g")


def test_a_text_without_fields_is_one_piece_and_bad() -> None:
    runs = list(cut_runs(detection.decode("hello there"), (), {}, ROW_LENGTH))

    assert [(run.text, run.kind) for run in runs] == [("hello there", "bad")]


@pytest.mark.parametrize(
    ("at", "length", "shown"), [(2, 3, (2, 3)), (3, 3, (2, 3)), (0, 0, (0, 0))]
)
def test_an_empty_place_marks_a_character_beside_it(
    at: int, length: int, shown: tuple[int, int]
) -> None:
    assert visible_span(Span(at, at), length) == shown


def test_an_empty_place_touches_the_field_that_begins_there() -> None:
    field = Field("goal", "", "", None, Span(3, 5))

    assert [touches(field, Span(at, at)) for at in (2, 3, 4, 5)] == [False, True, True, False]
