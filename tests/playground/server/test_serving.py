"""What a process does before it answers: requests wait for a lock briefly, and commands for
long.
"""

import time
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.db.backends.sqlite3.base import DatabaseWrapper

from playground import settings
from playground.server import environment, serving


@pytest.mark.django_db
def test_a_request_gives_up_on_a_lock_after_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "PATIENCE", 1)
    alias, database = "default", connections.settings["default"]
    chosen: dict[str, Any] = (
        database
        | settings._SQLITE
        | {"NAME": tmp_path / "a", "OPTIONS": {**settings._SQLITE["OPTIONS"]}}
    )
    serving.hurry(chosen)
    writer, request = DatabaseWrapper(chosen, alias), DatabaseWrapper(chosen, alias)
    with writer.cursor() as cursor:
        cursor.execute("BEGIN IMMEDIATE")
        with request.cursor() as other:
            assert other.execute("SELECT 1").fetchone() == (1,)
            began = time.monotonic()
            with pytest.raises(OperationalError, match="locked"):
                other.execute("CREATE TABLE t (x)")
            assert time.monotonic() - began < 10
        cursor.execute("ROLLBACK")
    writer.close()
    request.close()


def test_a_command_waits_longer() -> None:
    assert settings._SQLITE["OPTIONS"]["timeout"] == 20


def configured(address: str) -> dict[str, Any]:
    return settings._database(environment.read({"DATABASE_URL": address}).database)


def test_on_postgresql_the_address_may_say_otherwise() -> None:
    chosen = configured("postgresql://me@127.0.0.1/log")
    serving.hurry(chosen)
    assert chosen["OPTIONS"]["options"] == "-c lock_timeout=5000 -c synchronous_commit=on"
    chosen = configured(
        "postgresql://me@127.0.0.1/log?options=-c%20lock_timeout%3D9000%20-c%20"
        "synchronous_commit%3Dremote_apply"
    )
    serving.hurry(chosen)
    assert chosen["OPTIONS"]["options"] == (
        "-c lock_timeout=5000 -c synchronous_commit=on "
        "-c lock_timeout=9000 -c synchronous_commit=remote_apply"
    )


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("pool", [True, False])
def test_a_session_of_postgresql_waits_for_its_commits(own_postgresql: Any, *, pool: bool) -> None:
    from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL  # needs psycopg

    own_postgresql.psql("ALTER DATABASE postgres SET synchronous_commit = off")
    chosen = connections.settings["default"] | configured(own_postgresql.get_uri())
    if not pool:
        del chosen["OPTIONS"]["pool"]
    connection = PostgreSQL(chosen, "default")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("on",)
    finally:
        connection.close()
        connection.close_pool()
