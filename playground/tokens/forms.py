"""The form of the Tokens panel. Missing and invalid fields have a default; invalid ones are also
reported.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from django import forms
from django.utils.datastructures import MultiValueDict

from playground.tokens.formats import get_titles
from playground.tokens.notations.notation import MINIFIED

Sent = tuple[tuple[str, tuple[str, ...]], ...]
"""The fields that were sent, each with its values."""
REMEMBERED = 2_000
"""The most characters of fields that are remembered with what they say."""
SECTIONS = ("costs", "baselines", "break-even", "prices", "claims")
"""The parts that are drawn when they are opened."""
PROMPT_LIMIT = 100_000
MOST_TOKENS = 10_000_000
MOST_MESSAGES = 10_000
MOST_REPEATS = 1_000
MOST_DOLLARS = 100_000


class SpendingForm(forms.Form):
    """The messages to count, the open parts, the baseline, and the numbers to calculate with."""

    over = forms.ChoiceField(
        choices=[("message", "this message"), ("all", "all messages")], required=False
    )
    open = forms.MultipleChoiceField(choices=[(name, name) for name in SECTIONS], required=False)
    baseline = forms.ChoiceField(choices=list(get_titles().items()), required=False)

    teach_prompt = forms.CharField(required=False, max_length=PROMPT_LIMIT, label="Custom prompt")
    teach_tokens = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_TOKENS, label="Prompt length"
    )
    teach_messages = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_MESSAGES, label="Messages"
    )
    teach_repeats = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_REPEATS, label="Prompt sent"
    )
    teach_cached = forms.BooleanField(required=False)
    teach_factor = forms.DecimalField(
        required=False, min_value=0, max_value=1, decimal_places=4, label="Cached price"
    )

    price_model = forms.CharField(required=False, max_length=200)
    price_for = forms.CharField(required=False, max_length=200)
    price_input = forms.DecimalField(
        required=False, min_value=0, max_value=MOST_DOLLARS, label="Input"
    )
    price_output = forms.DecimalField(
        required=False, min_value=0, max_value=MOST_DOLLARS, label="Output"
    )
    price_cached = forms.DecimalField(
        required=False, min_value=0, max_value=MOST_DOLLARS, label="Cached input"
    )
    price_daily = forms.IntegerField(
        required=False, min_value=1, max_value=10**9, label="Messages per day"
    )

    DEFAULTS = {
        "over": "message",
        "baseline": MINIFIED,
        "teach_messages": 20,
        "teach_repeats": 1,
        "teach_factor": Decimal("0.1"),
        "price_daily": 1_000,
    }


class Spending(NamedTuple):
    """All values, with the default for a missing or invalid one, and the errors, each with the name
    of its field.
    """

    choices: Mapping[str, Any]
    wrong: Sequence[str]


def read(data: Mapping[str, Any] | None) -> Spending:
    """Return what the fields of the panel say. They come with every keystroke and seldom change, so
    they are remembered. Only what a form sent has any: not what opens a page with a text.
    """
    fields = data if isinstance(data, MultiValueDict) else MultiValueDict()
    names = [name for name in SpendingForm.base_fields if name in fields]
    sent = tuple([(name, tuple(fields.getlist(name))) for name in names])
    size = sum([1 + len(value) for _, values in sent for value in values])
    return _remembered(sent) if size <= REMEMBERED else _read(sent)


def _read(sent: Sent) -> Spending:
    form = SpendingForm(MultiValueDict({name: list(values) for name, values in sent}))
    form.is_valid()
    given = {name: value for name, value in form.cleaned_data.items() if value not in (None, "")}
    wrong = [
        f"{form.fields[name].label or name.replace('_', ' ')}: {error}"
        for name, errors in form.errors.items()
        for error in errors
    ]
    return Spending(MappingProxyType(form.DEFAULTS | given), tuple(wrong))


_remembered = lru_cache(maxsize=100)(_read)
