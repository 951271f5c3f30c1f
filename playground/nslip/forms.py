"""The form for training examples."""

from django import forms

from cablese.protocols.nslip.training.examples import ROLES, SEED_LIMIT

TRAINING_LIMIT = 100_000
"""The limit of examples that the server generates at once."""


class TrainingForm(forms.Form):
    """A choice of training examples. The default is seed 0, 1,000 examples, and every role."""

    seed = forms.IntegerField(required=False, min_value=0, max_value=SEED_LIMIT)
    count = forms.IntegerField(required=False, min_value=1, max_value=TRAINING_LIMIT)
    roles = forms.TypedMultipleChoiceField(
        required=False, choices=[(role, role) for role in ROLES], empty_value=list(ROLES)
    )

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0

    def clean_count(self) -> int:
        return self.cleaned_data["count"] or 1_000
