"""What signed checkpoints say of a receipt: the proof, and whether the log was cut."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.log import triggers
from auditlog.models import Leaf, Log, LogEnd, Packet
from auditlog.tree import checkpoints, keys, publication
from cablese.tlog.proof import parse_proof, verify_proof
from playground.audit import receipt_text, receipts
from playground.audit.receipts import Check
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.sending import WIRE, keep

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(log: Log) -> dict[str, Any]:
    """The receipt of the newest packet."""
    packet = keep(Item(WIRE))
    leaf = Leaf.objects.get(log=log, index=packet.leaf)
    digest = bytes(leaf.hash).hex()
    return {"packet": packet.uid, "log": "default", "leaf": packet.leaf, "leaf_hash": digest}


def check(held: dict[str, Any], *, reads: bool = False) -> Check:
    (receipt,) = receipt_text.read(json.dumps(held))
    return receipts.check(receipt, reads=lambda _log: reads)


def mark(found: Check) -> str:
    (step,) = (step for step in found.steps if step.name == "proof")
    return step.mark


def test_a_verified_receipt_comes_with_its_proof(log: Log, held: dict[str, Any]) -> None:
    before = check(held)
    assert (before.verdict, mark(before), before.proof) == ("verified", "open", None)
    checkpoints.sign_now(log)

    found = check(held)
    assert (found.verdict, mark(found)) == ("verified", "holds")
    assert found.proof is not None
    proof = parse_proof(found.proof.file)
    digest = bytes.fromhex(held["leaf_hash"])
    assert verify_proof(proof, digest, keys.verifiers(log), log.origin).size == 2


def test_a_guess_gets_no_proof(log: Log, held: dict[str, Any]) -> None:
    checkpoints.sign_now(log)
    for guess in (held | {"leaf_hash": "0" * 64}, {"packet": held["packet"]}):
        assert check(guess).proof is None
        assert check(guess, reads=True).proof is not None


def test_an_erased_packet_has_its_proof(log: Log, held: dict[str, Any]) -> None:
    checkpoints.sign_now(log)
    erase_leaves(held["leaf"])
    found = check(held, reads=True)
    assert (found.verdict, mark(found)) == ("erased", "holds")


def test_a_leaf_that_is_forged_with_its_hash_is_found(log: Log, held: dict[str, Any]) -> None:
    checkpoints.sign_now(log)
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=0).update(hash=bytes(32))

    found = check(held)
    assert (found.verdict, mark(found), found.proof) == ("altered", "fails", None)


def cut(log: Log, held: dict[str, Any]) -> None:
    """Removes the newest leaf and all that belongs to it."""
    triggers.take(connection)
    Packet.objects.filter(log=log, leaf=held["leaf"]).delete()
    Leaf.objects.filter(log=log, index=held["leaf"]).delete()
    LogEnd.objects.filter(log=log).update(size=held["leaf"])


@pytest.mark.parametrize("signed", [True, False])
def test_a_cut_tail_is_named(log: Log, held: dict[str, Any], signed: bool) -> None:  # noqa: FBT001
    if signed:
        checkpoints.sign_now(log)
    cut(log, held)

    found = check(held, reads=True)
    assert found.verdict == "cut"
    (step,) = found.steps
    assert "ends at size 1, before leaf 1" in step.words
    assert "tail cut" in step.words
    assert ("leaves covers it" in step.words) is signed


def test_a_stranger_learns_the_size_of_a_public_log_only(log: Log, held: dict[str, Any]) -> None:
    cut(log, held)
    assert check(held).verdict == "unknown"
    publication.change(log, public=True)
    assert check(held).verdict == "cut"
    assert check(held | {"log": "nowhere"}).verdict == "unknown"


def test_the_page_shows_the_proof(client: Client, log: Log, held: dict[str, Any]) -> None:
    checkpoints.sign_now(log)
    page = client.post("/audit/receipt", {"receipt": json.dumps(held)}).content.decode()
    assert "c2sp.org/tlog-proof@v1" in page
