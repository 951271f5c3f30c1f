"""Rows of many leaves: as one range where the leaves are close together, or by their numbers.

The numbers are written in the SQL. As parameters, Django and the driver take longer with each of
them than the database takes to find its row.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import BigIntegerField
from django.db.models.lookups import In

DENSE = 4
"""A range is read if it has at most so many times the leaves that are wanted."""


def is_dense(leaves: Sequence[int]) -> bool:
    """Return whether a range from the first to the last of these, in order, has few others."""
    return leaves[-1] - leaves[0] < DENSE * len(leaves)


def among(leaves: Sequence[int]) -> str:
    """Return a comparison in SQL for leaves in order. A range has others."""
    if is_dense(leaves):
        return f"BETWEEN {leaves[0]:d} AND {leaves[-1]:d}"
    return f"IN ({', '.join([f'{leaf:d}' for leaf in leaves])})"


def lookup(column: str, leaves: Sequence[int]) -> dict[str, Sequence[int]]:
    """Return the same as arguments of a Django filter."""
    if is_dense(leaves):
        return {f"{column}__range": (leaves[0], leaves[-1])}
    return {f"{column}__in": leaves}


@BigIntegerField.register_lookup
class InNumbers(In):
    """The lookup ``in`` of columns with large numbers, such as leaves."""

    def get_prep_lookup(self) -> Any:
        # Django handles anything else, such as a subquery.
        return [*self.rhs] if _are_numbers(self.rhs) else super().get_prep_lookup()

    def batch_process_rhs(
        self, compiler: Any, connection: Any, rhs: Any = None
    ) -> tuple[list[str], list[Any]]:
        given = self.rhs if rhs is None else rhs
        if _are_numbers(given):
            return [str(number) for number in given], []
        return super().batch_process_rhs(compiler, connection, rhs)


def _are_numbers(given: Any) -> bool:
    return isinstance(given, Collection) and all(type(one) is int for one in given)
