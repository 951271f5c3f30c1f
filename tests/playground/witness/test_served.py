"""Two installations that run: the log of one is published only with the other's cosignature."""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from auditlog.witness.submission import format_submission
from cablese.tlog import checkpoint, note
from cablese.tlog.checkpoint import Checkpoint
from tests.installation import Installation, running

pytestmark = pytest.mark.slow
PATIENCE = 60


def until(happens: Callable[[], bool]) -> None:
    late = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < late, "it does not happen"
        time.sleep(0.2)


def send(url: str, body: str, **headers: str) -> tuple[int, str]:
    data = body.encode() if body else None
    request = Request(url, data, headers)  # noqa: S310 - our own servers
    try:
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - our own servers
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def store(log: Installation, key: str) -> int:
    """Store a packet, and return its leaf."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    body = json.dumps({"wire": "REQ/TSK|g=1,t=1"})
    status, answer = send(f"{log.base_url}/api/v1/packets", body, **headers)
    assert status == 201, answer
    return int(json.loads(answer)["results"][0]["leaf"])


def published(log: Installation) -> str:
    return send(f"{log.base_url}/log/default/checkpoint", "")[1]


def size_of(signed: str) -> int:
    return checkpoint.parse_checkpoint(note.split(signed)[0]).size


def test_a_log_is_published_with_the_cosignature_that_it_requires(tmp_path: Path) -> None:
    with (
        running(tmp_path / "witness") as witness,
        running(tmp_path / "log", CABLESE_CHECKPOINT_SECONDS="1") as log,
    ):
        log_key = log.manage("signingkey", "list").split("\t")[1]
        key = log.manage("apikey", "create", "bot", "--scopes", "ingest")
        witness_key = witness.manage("witness", "key")
        prefix = f"{witness.base_url}/witness"
        log.manage("log", "publish", "default", "--public")
        until(lambda: published(log).count("\n") > 3)
        log.manage("log", "witness", "default", "--add", prefix, witness_key, "--require", "1")

        leaf = store(log, key)
        with pytest.raises(subprocess.CalledProcessError) as refused:
            log.manage("checkpoint")
        assert "0 of 1 required witnesses cosigned it" in refused.value.stderr
        assert size_of(published(log)) <= leaf

        witness.manage("witness", "add", log_key)
        until(lambda: size_of(published(log)) > leaf)
        verifiers = [note.parse_verifier(log_key), note.parse_verifier(witness_key)]
        opened = note.open(published(log), verifiers)
        assert [one.name for one in opened.signatures] == [one.name for one in verifiers]

        refuse_fork(tmp_path / "log", prefix, size_of(published(log)))


def refuse_fork(data: Path, prefix: str, size: int) -> None:
    """Whoever has the key of the log cannot have another tree cosigned."""
    (place,) = (data / "signing-keys").glob("default.*")
    signer = note.parse_signer(place.read_text())
    for number, status in ((size, 409), (size + 1, 422)):
        forged = Checkpoint(signer.name, number, bytes(32))
        signed = note.sign(checkpoint.format_checkpoint(forged), [signer])
        assert send(f"{prefix}/add-checkpoint", format_submission(size, [], signed))[0] == status
