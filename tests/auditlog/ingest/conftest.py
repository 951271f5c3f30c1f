"""A sender, and pieces of a few items."""

import pytest

from auditlog.ingest import ndjson, plain
from auditlog.sender import Sender
from tests.auditlog.sending import make_sender


@pytest.fixture
def sender() -> Sender:
    return make_sender()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of three items."""
    monkeypatch.setattr(ndjson, "PIECE", 3)
    monkeypatch.setattr(plain, "PIECE", 3)
