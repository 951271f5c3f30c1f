"""The form of two texts."""

from django import forms

from playground.workbench.forms import ProtocolField, TokenizerField, WireField


class DiffForm(forms.Form):
    """Two texts to compare. The first one has the name that the workbench sends."""

    text = WireField(required=False)
    second = WireField(required=False)
    protocol = ProtocolField()
    tokenizer = TokenizerField()
    lines = forms.BooleanField(required=False)
