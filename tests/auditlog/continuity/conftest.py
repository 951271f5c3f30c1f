"""The clock of a test, and an end to what it committed."""

from collections.abc import Iterator

import pytest

from auditlog.log import group_commit
from auditlog.search import index
from tests.auditlog.machine import Machine


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def committed() -> Iterator[None]:
    """For tests that really commit: afterwards no thread and no remembered search key is left."""
    yield
    group_commit.stop()
    index.forget()
