"""The bounds of every form: a value at the bound is accepted, and one beyond it is refused."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError

import playground.urls
from auditlog.ingest.item import Item
from cablese.protocols.aacp.authoring.workflows import PAYROLL
from playground.aacp.views import WorkflowForm
from playground.audit.forms import LineFactsForm
from playground.sacp.forms import AssembleForm, DefinitionForm

pytestmark = pytest.mark.django_db

BOUNDS: dict[str, dict[str, int]] = tomllib.loads(
    Path(__file__).with_name("form_bounds.toml").read_text()
)
LINE = Item(
    wire="x", from_="a", to="b", thread="c", sent_at="2026-11-01T09:00:00Z",
    from_line=["from", "to", "thread", "sent_at"],
)  # fmt: skip
WITH_ARGUMENTS: dict[type[forms.Form], Callable[[], forms.Form]] = {
    AssembleForm: lambda: AssembleForm([("SUMMARIZE", "SUMMARY")]),
    DefinitionForm: lambda: DefinitionForm("tool", {}),
    LineFactsForm: lambda: LineFactsForm([LINE]),
    WorkflowForm: lambda: WorkflowForm(PAYROLL),
}


def below(kind: type[forms.Form]) -> Iterator[type[forms.Form]]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def all_forms() -> dict[str, forms.Form]:
    assert playground.urls.urlpatterns  # which import every form
    ours = {form for form in below(forms.Form) if form.__module__.startswith("playground.")}
    return {each.__name__: WITH_ARGUMENTS.get(each, each)() for each in ours}


def text(length: int) -> str:
    """Return a text that is a JSON object too, because some fields take nothing else."""
    return f'{{"a":"{"x" * (length - 8)}"}}'


def refusals(field: forms.Field, value: Any) -> set[str | None]:
    """Return the codes of what a field says about a value."""
    try:
        field.clean(value)
    except ValidationError as refused:
        return {each.code for each in refused.error_list}
    return set()


@pytest.mark.parametrize("form", BOUNDS)
def test_a_form_takes_what_fits_and_no_more(form: str) -> None:
    fields = all_forms()[form].fields
    for name, bound in BOUNDS[form].items():
        is_number = isinstance(fields[name], forms.IntegerField)
        make, code = (int, "max_value") if is_number else (text, "max_length")
        assert code not in refusals(fields[name], make(bound)), name
        assert code in refusals(fields[name], make(bound + 1)), name


def test_no_bound_is_missing_from_the_table() -> None:
    found = {
        form.__class__.__name__: {
            name: bound
            for name, field in form.fields.items()
            if (bound := getattr(field, "max_length", None) or getattr(field, "max_value", None))
        }
        for form in all_forms().values()
    }

    assert {form: bounds for form, bounds in found.items() if bounds} == BOUNDS
