"""Leaves that are far apart are read one by one."""

from datetime import UTC, datetime
from typing import Any

import pytest

from auditlog.database import spread
from auditlog.models import Log, LogEnd


@pytest.mark.parametrize(
    ("leaves", "comparison"),
    [([5], "BETWEEN 5 AND 5"), ([1, 2, 8], "BETWEEN 1 AND 8"), ([1, 900_000], "IN (1, 900000)")],
)
def test_a_range_is_read_only_where_it_has_few_others(leaves: list[int], comparison: str) -> None:
    assert spread.among(leaves) == comparison
    expected = {"at__in": leaves} if "IN" in comparison else {"at__range": (leaves[0], leaves[-1])}
    assert spread.lookup("at", leaves) == expected


@pytest.mark.django_db
def test_numbers_are_written_in_the_sql_and_anything_else_is_left_to_django() -> None:
    log = Log.objects.create(slug="numbers", title="Numbers", created=datetime.now(UTC))
    end = LogEnd.objects.create(log=log, size=3)

    some: list[Any] = [[2, 3], {3}, [True, 3], ["3"], [None, 3], (3,)]
    for given in some:
        assert list(LogEnd.objects.filter(size__in=given)) == [end], given
    none: list[Any] = [[], [2], [None], [-(2**70)]]
    for given in none:
        assert list(LogEnd.objects.filter(size__in=given)) == [], given
    same = LogEnd.objects.filter(log=log).values("size")
    assert list(LogEnd.objects.filter(size__in=same)) == [end]
    statement, parameters = LogEnd.objects.filter(size__in=[2, 3]).query.sql_with_params()
    assert "IN (2, 3)" in statement
    assert parameters == ()
