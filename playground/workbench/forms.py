"""The forms of the workbench, and the fields that other rooms use too."""

from collections.abc import Mapping
from typing import Any, Self

import msgspec
from django import forms

from auditlog.search.query import MAX_LENGTH
from cablese import registry, tokens
from playground.workbench import translate

TEXT_LIMIT = 1024 * 1024
LINK_LIMIT = 2048
VIEWS = ("table", "tree", "raw")


class WireInput(forms.Textarea):
    """Takes the text itself, or as ``<name>_json`` a JSON string of it.

    A page that only passes a text on must write it as JSON: in an attribute, a browser turns NUL
    into U+FFFD and normalizes line ends.
    """

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        if f"{name}_json" not in data:
            return super().value_from_datadict(data, files, name)
        try:
            return msgspec.json.decode(data[f"{name}_json"], type=str)
        except (ValueError, RecursionError):
            return None


class WireField(forms.Field):
    """Text exactly as typed: not stripped, any character. Browsers send line ends as CRLF, which is
    undone.
    """

    widget = WireInput

    def to_python(self, value: Any) -> str:
        return "" if value is None else str(value).replace("\r\n", "\n")

    def validate(self, value: str) -> None:
        super().validate(value)
        size = len(value.encode(errors="surrogatepass"))
        if size > TEXT_LIMIT:
            raise forms.ValidationError(
                f"The text has {size:,} bytes. The limit of the workbench is {TEXT_LIMIT:,}. "
                "Import larger files to a log instead."
            )


class ProtocolField(forms.TypedChoiceField):
    """A protocol by name. Cleaned to None for detection."""

    def __init__(self) -> None:
        named = ((codec.name, codec.title) for codec in registry.all_codecs())
        choices = [("", "Auto-detect"), *named]
        super().__init__(choices=choices, required=False, empty_value=None)


class TokenizerField(forms.TypedChoiceField):
    """A tokenizer by name; the first one if none is given."""

    def __init__(self) -> None:
        named = [(name, tokens.info(name).title) for name in tokens.names()]
        super().__init__(choices=named, required=False, empty_value=tokens.names()[0])


class DecodeForm(forms.Form):
    """A text to decode, how to decode it, and which of its messages to show: by number, or the one
    at the caret.

    ``filter`` is a query for messages of the text.
    ``top`` and ``bottom`` are the visible part of the text in the browser, ``rows`` is the number
    of rows to send, ``other`` a message to compare with.

    The caret counts UTF-16 units, as the browser does.
    """

    text = WireField(required=False)
    protocol = ProtocolField()
    tokenizer = TokenizerField()
    to = forms.ChoiceField(choices=[("", ""), *translate.choices()], required=False)
    message = forms.IntegerField(required=False, min_value=1)
    view = forms.ChoiceField(choices=[(view, view) for view in VIEWS], required=False)
    caret = forms.IntegerField(required=False, min_value=0)
    top = forms.IntegerField(required=False, min_value=0)
    bottom = forms.IntegerField(required=False, min_value=0)
    offset = forms.IntegerField(required=False, min_value=0)
    other = forms.CharField(required=False)
    rows = forms.IntegerField(required=False, min_value=0)
    filter = forms.CharField(required=False)

    def clean_filter(self) -> str:
        """Return the query of the filter, cut to its limit, which the page reports."""
        typed: str = self.cleaned_data["filter"]
        return typed[: MAX_LENGTH + 1]

    def clean_other(self) -> int | None:
        """Return a number; None while it is only half typed, so that the form stays valid."""
        typed: str = self.cleaned_data["other"]
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 9 else None


class RedactionForm(DecodeForm):
    """A text, and the fields to redact; without names, those with sensitive data."""

    redact = forms.CharField(required=False, max_length=100_000, strip=False)

    def clean(self) -> dict[str, Any]:
        redact: str = self.cleaned_data.get("redact", "")
        try:
            keys = msgspec.json.decode(redact, type=list[str]) if redact else None
        except (ValueError, RecursionError):
            raise forms.ValidationError("Expected a JSON array of field names.") from None
        return self.cleaned_data | {"keys": keys}


class _Shared(dict[str, forms.Field]):
    """Fields that no form changes. Django would copy them for each form, and the copies take longer
    than all else that a form does.
    """

    def __deepcopy__(self, _memo: object) -> Self:
        return self


DecodeForm.base_fields = _Shared(DecodeForm.base_fields)


class EditForm(forms.Form):
    """A new value for a field of the shown message; fields count from 1."""

    field = forms.IntegerField(min_value=1)
    value = WireField(required=False)


class LinkForm(DecodeForm):
    """A text in a URL. It is short, so that nobody sends long texts in links."""

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        size = len(text.encode(errors="surrogatepass"))
        if size > LINK_LIMIT:
            raise forms.ValidationError(
                f"The link has {size:,} bytes of text. The limit is {LINK_LIMIT:,}. "
                "Paste the text instead."
            )
        return text


class FilterForm(forms.Form):
    """Words to filter a list by."""

    q = forms.CharField(required=False, max_length=200)


class TokenizerForm(forms.Form):
    """The tokenizer to count with."""

    tokenizer = TokenizerField()
