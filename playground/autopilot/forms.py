"""The forms of the autopilot: a text, or a search of the trail, and how to count."""

from django import forms

from playground.audit.forms import SearchForm
from playground.tokens.formats import get_titles
from playground.tokens.notations.notation import MINIFIED
from playground.workbench.forms import ProtocolField, TokenizerField, WireField


class CountForm(forms.Form):
    """The tokenizer, and the format that all others are compared with."""

    tokenizer = TokenizerField()
    baseline = forms.TypedChoiceField(
        choices=list(get_titles().items()), required=False, empty_value=MINIFIED
    )


class TextForm(CountForm):
    """A text with messages."""

    text = WireField(required=False)
    protocol = ProtocolField()


class FoundForm(CountForm, SearchForm):
    """A query over one log. Its newest packets are analyzed."""
