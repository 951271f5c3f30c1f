"""Leaves that are far apart are read one by one."""

import pytest

from auditlog.database import spread


@pytest.mark.parametrize(
    ("leaves", "comparison"),
    [([5], "BETWEEN %s AND %s"), ([1, 2, 8], "BETWEEN %s AND %s"), ([1, 900_000], "IN (%s, %s)")],
)
def test_a_range_is_read_only_where_it_has_few_others(leaves: list[int], comparison: str) -> None:
    which, parameters = spread.among(leaves)

    assert which == comparison
    assert parameters in (leaves, [leaves[0], leaves[-1]])
    expected = {"at__in": leaves} if "IN" in which else {"at__range": (leaves[0], leaves[-1])}
    assert spread.lookup("at", leaves) == expected
