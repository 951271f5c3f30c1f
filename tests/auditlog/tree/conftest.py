"""Keys and memory of signed trees, in a directory of each test."""

from pathlib import Path

import pytest
from django.conf import settings

from auditlog.log import logs
from auditlog.models import Log
from auditlog.tree import keys


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of its own."""
    monkeypatch.setattr(settings, "DATA", tmp_path)
    return tmp_path


@pytest.fixture
def log(db: None, data: Path) -> Log:
    """The default log with its first key."""
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")
    keys.ensure(log)
    return log
