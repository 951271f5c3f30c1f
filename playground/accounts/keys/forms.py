from django import forms

from auditlog import access
from auditlog.models import Log

GRACES = (
    ("now", "Stop now"),
    ("1h", "Work for 1 hour"),
    ("24h", "Work for 24 hours"),
    ("7d", "Work for 7 days"),
)
"""What becomes of the old key, by the names of `access.GRACES`."""
MAX_DAYS = 3_650


class KeyForm(forms.Form):
    """A new key."""

    source = forms.CharField(max_length=100)
    scopes = forms.MultipleChoiceField(choices=[(scope, scope) for scope in access.SCOPES])
    log = forms.ModelChoiceField(
        Log.objects.order_by("slug"), to_field_name="slug", required=False, empty_label="All logs"
    )
    days = forms.IntegerField(
        min_value=1, max_value=MAX_DAYS, required=False, label="Expires after days"
    )


class RotateForm(forms.Form):
    """How long the old key works."""

    grace = forms.ChoiceField(choices=GRACES)
