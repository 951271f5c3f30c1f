"""What became of many items is read again."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from auditlog.ingest.receive import Rejection
from auditlog.ingest.repeats import results

pytestmark = pytest.mark.django_db

PARAMETERS = 32_766
"""Parameters that SQLite takes in one statement, unless it was built for more."""


def test_more_answers_than_a_statement_has_parameters_are_read() -> None:
    sizes: list[int] = []

    def count(execute: Callable[..., Any], sql: str, params: Any, *more: Any) -> Any:
        sizes.append(len(params or ()))
        return execute(sql, params, *more)

    with connection.execute_wrapper(count):
        answers = results.unpack([f'[["run",201,"default",0,{PARAMETERS}]]'])

    assert max(sizes) <= PARAMETERS
    assert len(answers) == PARAMETERS
    last = answers[-1]
    assert isinstance(last, Rejection)
    assert (last.item, last.status) == (PARAMETERS - 1, 410)
    assert "leaf 32765 of the log" in last.error.detail
