"""`GET /api/v1/evidence`."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from auditlog import access
from auditlog.log import triggers
from auditlog.models import Tile
from auditlog.tree import checkpoints, keys, publication
from playground.http import wanted
from playground.rest import keys as api_keys
from tests.auditlog.evidence.packs import fill, verify
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    return access.create_key(source="archive", scopes=("export",))[1]


def get(client: Client, key: str, **parameters: Any) -> Any:
    headers = {"Authorization": f"Bearer {key}"}
    return client.get("/api/v1/evidence", parameters, headers=headers)


def test_it_is_a_pack_that_is_verified(client: Client, key: str, tmp_path: Path) -> None:
    log = fill(20)
    answer = get(client, key, q="leaf:3..7", at=12, withhold="by,raw")
    assert answer.headers["Content-Type"] == "application/zip"
    assert re.fullmatch(
        r'attachment; filename="default-12-\d{8}T\d{6}Z-evidence.zip"',
        answer.headers["Content-Disposition"],
    )
    assert answer.headers["Cablese-Log-Size"] == "12"
    path = tmp_path / "a.zip"
    path.write_bytes(b"".join(answer.streaming_content))
    found = verify(path, keys.verifiers(log))
    assert found.failures == []
    assert (found.manifest["count"], found.manifest["made_by"]) == (5, "archive")
    assert found.manifest["withheld"] == ["by", "raw"]


@pytest.mark.parametrize(
    ("parameters", "pointer"),
    [({"q": "leaf:("}, "/q"), ({"at": 99}, "/at"), ({"withhold": "by,x"}, "/withhold")],
)
def test_what_cannot_be_answered_is_a_problem_with_its_place(
    client: Client, key: str, parameters: dict[str, Any], pointer: str
) -> None:
    fill(5)
    answer = get(client, key, **parameters)
    assert answer.status_code == 422
    assert answer.json()["pointer"] == pointer


def test_an_empty_log_has_no_evidence(client: Client, key: str) -> None:
    answer = get(client, key)
    assert (answer.status_code, "is empty" in answer.json()["detail"]) == (422, True)


def test_until_another_server_signs_the_log_it_is_to_be_asked_for_again(
    client: Client, key: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(5)
    for one in (tmp_path / "data" / "signing-keys").iterdir():
        one.unlink()
    answer = get(client, key)
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "does not sign the log" in answer.json()["detail"]
    assert "503 GET" not in caplog.text


def test_until_witnesses_cosign_the_log_it_is_to_be_asked_for_again(
    client: Client,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fill(5)
    monkeypatch.setattr(publication, "read", lambda _: SimpleNamespace(required=1))
    answer = get(client, key)
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "0 of 1 required witnesses" in answer.json()["detail"]
    assert "503 GET" not in caplog.text


def test_it_ends_when_the_key_is_revoked(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(20)
    answer = get(client, key)
    monkeypatch.setattr(api_keys, "CHECKED", -1.0)
    access.revoke_key(key.split("_")[2])
    with pytest.raises(wanted.Unwanted):
        list(answer.streaming_content)


def test_a_tree_that_lost_a_tile_is_unavailable_and_a_failure(
    client: Client, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    log = fill(5)
    checkpoints.sign_now(log)
    add(300)
    checkpoints.sign_now(log)
    triggers.take(connection)
    Tile.objects.filter(log=log).delete()
    triggers.put(connection)
    answer = get(client, key, at=5)
    assert answer.status_code == 503
    assert "damaged" in answer.json()["detail"]
    assert "503 GET" in caplog.text
