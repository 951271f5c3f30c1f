"""The bounds of what an address or a form of the review desk says."""

from django.http import QueryDict

from playground.review.forms import RowsForm, UndoForm
from playground.review.queue import LIMIT


def test_a_selection_has_at_most_as_many_positions_as_a_queue() -> None:
    most, more = UndoForm({"steps": f"1-{LIMIT}"}), UndoForm({"steps": f"1-{LIMIT + 1}"})

    assert most.is_valid()
    assert len(most.cleaned_data["steps"]) == LIMIT
    assert more.errors["steps"] == [f"The limit is {LIMIT:,} numbers."]


def test_rows_beyond_a_queue_are_left_out() -> None:
    form = RowsForm(QueryDict(f"row=0&row=1&row={LIMIT}&row={LIMIT + 1}&row=x&row=²"))

    assert form.is_valid()
    assert form.cleaned_data["row"] == [1, LIMIT]
