"""PostgreSQL plans for the rows that a new log has, and not for an empty table."""

from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.installation import Installation, running

PACKETS = 6_000


def store(installation: Installation, key: str, numbers: range) -> None:
    body = "".join(f'{{"wire":"REQ/TSK|g={number},t=1"}}\n' for number in numbers)
    connection = HTTPConnection(urlsplit(installation.base_url).netloc, timeout=60)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"}
    connection.request("POST", "/api/v1/packets/batch", body, headers)
    assert connection.getresponse().read().count(b'"status":201') == len(numbers)
    connection.close()


@pytest.mark.postgres
def test_a_foreign_key_is_checked_with_the_primary_key(tmp_path: Path, postgresql_url: str) -> None:
    import psycopg

    with running(tmp_path, DATABASE_URL=postgresql_url) as installation:
        key = installation.manage("apikey", "create", "many", "--scopes", "ingest")
        store(installation, key, range(PACKETS))
    with psycopg.connect(postgresql_url) as database:
        found = database.execute(
            "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'auditlog_packet_pkey'"
        ).fetchone()

    assert found is not None
    assert found[0] >= PACKETS // 2
