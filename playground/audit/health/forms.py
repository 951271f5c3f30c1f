from django import forms

from playground.audit.forms import OneLogForm


class HealthForm(OneLogForm):
    """The log whose health is shown, or that is to be checked."""

    log = forms.CharField(required=False, max_length=40)
