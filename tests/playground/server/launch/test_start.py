"""What `manage.py up` asks for before it prepares anything."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from playground.management.commands.up import Command
from playground.server.launch import serving_lock
from tests.database.faults import raising
from tests.installation import free_port


@pytest.fixture(autouse=True)
def unprepared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def prepare(*_: object) -> None:
        raise AssertionError("it went on to prepare the data")

    monkeypatch.setattr(Command, "_prepare", prepare)
    mask = os.umask(0o077)
    yield
    os.umask(mask)


def test_a_certificate_that_cannot_be_read_is_an_error_at_once(tmp_path: Path) -> None:
    missing = tmp_path / "missing.pem"

    with pytest.raises(CommandError, match=r"Cannot read .*missing\.pem: No such file"):
        call_command("up", port=free_port(), certificate=missing, key=missing)


def test_a_certificate_without_its_key_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="must be used together"):
        call_command("up", port=free_port(), certificate=tmp_path / "tls.pem")


def test_a_disk_that_is_read_only_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    error = OSError(errno.EROFS, os.strerror(errno.EROFS))
    monkeypatch.setattr(serving_lock, "require_free", raising(error))

    with pytest.raises(CommandError, match=r"^CABLESE_DATA: .* cannot be written: Read-only file"):
        call_command("up", port=free_port())
