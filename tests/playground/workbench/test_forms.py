"""The bounds of what the workbench sends."""

from auditlog.search.query import MAX_LENGTH
from playground.workbench.forms import DecodeForm, RedactionForm


def test_a_view_begins_at_the_first_character() -> None:
    assert DecodeForm({"text": "x", "top": "0", "bottom": "0", "caret": "0"}).is_valid()
    assert not DecodeForm({"text": "x", "top": "-1"}).is_valid()


def test_a_filter_over_the_limit_stays_over_it() -> None:
    form = DecodeForm({"text": "x", "filter": "a" * (MAX_LENGTH + 9)})

    assert form.is_valid()
    assert len(form.cleaned_data["filter"]) == MAX_LENGTH + 1


def test_forms_share_their_fields_and_nothing_that_was_sent() -> None:
    one, other = DecodeForm({"text": "a", "caret": "x"}), DecodeForm({"text": "b"})

    assert one.fields["to"] is other.fields["to"]
    assert not one.is_valid()
    assert other.is_valid()
    assert other.cleaned_data["text"] == "b"
    assert "redact" not in one.fields
    assert "redact" in RedactionForm({}).fields
