"""What an address says of the facets."""

from django import forms

from auditlog.search.facets.tally import KEYS


class FacetsForm(forms.Form):
    """Whether the page itself shows the facets, and the facet whose values are all shown."""

    facets = forms.BooleanField(required=False)
    all = forms.ChoiceField(choices=[(key, key) for key in KEYS], required=False)

    def read(self) -> tuple[bool, str]:
        """Return both; ignore an unknown facet."""
        self.is_valid()
        return self.cleaned_data.get("facets", False), self.cleaned_data.get("all", "")
