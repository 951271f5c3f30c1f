"""What `pg_dump` is given for a backup of PostgreSQL, and what it says when it fails."""

from pathlib import Path

import pytest

from auditlog.database import dump
from auditlog.database.backup import Unusable
from tests.auditlog.database.dumps import connected


def test_what_pg_dump_says_when_it_fails_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    program = tmp_path / "pg_dump"
    program.write_text(f"#!/bin/sh\necho {'x' * 301} >&2\nexit 1\n")
    program.chmod(0o700)
    monkeypatch.setattr(dump, "connection", connected())

    with pytest.raises(Unusable) as failed:
        dump._dump(str(program), tmp_path / "dump", snapshot="1")

    assert str(failed.value) == f"pg_dump failed: {'x' * 300}"


def test_pg_dump_is_not_given_what_the_driver_adds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older pg_dump refuses `sslcertmode`, which newer drivers always report."""
    pytest.importorskip("psycopg")
    program, place = tmp_path / "pg_dump", tmp_path / "dump"
    program.write_text(f'#!/bin/sh\ntouch {place}\necho "$@" > {tmp_path}/given\n')
    program.chmod(0o700)
    found = {"host": "db", "dbname": "cablese", "hostaddr": "192.0.2.1", "sslcertmode": "allow"}
    given = {"host": "db", "dbname": "cablese", "cursor_factory": object}
    monkeypatch.setattr(dump, "connection", connected(found, given))

    dump._dump(str(program), place, snapshot="1")

    assert (tmp_path / "given").read_text() == (
        f"--format=custom --snapshot=1 --file={place} --dbname=host=db dbname=cablese\n"
    )
