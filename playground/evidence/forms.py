"""What a pack is about, and what the exporter leaves out."""

from django import forms

from auditlog.evidence.selection import KINDS
from playground.audit.forms import SearchForm

TITLES = {
    "raw": "Raw text",
    "index": "Meaning and metadata",
    "reading": "Decoding: validity, diagnostics, and token counts",
    "event": "Event ID",
    "by": "Who stored it, and who reviewed it",
}
TOKEN_LENGTH = 32


class EvidenceForm(SearchForm):
    """A search, the openings to withhold, and the token by which the page asks for progress."""

    withhold = forms.MultipleChoiceField(
        choices=[(kind, TITLES[kind]) for kind in KINDS], required=False
    )
    token = forms.CharField(required=False, max_length=TOKEN_LENGTH)


class ProgressForm(forms.Form):
    """The token of a download."""

    token = forms.CharField(max_length=TOKEN_LENGTH)

    def read(self) -> str:
        """Return the token; nothing for an invalid one."""
        self.is_valid()
        return str(self.cleaned_data.get("token", ""))
