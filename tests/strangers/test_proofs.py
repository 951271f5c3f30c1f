"""The proofs that the API gives, judged by those who know only the specifications."""

import json
import urllib.request
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import scitt_cose
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cablese.verify.command import main
from tests.installation import Installation
from tests.playground.nlip.client import post
from tests.strangers.client import Key, Wrong, check_proof


@dataclass(frozen=True)
class Given:
    """What the API gives of one packet."""

    leaf: bytes
    index: int
    file: str
    cose: bytes
    vkey: str


@pytest.fixture(scope="module")
def given(server: Installation) -> Given:
    key = server.manage("apikey", "create", "provers", "--scopes", "ingest,read")
    status, answer = post(
        f"{server.base_url}/api/v1/packets", json.dumps({"wire": "REQ/TSK|g=7,t=1"}), key=key
    )
    assert status == 201
    receipt: dict[str, Any] = json.loads(answer)["results"][0]
    server.manage("checkpoint")
    address = f"{server.base_url}/api/v1/packets/{receipt['packet']}/proof"
    whole = json.loads(fetch(address, key, "application/json"))
    return Given(
        b64decode(whole["leaf_bytes"]),
        receipt["leaf"],
        fetch(address, key, "text/plain").decode(),
        fetch(address, key, "application/cose"),
        server.manage("signingkey", "list", "--log", "default", "--verifier-keys").strip(),
    )


def fetch(address: str, key: str, media: str) -> bytes:
    headers = {"Authorization": f"Bearer {key}", "Accept": media}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
        return bytes(response.read())


def test_a_second_implementation_accepts_the_file(given: Given) -> None:
    key = Key.read(given.vkey)
    head, index = check_proof(given.file, given.leaf, key)
    assert (head.origin, index) == (key.name, given.index)
    with pytest.raises(Wrong):
        check_proof(given.file, given.leaf + b" ", key)


def test_a_strange_library_accepts_the_cose_receipt(given: Given) -> None:
    public = Ed25519PublicKey.from_public_bytes(Key.read(given.vkey).public)
    found = scitt_cose.verify_receipt(
        given.cose,
        leaf_entry_hex=given.leaf.hex(),
        log_public_key_pem=public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    )
    assert found.ok, found.errors
    assert found.leaf_index == given.index


def test_our_command_accepts_both(
    given: Given, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "leaf").write_bytes(given.leaf)
    (tmp_path / "spoiled").write_bytes(given.leaf + b" ")
    (tmp_path / "packet.tlog-proof").write_text(given.file)
    (tmp_path / "packet.cose").write_bytes(given.cose)
    for name in ("packet.tlog-proof", "packet.cose"):
        words = [str(tmp_path / name), "--key", given.vkey, "--leaf"]
        assert main([*words, str(tmp_path / "leaf")]) == 0, capsys.readouterr().out
        assert main([*words, str(tmp_path / "spoiled")]) == 1
