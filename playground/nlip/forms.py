"""Forms of the NLIP pages."""

from typing import Any

import msgspec
from django import forms
from django.conf import settings

from cablese.protocols.nlip.formats import DEFAULT, DIALECTS
from playground.nlip.turns import Draft, Kept
from playground.workbench.forms import WireField

CHOICES = [
    (name, dialect.title[:1].upper() + dialect.title[1:]) for name, dialect in DIALECTS.items()
]


class DialectField(forms.TypedChoiceField):
    """The dialect of both sides. The default is the draft."""

    def __init__(self) -> None:
        super().__init__(choices=CHOICES, required=False, empty_value=DEFAULT, label="Dialect")


class MessageForm(forms.Form):
    """A message for a configured server, and the tokens of the conversation."""

    server = forms.ChoiceField(label="Server")
    text = WireField(label="Message")
    control = forms.BooleanField(required=False, label="Control message")
    exact = forms.BooleanField(required=False, label="Send this text unchanged, even if invalid")
    proof = forms.CharField(required=False, max_length=4_000, label="Authentication token")
    dialect = DialectField()
    kept = forms.CharField(
        required=False, max_length=100_000, strip=False, widget=forms.HiddenInput
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        named = [(peer.name, f"{peer.name}: {peer.url}") for peer in settings.NLIP_SERVERS]
        self.fields["server"] = forms.ChoiceField(choices=named, label="Server")

    def clean_kept(self) -> tuple[Kept, ...]:
        sent: str = self.cleaned_data["kept"]
        try:
            return msgspec.json.decode(sent, type=tuple[Kept, ...]) if sent else ()
        except (ValueError, RecursionError):
            raise forms.ValidationError(
                "The conversation tokens are invalid. Start a new conversation."
            ) from None

    def draft(self) -> Draft:
        cleaned = self.cleaned_data
        flags = cleaned["control"], cleaned["exact"]
        return Draft(cleaned["text"], cleaned["dialect"], *flags, cleaned["proof"], cleaned["kept"])


class ExchangeForm(forms.Form):
    """A request and its answer, with its HTTP status and earlier tokens."""

    request = WireField(required=False, label="Request")
    response = WireField(required=False, label="Answer")
    status = forms.IntegerField(
        required=False, min_value=100, max_value=599, label="HTTP status of the answer"
    )
    own_tokens = forms.CharField(
        required=False, max_length=10_000, label="Earlier tokens from the server"
    )
    dialect = DialectField()

    def clean_own_tokens(self) -> tuple[str, ...]:
        return tuple(
            filter(None, (token.strip() for token in self.cleaned_data["own_tokens"].split(",")))
        )
