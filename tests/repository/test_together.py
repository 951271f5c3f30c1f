from pathlib import Path

import pytest

from tests.rounds import together


@pytest.mark.postgres
def test_two_servers_on_one_postgresql_store_each_event_once(
    postgresql_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert together.run(postgresql_url, tmp_path, processes=2, seconds=2) == []
    assert int(capsys.readouterr().out.split(" ", 1)[0].replace(",", "")) > 0
