"""What the forms of saved searches and columns send."""

from typing import Any

from django import forms
from django.http import Http404

from auditlog.models import Log
from auditlog.search.saved.searches import Content
from playground.audit.forms import LogForm
from playground.audit.table.columns import COLUMNS


class ContentForm(LogForm):
    """A search as its page shows it. Wrong queries and sizes are for the rules of saving to refuse,
    so that each says what is wrong with it.
    """

    name = forms.CharField(required=False, strip=False)
    q = forms.CharField(required=False, max_length=10_000)
    at = forms.IntegerField(required=False)
    columns = forms.MultipleChoiceField(
        choices=[(column.name, column.title) for column in COLUMNS], required=False
    )

    def content(self) -> Content:
        """Return what is to be saved by a valid form."""
        cleaned: dict[str, Any] = self.cleaned_data
        return Content(cleaned["q"], cleaned["columns"], cleaned["at"])


class ColumnsForm(LogForm):
    """Columns to show in their order, one of them to move, and the search of the page."""

    q = forms.CharField(required=False, max_length=10_000)
    at = forms.CharField(required=False, max_length=40)
    columns = forms.MultipleChoiceField(
        choices=[(column.name, column.title) for column in COLUMNS], required=False
    )
    up = forms.CharField(required=False, max_length=20)
    down = forms.CharField(required=False, max_length=20)
    reset = forms.BooleanField(required=False)


class ListedForm(LogForm):
    """The log whose saved searches are listed."""

    def read(self) -> Log:
        """Raises Http404 for an unknown log."""
        if not self.is_valid():
            raise Http404
        log: Log = self.cleaned_data["log"]
        return log
