from django import forms

from auditlog import access
from auditlog.models import Log

GRACES = (
    ("now", "Stops working now"),
    ("1h", "Works for 1 more hour"),
    ("24h", "Works for 24 more hours"),
    ("7d", "Works for 7 more days"),
)
"""What happens to the old key, by the names of `access.GRACES`."""
MAX_DAYS = 3_650


class KeyForm(forms.Form):
    """A new key."""

    source = forms.CharField(max_length=100)
    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in access.SCOPES],
        error_messages={"required": "Select at least one scope."},
    )
    log = forms.ModelChoiceField(
        Log.objects.order_by("slug"), to_field_name="slug", required=False, empty_label="All logs"
    )
    days = forms.IntegerField(
        min_value=1, max_value=MAX_DAYS, required=False, label="Days until it expires"
    )
    once = forms.CharField(max_length=40, required=False)
    """Names this form, which makes one key."""


class RotateForm(forms.Form):
    """How long the old key still works."""

    grace = forms.ChoiceField(choices=GRACES)
