"""The forms of the live views."""

from django import forms

from cablese import detection, registry
from playground.stream.summary import Sieve, sieve

SHOW = (("wire", "Raw text"), ("english", "English"))
SEVERE = (
    ("", "All severities"),
    ("info", "With problems"),
    ("warning", "Warnings and errors"),
    ("error", "Errors"),
)
TEXT_LIMIT = 1_000
_PROTOCOLS = tuple((codec.name, codec.title) for codec in registry.all_codecs())


class PadForm(forms.Form):
    """The form of a new live session: its protocol, and an API key to store its messages."""

    protocol = forms.ChoiceField(choices=(("", "Auto-detect"), *_PROTOCOLS), required=False)
    key = forms.CharField(required=False, max_length=200)


class CloseForm(forms.Form):
    """Whether messages that are in no log may be deleted."""

    confirmed = forms.BooleanField(required=False)


class ViewForm(forms.Form):
    """The filters of a live view, its format, and the selected message."""

    q = forms.CharField(required=False, max_length=TEXT_LIMIT)
    protocol = forms.ChoiceField(
        choices=(("", "All protocols"), *_PROTOCOLS, (detection.UNKNOWN, "Unknown")), required=False
    )
    severity = forms.ChoiceField(required=False, choices=SEVERE)
    show = forms.ChoiceField(required=False, choices=SHOW)
    message = forms.IntegerField(required=False, min_value=0)
    after = forms.IntegerField(required=False, min_value=-1)

    @property
    def sieve(self) -> Sieve:
        sent = self.cleaned_data
        return sieve(sent["protocol"], sent["severity"], sent["q"])
