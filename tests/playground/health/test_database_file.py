"""The file of the database deleted, replaced or damaged under a server that runs."""

import json
import re
import shutil
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.installation import Installation, running

PACKETS = 200


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[tuple[Installation, str]]:
    with running(tmp_path / "data") as server:
        key = server.manage("apikey", "create", "bot", "--scopes", "ingest,read")
        for _ in range(PACKETS // 100):
            assert post(server, key, 100)[0] == 201
        yield server, key


def ask(
    server: Installation, path: str, key: str = "", body: bytes | None = None
) -> tuple[int, Any]:
    headers = (
        {"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"} if key else {}
    )
    request = urllib.request.Request(f"{server.base_url}{path}", body, headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def post(server: Installation, key: str, number: int = 1) -> tuple[int, Any]:
    items = b"\n".join(json.dumps({"wire": f"REQ/TSK|g={at},t=1"}).encode() for at in range(number))
    return ask(server, "/api/v1/packets/batch", key, items)


def search(server: Installation, key: str) -> tuple[int, Any]:
    return ask(server, "/api/v1/search?q=goal:7", key)


def unready(server: Installation) -> str:
    """What `/readyz` says is wrong, once it has looked."""
    for _ in range(40):
        status, report = ask(server, "/readyz")
        if status == 503:
            return " ".join(problem["message"] for problem in report["problems"])
        time.sleep(0.5)
    raise AssertionError("it is still ready")


def logged(server: Installation, line: str) -> bool:
    """Whether the server's log has a line, waiting for it briefly."""
    for _ in range(20):
        if re.search(line, "".join(server.said)):
            return True
        time.sleep(0.2)
    return False


def delete(path: Path) -> None:
    path.rename(path.with_name("away"))


def truncate(path: Path) -> None:
    path.write_bytes(b"")


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("other"))
    path.with_name("other").rename(path)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [(delete, "is missing"), (truncate, "is missing"), (replace, "was replaced")],
    ids=["deleted", "emptied", "replaced"],
)
def test_a_file_that_is_not_the_one_of_the_start_is_neither_read_nor_written(
    installation: tuple[Installation, str], spoil: Callable[[Path], None], words: str
) -> None:
    server, key = installation
    path = server.data / "cablese.sqlite3"
    spoil(path)
    there = path.read_bytes() if path.exists() else None

    for status, problem in (post(server, key), search(server, key), post(server, key)):
        assert status == 503
        assert f"The database file {words}" in problem["detail"]
    assert words in unready(server)
    assert logged(server, rf"ERROR \S+: Not ready: The database file {words}")
    assert ask(server, "/healthz")[0] == 200
    assert (path.read_bytes() if path.exists() else None) == there


def test_a_file_that_comes_back_is_served_again_with_all_that_was_acknowledged(
    installation: tuple[Installation, str],
) -> None:
    server, key = installation
    path = server.data / "cablese.sqlite3"
    delete(path)
    assert post(server, key)[0] == 503

    path.with_name("away").rename(path)

    status, answer = post(server, key)
    assert status == 201
    assert answer["results"][0]["leaf"] == PACKETS + 1
    assert search(server, key)[0] == 200


def test_nothing_is_acknowledged_into_a_write_ahead_log_that_was_deleted(
    installation: tuple[Installation, str],
) -> None:
    server, key = installation
    (server.data / "cablese.sqlite3-wal").unlink()

    status, problem = post(server, key)

    assert status == 503
    assert "This may or may not have been stored" in problem["detail"]


def test_damage_that_a_read_meets_is_said_and_stops_writing(
    installation: tuple[Installation, str],
) -> None:
    server, key = installation
    path = server.data / "cablese.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(page,)] = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'auditlog_packet'"
        )
        [(size,)] = database.execute("PRAGMA page_size")
        # A commit of another process makes the server forget the pages that it has read.
        with path.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\xa5" * size)
        database.execute("UPDATE auditlog_source SET name = name")
        database.commit()

    status, problem = search(server, key)
    assert status == 503
    assert "The database is damaged" in problem["detail"]
    status, problem = post(server, key)
    assert status == 503
    assert "The database is damaged" in problem["detail"]
    assert "damaged" in unready(server)
    assert logged(server, r"ERROR \S+: 503 GET \S+, request \w+: \w+ SQLITE_CORRUPT")
