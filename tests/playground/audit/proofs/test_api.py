"""The proof of a packet in the API: three forms of one proof, verified with nothing else."""

from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
import scitt_cose
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import connection
from django.test import Client

from auditlog import access
from auditlog.log import logs, triggers
from auditlog.models import Checkpoint, Leaf, Log
from auditlog.tree import checkpoints, memory
from cablese.tlog import merkle
from cablese.tlog.note import parse_verifier
from cablese.tlog.proof import parse_proof, verify_proof
from cablese.tlog.receipt import verify_receipt
from tests.auditlog.erasure.orders import erase_leaves
from tests.playground.audit.api.requests import WIRE, get, make_key, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    return make_key()


@pytest.fixture
def receipt(client: Client, log: Log, key: str) -> dict[str, Any]:
    """The receipt of a packet that is not signed yet."""
    (stored,) = post(client, "packets", {"wire": WIRE}, key).json()["results"]
    found: dict[str, Any] = stored
    return found


def ask(client: Client, uid: str, key: str, accept: str = "application/json") -> Any:
    return client.get(
        f"/api/v1/packets/{uid}/proof",
        headers={"Authorization": f"Bearer {key}", "Accept": accept},
    )


def test_the_three_forms_verify_alone(
    client: Client, log: Log, key: str, receipt: dict[str, Any]
) -> None:
    checkpoints.sign_now(log)
    uid, digest = receipt["packet"], bytes.fromhex(receipt["leaf_hash"])

    answer = ask(client, uid, key)
    found = answer.json()
    verifiers = [parse_verifier(one) for one in found["keys"]]
    assert merkle.hash_leaf(b64decode(found["leaf_bytes"])) == digest
    assert (found["packet"], found["log"], found["erased"]) == (uid, "default", False)
    proof = found["proof"]
    path = [b64decode(one) for one in proof["path"]]
    merkle.verify_inclusion(digest, proof["leaf"], proof["size"], path, b64decode(proof["root"]))
    assert answer["Vary"] == "Accept"

    text = ask(client, uid, key, "text/plain")
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text.content.decode() == proof["file"]
    signed = verify_proof(parse_proof(proof["file"]), digest, verifiers, "example.com/log/default")
    assert signed.size == proof["size"] == 2

    cose = ask(client, uid, key, "application/cose")
    assert cose["Content-Type"] == "application/cose"
    for one in (cose.content, b64decode(found["cose"])):
        assert verify_receipt(one, digest, verifiers).root == signed.root


def test_a_strange_library_accepts_the_cose_receipt(
    client: Client, log: Log, key: str, receipt: dict[str, Any]
) -> None:
    checkpoints.sign_now(log)
    found = ask(client, receipt["packet"], key).json()
    public = Ed25519PublicKey.from_public_bytes(parse_verifier(found["keys"][0]).public)
    pem = public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )

    accepted = scitt_cose.verify_receipt(
        b64decode(found["cose"]),
        leaf_entry_hex=b64decode(found["leaf_bytes"]).hex(),
        log_public_key_pem=pem,
    )

    assert accepted.ok, accepted.errors
    assert accepted.leaf_index == receipt["leaf"]


def test_a_new_packet_is_provable_soon_and_at_once_with_the_right_to_sign(
    client: Client, log: Log, key: str, receipt: dict[str, Any]
) -> None:
    answer = ask(client, receipt["packet"], key)
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "within 10 s" in answer.json()["detail"]
    assert not Checkpoint.objects.exists()

    _, admin = access.create_key(source="ops", scopes=("read", "admin"))
    assert ask(client, receipt["packet"], admin).status_code == 200
    assert ask(client, receipt["packet"], key).status_code == 200


def test_a_log_that_is_not_mine_has_no_proof_for_me(
    client: Client, log: Log, receipt: dict[str, Any]
) -> None:
    checkpoints.sign_now(log)
    other = logs.create(slug="other")
    _, foreign = access.create_key(source="stranger", scopes=("read", "admin"), log=other)
    _, blind = access.create_key(source="sender", scopes=("ingest",))

    assert ask(client, receipt["packet"], foreign).status_code == 404
    assert ask(client, receipt["packet"], blind).status_code == 403
    assert get(client, f"packets/{receipt['packet']}/proof", "none").status_code == 401


def test_an_erased_packet_keeps_its_proof(
    client: Client, log: Log, key: str, receipt: dict[str, Any]
) -> None:
    checkpoints.sign_now(log)
    before = ask(client, receipt["packet"], key).json()

    erase_leaves(receipt["leaf"])

    after = ask(client, receipt["packet"], key).json()
    assert after == before | {"erased": True, "cose": after["cose"]}


def test_a_changed_log_gives_no_proof_away(
    client: Client, log: Log, key: str, receipt: dict[str, Any]
) -> None:
    checkpoints.sign_now(log)
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=receipt["leaf"]).update(bytes=b"forged")

    answer = ask(client, receipt["packet"], key)
    assert answer.status_code == 503
    assert "changed since" in answer.json()["detail"]


def test_a_disk_that_cannot_be_written_is_said(
    client: Client, log: Log, receipt: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(memory, "write", fail)
    answer = ask(client, receipt["packet"], make_key("read", "admin"))
    assert answer.status_code == 503
    assert "No space left on device" in answer.json()["detail"]


def test_a_key_that_cannot_be_used_does_not_show_its_path(
    client: Client, log: Log, receipt: dict[str, Any], data: Path
) -> None:
    checkpoints.sign_now(log)
    for place in (data / "signing-keys").iterdir():
        place.chmod(0o644)
    answer = ask(client, receipt["packet"], key=make_key("read"), accept="application/cose")
    assert answer.status_code == 503
    assert str(data) not in answer.json()["detail"]
