"""A backup of PostgreSQL that fails says why, at a bounded length."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from auditlog.database import dump
from auditlog.database.backup import Unusable


def test_what_pg_dump_says_when_it_fails_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    program = tmp_path / "pg_dump"
    program.write_text(f"#!/bin/sh\necho {'x' * 301} >&2\nexit 1\n")
    program.chmod(0o700)
    info = SimpleNamespace(get_parameters=dict, password="")
    monkeypatch.setattr(dump, "connection", SimpleNamespace(connection=SimpleNamespace(info=info)))

    with pytest.raises(Unusable) as failed:
        dump._dump(str(program), tmp_path / "dump", snapshot="1")

    assert str(failed.value) == f"pg_dump failed: {'x' * 300}"
