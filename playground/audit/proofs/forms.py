from django import forms

from auditlog.models import Log
from auditlog.search.table import LAST_LEAF


class SizeForm(forms.Form):
    """The size that the link to a packet is pinned to."""

    at = forms.IntegerField(required=False, min_value=1, max_value=LAST_LEAF)

    def read(self) -> int | None:
        """Return the size; None for an invalid one, which the page of the packet reports."""
        return self.cleaned_data["at"] if self.is_valid() else None


class LeavesForm(forms.Form):
    """A range of leaves of a log, both ends inclusive."""

    log = forms.ModelChoiceField(Log.objects.all(), to_field_name="slug")
    first = forms.IntegerField(min_value=0, max_value=LAST_LEAF)
    last = forms.IntegerField(min_value=0, max_value=LAST_LEAF)
