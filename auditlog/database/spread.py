"""Rows of many leaves, as one range where the leaves are close together."""

from collections.abc import Sequence

DENSE = 4
"""A range is read if it has at most so many times the leaves that are wanted."""


def is_dense(leaves: Sequence[int]) -> bool:
    """Return whether a range from the first to the last of these, in order, has few others."""
    return leaves[-1] - leaves[0] < DENSE * len(leaves)


def among(leaves: Sequence[int]) -> tuple[str, list[int]]:
    """Return a comparison in SQL for leaves in order, and its parameters. A range has others."""
    if is_dense(leaves):
        return "BETWEEN %s AND %s", [leaves[0], leaves[-1]]
    return f"IN ({', '.join(['%s'] * len(leaves))})", [*leaves]


def lookup(column: str, leaves: Sequence[int]) -> dict[str, Sequence[int]]:
    """Return the same as arguments of a Django filter."""
    if is_dense(leaves):
        return {f"{column}__range": (leaves[0], leaves[-1])}
    return {f"{column}__in": leaves}
