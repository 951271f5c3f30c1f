from collections.abc import Iterator
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

import pytest

from playground.evidence import progress
from playground.http import streaming


@pytest.fixture(autouse=True)
def places(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep signing keys in a place of the test, and let no unread response keep its place."""
    settings.DATA = tmp_path / "data"
    monkeypatch.setattr(streaming, "_places", BoundedSemaphore(streaming._PLACES))
    yield
    progress._packs.clear()
