"""A leaf has a proof once it is signed, and none that leads elsewhere is given away."""

from pathlib import Path

import pytest
from django.db import connection

from auditlog.log import triggers
from auditlog.models import Checkpoint, Leaf, Log, Tile
from auditlog.proofs import inclusion
from auditlog.tree import checkpoints, incidents, keys
from cablese.tlog import note
from cablese.tlog.merkle import BadProof
from cablese.tlog.note import BadNote
from cablese.tlog.proof import parse_proof, verify_proof
from cablese.tlog.receipt import BadReceipt, verify_receipt
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("number", [1, 2, 255, 600])
def test_every_file_verifies_with_the_keys_of_the_log_alone(log: Log, number: int) -> None:
    add(number)
    size = checkpoints.sign_now(log).size
    for index in {0, number // 2, number - 1, number}:
        found = inclusion.prove(log, index)

        proof = parse_proof(inclusion.write_file(found))
        signed = verify_proof(
            proof, found.leaf_hash, keys.verifiers(log), "example.com/log/default"
        )
        assert (proof.index, signed.size) == (index, size)
        shown = verify_receipt(inclusion.write_receipt(found), found.leaf_hash, keys.verifiers(log))
        assert (shown.index, shown.size, shown.root) == (index, size, signed.root)


def test_it_is_made_at_the_first_checkpoint_after_the_leaf(log: Log) -> None:
    for _ in range(3):
        add(10)
        checkpoints.sign_now(log)

    sizes = [inclusion.prove(log, index).checkpoint.size for index in (3, 12, 30)]
    assert sizes == [11, 21, 31]


def test_a_proof_of_another_leaf_or_log_is_refused(log: Log) -> None:
    add(20)
    checkpoints.sign_now(log)
    found = inclusion.prove(log, 7)
    other = inclusion.prove(log, 8)
    stranger = note.generate("elsewhere.example/log/default").verifier

    with pytest.raises(BadProof):
        verify_proof(found.proof, other.leaf_hash, keys.verifiers(log))
    with pytest.raises(BadNote):
        verify_proof(found.proof, found.leaf_hash, [stranger])
    with pytest.raises(BadReceipt):
        verify_receipt(inclusion.write_receipt(found), found.leaf_hash, [stranger])


def test_an_unsigned_leaf_is_signed_on_demand_only(log: Log) -> None:
    add(3)
    with pytest.raises(inclusion.NotSigned, match="within 10 s"):
        inclusion.prove(log, 2)
    assert not Checkpoint.objects.exists()

    assert inclusion.prove_now(log, 2).checkpoint.size == 4
    with pytest.raises(inclusion.NoLeaf):
        inclusion.prove_now(log, 4)


def test_without_the_key_nothing_is_signed_but_old_proofs_stand(log: Log, data: Path) -> None:
    add(3)
    checkpoints.sign_now(log)
    add(1)
    for place in (data / "signing-keys").iterdir():
        place.unlink()

    found = inclusion.prove(log, 2)
    with pytest.raises(inclusion.NotSigned, match="does not sign"):
        inclusion.write_receipt(found)
    with pytest.raises(inclusion.NotSigned, match="does not sign"):
        inclusion.prove_now(log, 4)


def test_an_incident_stops_receipts_too(log: Log) -> None:
    add(3)
    checkpoints.sign_now(log)
    incidents.record(log, "faults", size=4, found=4)
    with pytest.raises(inclusion.NotSigned, match="self-check"):
        inclusion.write_receipt(inclusion.prove(log, 2))
    with pytest.raises(inclusion.NotSigned, match="self-check"):
        inclusion.prove(log, 4)


@pytest.mark.parametrize("place", ["leaf", "hash", "tile", "root", "note", "foreign key"])
def test_what_was_changed_has_no_proof(log: Log, place: str) -> None:
    add(600)
    checkpoints.sign_now(log)
    triggers.take(connection)
    signed = Checkpoint.objects.filter(log=log)
    index = 590
    if place == "leaf":
        Leaf.objects.filter(log=log, index=index).update(bytes=b"forged")
    elif place == "hash":
        Leaf.objects.filter(log=log, index=index + 1).update(hash=bytes(32))
    elif place == "tile":
        Tile.objects.filter(log=log, level=0, number=1).delete()
        index = 300
    elif place == "root":
        signed.update(root=bytes(32))
    elif place == "note":
        signed.update(note=signed[0].note.replace("601", "600"))
    else:
        stranger = note.generate("example.com/log/default")
        text = note.split(signed[0].note)[0]
        signed.update(note=note.sign(text, [stranger]))

    with pytest.raises(inclusion.Broken):
        inclusion.prove(log, index)
