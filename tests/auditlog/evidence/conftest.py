from pathlib import Path

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def signing_keys(settings: LazySettings, tmp_path: Path) -> None:
    """Keep signing keys in a place of the test."""
    settings.DATA = tmp_path / "data"
