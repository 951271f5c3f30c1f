import os
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from pytest_django import Settings

from playground.server.launch import static_files
from playground.server.launch.static_files import collect


@pytest.fixture
def source(tmp_path: Path, settings: Settings) -> Path:
    """A static file of its own, and a data directory to collect it into."""
    settings.DATA = tmp_path / "data"
    settings.DATA.mkdir()
    settings.STATIC_ROOT = settings.DATA / "static"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "playground.server.static_storage.HashedFiles"}
    }
    folder = tmp_path / "source"
    folder.mkdir()
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    file = folder / "page.js"
    file.write_text("export const first = 1;")
    return file


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Mock:
    command = Mock(wraps=call_command)
    monkeypatch.setattr(static_files, "call_command", command)
    return command


def test_files_that_are_there_are_not_collected_again(source: Path, command: Mock) -> None:
    collect(print)
    collect(print)

    assert command.call_count == 1


def test_a_changed_file_is_collected_again(source: Path, command: Mock, settings: Settings) -> None:
    collect(print)
    source.write_text("export const first = 2;")
    collect(print)

    assert command.call_count == 2
    assert (settings.STATIC_ROOT / "page.js").read_text() == "export const first = 2;"


def test_a_file_that_is_older_than_its_copy_replaces_it(source: Path, settings: Settings) -> None:
    collect(print)
    source.write_text("export const first = 2;")
    os.utime(source, (0, 0))
    collect(print)

    assert (settings.STATIC_ROOT / "page.js").read_text() == "export const first = 2;"


@pytest.mark.parametrize("name", ["page.js", "staticfiles.json"])
def test_a_collected_file_that_is_gone_is_collected_again(
    source: Path, command: Mock, settings: Settings, name: str
) -> None:
    collect(print)
    (settings.STATIC_ROOT / name).unlink()
    collect(print)

    assert command.call_count == 2
    assert (settings.STATIC_ROOT / name).exists()


def test_a_collection_that_was_interrupted_is_done_again(
    source: Path, command: Mock, settings: Settings
) -> None:
    collect(print)
    source.write_text("export const first = 2;")
    command.side_effect = OSError
    with pytest.raises(OSError, match=r"^$"):
        collect(print)
    source.write_text("export const first = 1;")
    command.side_effect = None
    collect(print)

    assert command.call_count == 3
