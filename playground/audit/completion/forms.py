from django import forms

from auditlog.models import Log
from auditlog.search.query import MAX_LENGTH
from playground.audit.forms import SearchForm

LARGEST = 2**31 - 1


class CompletionForm(SearchForm):
    """A query as it is typed, and the caret in it, in UTF-16 units."""

    q = forms.CharField(required=False, strip=False, max_length=MAX_LENGTH)
    caret = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)

    @property
    def log_with_end(self) -> Log:
        """The chosen log of a valid form."""
        return Log.objects.select_related("end").get(pk=self.cleaned_data["log"].pk)
