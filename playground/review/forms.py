"""What an address or a form of the review desk says."""

from datetime import UTC, datetime
from typing import Any

from django import forms

from auditlog import review
from playground.audit.forms import LARGEST, SearchForm
from playground.review import ranges
from playground.review.queue import LIMIT

_MOMENTS = ("%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S.%fZ")


def write_moment(at: datetime) -> str:
    """Return a time in UTC: ``20261120T100001Z``, or ``20261120T100001.000250Z``."""
    return at.strftime(_MOMENTS[at.microsecond > 0])


class MomentField(forms.CharField):
    """A time as `write_moment` writes it. Cleaned to a datetime, or None."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=23)

    def clean(self, value: Any) -> datetime | None:
        text: str = super().clean(value)
        try:
            form = _MOMENTS["." in text]
            return datetime.strptime(text, form).replace(tzinfo=UTC) if text else None
        except ValueError:
            raise forms.ValidationError("Expected a time such as 20261120T100001Z.") from None


class RangesField(forms.CharField):
    """Numbers such as ``1-12,15``. Cleaned to a list in ascending order."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=100_000)

    def clean(self, value: Any) -> list[int]:
        try:
            return ranges.read(super().clean(value), limit=LIMIT)
        except ranges.BadRanges as error:
            raise forms.ValidationError(str(error)) from None


class DeskForm(SearchForm):
    """A search as a queue: the size of the log and the time when it was opened, the leaf of the
    packet that is shown, the page of the list, and the positions that are selected.
    """

    at = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)
    now = MomentField()
    leaf = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)
    page = forms.IntegerField(min_value=1, max_value=LIMIT, required=False)
    selected = RangesField()


class PositionsField(forms.Field):
    """Positions, each in a parameter of its own. Cleaned to a list of those that can be."""

    widget = forms.SelectMultiple

    def clean(self, value: list[str]) -> list[int]:
        positions = [int(each) for each in value if each.isascii() and each.isdigit()]
        return [at for at in positions if 0 < at <= LIMIT]


class RowsForm(forms.Form):
    """The rows that are checked in the list, by their positions."""

    row = PositionsField(required=False)


class StepForm(forms.Form):
    """A step for one packet or many, and the size of the log when they were shown."""

    state = forms.ChoiceField(choices=[(state, state) for state in review.STATES])
    note = forms.CharField(required=False)
    seen = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)

    def clean_note(self) -> str:
        # A browser without a script sends other line ends than one with a script.
        note: str = self.cleaned_data["note"]
        return note.replace("\r\n", "\n")


class UndoForm(forms.Form):
    """Steps to undo, by their leaves, and the size of the log when they were shown."""

    steps = RangesField()
    seen = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)
