"""What is downloaded for the browser: no download waits forever, and all are small enough."""

import shutil
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from playground.offline import build, built
from playground.offline.downloads import Tarball, Unavailable

PACKAGE = Tarball("pyodide", "1.0.0", "0" * 64)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What each download would wait for; none is made."""
    waits: list[Any] = []

    def run(command: list[str], **given: Any) -> None:
        waits.append(given.get("timeout"))
        raise subprocess.TimeoutExpired(command, 1)

    def urlopen(address: str, timeout: float | None = None) -> None:
        waits.append(timeout)
        raise OSError(f"{address} timed out")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return waits


@pytest.mark.parametrize("npm", ["/usr/bin/npm", None])
def test_a_download_ends_after_two_minutes(
    npm: str | None, asked: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: npm)
    monkeypatch.setenv("npm_config_registry", "https://registry.example")

    with pytest.raises(Unavailable, match="timed out"):
        PACKAGE.download(tmp_path)

    assert asked == [120]


def test_files_over_the_limit_are_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "FOLDER", tmp_path)
    monkeypatch.setattr(built, "current", lambda: None)
    monkeypatch.setattr(build, "_files", lambda: {"a.bin": b"abc"})
    monkeypatch.setattr(build, "LIMIT", 10)

    with pytest.raises(Unavailable, match=r"They have \d+ bytes, over the limit of 10\."):
        build.build()

    assert list(tmp_path.iterdir()) == []
