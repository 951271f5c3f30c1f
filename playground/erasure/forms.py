"""What the forms of erasing send."""

from typing import Any

from django import forms

from auditlog.erasure.erase import REASON_LIMIT, TOO_LONG, Order, by_person
from playground.audit.forms import LARGEST, LogForm

FIELD_LIMIT = 10_000


class ReasonField(forms.CharField):
    """Why something is erased, with the line ends that a person typed: a browser sends others. The
    rules of erasing refuse a reason that is missing.
    """

    def __init__(self) -> None:
        super().__init__(
            required=False, max_length=REASON_LIMIT, error_messages={"max_length": TOO_LONG}
        )

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class EraseForm(forms.Form):
    """Why, which field of a packet, and whether notes of its review stay."""

    reason = ReasonField()
    field = forms.CharField(required=False, max_length=FIELD_LIMIT, strip=False)
    keep_notes = forms.BooleanField(required=False)

    def order(self, person: Any) -> Order:
        """Return the order of a valid form."""
        given: dict[str, Any] = self.cleaned_data
        return Order(
            by_person(person), given["reason"], given["field"], notes=not given["keep_notes"]
        )


class SubjectForm(LogForm):
    """A search whose packets are to be erased, with the size of the log in the preview."""

    q = forms.CharField(required=False, max_length=10_000)
    at = forms.CharField(required=False, max_length=40)


class SubjectOrderForm(SubjectForm):
    """The same, with the number of packets in the preview, and the reason."""

    number = forms.IntegerField(min_value=0, max_value=LARGEST)
    reason = ReasonField()
    keep_notes = forms.BooleanField(required=False)

    def order(self, person: Any) -> Order:
        """Return the order of a valid form."""
        given: dict[str, Any] = self.cleaned_data
        return Order(by_person(person), given["reason"], notes=not given["keep_notes"])


class ErasuresForm(LogForm):
    """The log whose erasures are listed, and the leaf before which the next page begins."""

    before = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)
