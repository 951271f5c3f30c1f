from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.rounds import together


@pytest.mark.postgres
def test_two_servers_on_one_postgresql_store_each_event_once(
    postgresql: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(postgresql, autocommit=True) as server:
        server.execute("CREATE DATABASE together")
    address = urlsplit(postgresql)._replace(path="/together").geturl()

    assert together.run(address, tmp_path, processes=2, seconds=2) == []
    assert int(capsys.readouterr().out.split(" ", 1)[0].replace(",", "")) > 0
