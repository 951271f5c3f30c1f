"""The table of chosen columns. `playground.models` has it too."""

from django.conf import settings
from django.db import models

LIMIT = 400


class ChosenColumns(models.Model):
    """The columns that a person sees in the trail unless an address names others."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    names = models.CharField(max_length=LIMIT)
    """In their order, space-separated."""

    def __str__(self) -> str:
        return f"columns of {self.person_id}"
