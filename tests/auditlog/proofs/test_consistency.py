"""A newer checkpoint contains an older one, and a log that was changed has no such proof."""

import pytest
from django.db import connection

from auditlog.log import triggers
from auditlog.models import Checkpoint, Leaf, Log
from auditlog.proofs import consistency
from auditlog.proofs.inclusion import Broken, NotSigned
from auditlog.tree import checkpoints, keys
from cablese.tlog import checkpoint, merkle, note
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


def test_two_signed_sizes_are_proved(log: Log) -> None:
    add(10)
    old = checkpoints.sign_now(log)
    add(300)
    new = checkpoints.sign_now(log)

    found = consistency.prove_since(log, 11)
    assert (found.old, found.new) == (old, new)
    merkle.verify_consistency(11, 311, found.path, bytes(old.root), bytes(new.root))
    assert consistency.prove_since(log, 311).path == ()


def test_a_size_that_was_not_signed_has_none(log: Log) -> None:
    with pytest.raises(NotSigned):
        consistency.prove_since(log, 1)
    add(10)
    checkpoints.sign_now(log)
    with pytest.raises(NotSigned):
        consistency.prove_since(log, 10)


def test_a_changed_log_has_none(log: Log) -> None:
    add(10)
    checkpoints.sign_now(log)
    add(10)
    checkpoints.sign_now(log)
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=3).update(hash=bytes(32))

    with pytest.raises(Broken):
        consistency.prove_since(log, 11)


def sign(log: Log, size: int, root: bytes, signer: note.Signer) -> str:
    return note.sign(
        checkpoint.format_checkpoint(checkpoint.Checkpoint(log.origin or "", size, root)), [signer]
    )


def rewrite(log: Log, size: int, **columns: object) -> None:
    """Change a checkpoint as somebody who owns the database can."""
    triggers.take(connection)
    Checkpoint.objects.filter(log=log, size=size).update(**columns)
    triggers.put(connection)


def test_a_fork_that_the_key_of_the_log_signed_has_none(log: Log) -> None:
    add(10)
    checkpoints.sign_now(log)
    add(10)
    checkpoints.sign_now(log)
    (signer,) = keys.signers(log)
    fork = merkle.hash_leaf(b"another tree")
    rewrite(log, 11, root=fork, note=sign(log, 11, fork, signer))

    with pytest.raises(Broken, match="does not begin with the 11 leaves"):
        consistency.prove_since(log, 11)


@pytest.mark.parametrize("size", [11, 21])
def test_a_checkpoint_that_a_stranger_signed_proves_nothing(log: Log, size: int) -> None:
    add(10)
    checkpoints.sign_now(log)
    add(10)
    checkpoints.sign_now(log)
    root = bytes(Checkpoint.objects.get(log=log, size=size).root)
    rewrite(log, size, note=sign(log, size, root, note.generate(log.origin or "")))

    with pytest.raises(Broken, match="No known key signed this note"):
        consistency.prove_since(log, 11)


def test_a_row_with_the_note_of_another_checkpoint_proves_nothing(log: Log) -> None:
    add(10)
    checkpoints.sign_now(log)
    add(10)
    newest = checkpoints.sign_now(log)
    rewrite(log, 11, note=newest.note)

    with pytest.raises(Broken, match="differs from its row"):
        consistency.prove_since(log, 11)
