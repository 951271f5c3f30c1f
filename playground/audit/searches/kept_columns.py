"""The columns that a person chose: they apply wherever an address names none."""

from django.contrib.auth.models import AbstractBaseUser

from playground.audit.searches.models import ChosenColumns
from playground.audit.table.columns import Column


def load(person: AbstractBaseUser) -> list[str]:
    """Return the names in their order; none if the person chose none."""
    found = ChosenColumns.objects.filter(person_id=person.pk).values_list("names", flat=True)
    return (found.first() or "").split()


def store(person: AbstractBaseUser, columns: list[Column]) -> None:
    names = " ".join(column.name for column in columns)
    ChosenColumns.objects.update_or_create(person_id=person.pk, defaults={"names": names})


def reset(person: AbstractBaseUser) -> None:
    ChosenColumns.objects.filter(person_id=person.pk).delete()
