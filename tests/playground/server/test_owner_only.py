"""Whatever is written to disk is for its owner only, even where the process lets others read."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from auditlog.check.terms import vocabulary
from auditlog.database import backup, dump
from auditlog.tree import memory
from playground.server import restoring
from playground.server.launch import preparation, serving_lock
from tests.auditlog.database.dumps import connected
from tests.installation import free_port


class Stopped(Exception):
    """The test has seen enough."""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory that does not exist yet."""
    monkeypatch.setattr(settings, "DATA", tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def open_to_all() -> Iterator[None]:
    mask = os.umask(0)
    yield
    os.umask(mask)


def stop(*_: object) -> None:
    raise Stopped


def hold_signing(data: Path) -> None:
    data.mkdir(mode=0o700)
    with memory.held("default", wait=True):
        pass


def sum_terms(data: Path) -> None:
    vocabulary._make(data / "terms", 64)


def back_up(data: Path) -> None:
    with backup.draft(data) as folder:
        backup.touch(folder / "database")


def lock_database(data: Path) -> None:
    data.mkdir(mode=0o700)
    serving_lock.take(data / "database")


def lock_data(data: Path) -> None:
    data.mkdir(mode=0o700)
    with preparation.exclusive(data, print):
        pass


def set_aside(data: Path) -> None:
    data.mkdir(mode=0o700)
    preparation.set_aside([])


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_all")
@pytest.mark.parametrize(
    "write", [hold_signing, sum_terms, back_up, lock_database, lock_data, set_aside]
)
def test_no_other_user_reads_what_is_written(data: Path, write: Callable[[Path], None]) -> None:
    write(data)

    written = [data, *data.rglob("*")]
    assert len(written) > 1
    assert [place for place in written if place.stat().st_mode & 0o077] == []


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_all")
def test_a_data_directory_is_made_for_its_owner(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "exclusive", stop)
    makes: list[Callable[[], None]] = [
        lambda: preparation.prepare(preparation.Accepted(), print),
        lambda: restoring.restore(data / "backup", restoring.Consent(), print),
    ]
    for make in makes:
        with pytest.raises(Stopped):
            make()

        assert data.stat().st_mode & 0o077 == 0
        data.rmdir()


@pytest.mark.usefixtures("open_to_all")
def test_a_dump_of_postgresql_is_for_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    place, program = tmp_path / "dump", tmp_path / "pg_dump"
    program.write_text(f"#!/bin/sh\ntouch {place}\n")
    program.chmod(0o700)
    monkeypatch.setattr(dump, "connection", connected())

    dump._dump(str(program), place, snapshot="1")

    assert place.stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("open_to_all")
def test_commands_let_nobody_else_read_what_libraries_write(data: Path) -> None:
    starts: list[Callable[[], object]] = [
        lambda: call_command("up", port=free_port(), certificate=data / "tls.pem"),
        lambda: call_command("restore", str(data / "backup")),
    ]
    for start in starts:
        with pytest.raises(CommandError):
            start()

        assert os.umask(0) == 0o077
