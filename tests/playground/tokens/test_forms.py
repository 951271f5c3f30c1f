"""What the fields of the Tokens panel say, which is remembered."""

from typing import Any

import pytest
from django.http import QueryDict

from playground.tokens import forms
from playground.tokens.forms import SpendingForm

OPEN = "over=all&open=costs&open=prices&teach_messages=3&teach_cached=on&price_input=0.5"


@pytest.mark.parametrize("query", ["", OPEN, "open=nothing", "teach_messages=-1&price_daily=x"])
def test_it_says_what_the_form_says(query: str) -> None:
    form = SpendingForm(QueryDict(query))
    form.is_valid()

    for _ in range(2):
        found = forms.read(QueryDict(f"{query}&text=REQ"))
        for name, value in form.cleaned_data.items():
            if value not in (None, ""):
                assert found.choices[name] == value, name
        assert len(found.wrong) == sum(map(len, form.errors.values()))


def test_what_was_not_sent_by_a_form_has_the_defaults() -> None:
    nothing: list[dict[str, Any] | None] = [None, {}, {"text": "REQ/TSK|g=1"}]
    for data in nothing:
        assert forms.read(data) == forms.read(QueryDict(""))
    assert forms.read(None).choices["teach_messages"] == 20


@pytest.mark.parametrize(("length", "is_remembered"), [(1_999, True), (2_000, False)])
def test_only_short_fields_are_remembered(*, length: int, is_remembered: bool) -> None:
    data = QueryDict(f"teach_prompt={'x' * length}")

    assert (forms.read(data) is forms.read(data)) is is_remembered
    assert forms.read(data).choices["teach_prompt"] == "x" * length


def test_what_is_remembered_cannot_be_changed() -> None:
    choices: Any = forms.read(None).choices

    with pytest.raises(TypeError):
        choices["over"] = "all"
