"""A newer checkpoint contains an older one, and a log that was changed has no such proof."""

import pytest
from django.db import connection

from auditlog.log import triggers
from auditlog.models import Leaf, Log
from auditlog.proofs import consistency
from auditlog.proofs.inclusion import Broken, NotSigned
from auditlog.tree import checkpoints
from cablese.tlog import merkle
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
