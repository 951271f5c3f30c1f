"""What is stored of an erasure is compared with its leaf, and old proofs still hold."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from auditlog.erasure import evidence, find
from auditlog.erasure.tables import Erasure
from auditlog.ingest.item import Item
from auditlog.models import Leaf, Log, Packet
from auditlog.search import index
from auditlog.tree import hashes
from cablese.tlog import merkle
from tests.auditlog.erasure.orders import ORDER, erase_leaves
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> None:
    index.forget()


def erased() -> list[Erasure]:
    return list(Erasure.objects.select_related("log").order_by("leaf"))


def test_an_erasure_matches_its_leaf() -> None:
    append(Item("INF/OBS|g=1,@=anna"), Item("REQ/TSK|g=1"), sender=make_sender())
    erase_leaves(0, order=ORDER._replace(field="@"))
    erase_leaves(1)

    assert [evidence.find_differences(one) for one in erased()] == [(), ()]
    erase_leaves(0)
    assert [evidence.find_differences(one) for one in erased()] == [(), (), ()]
    assert find.is_recorded(1, 0)
    assert not find.is_recorded(1, 2)


@pytest.mark.parametrize(
    ("column", "value", "difference"),
    [
        ("reason", "another", "reason"),
        ("source", "user:ann", "who erased it"),
        ("field", "g", "field"),
        ("field", "", "field"),
        ("redacted", b"{}", "redacted copy"),
        ("packet_leaf", 1, "packet"),
        ("at", F("at") + timedelta(seconds=1), "time"),
    ],
)
def test_a_change_is_named(column: str, value: Any, difference: str) -> None:
    append(Item("INF/OBS|g=1,@=anna"), Item("REQ/TSK|g=1"), sender=make_sender())
    erase_leaves(0, order=ORDER._replace(field="@"))

    Erasure.objects.update(**{column: value})

    (one,) = erased()
    assert evidence.find_differences(one) == (difference,)


def test_another_seed_opens_nothing_and_an_erasure_needs_its_leaf() -> None:
    append(Item("REQ/TSK|g=1"), sender=make_sender())
    (made,) = erase_leaves(0)
    Erasure.objects.update(seed=bytes(32))
    (one,) = erased()

    assert evidence.find_differences(one) == ("who erased it", "reason")
    made.leaf = 0
    assert evidence.find_differences(made) == (evidence.MISSING,)


def test_old_roots_and_inclusion_proofs_stay() -> None:
    append(*[Item(f"REQ/TSK|g={n}") for n in range(300)], sender=make_sender())
    log = Log.objects.get(slug="default")
    root = hashes.root(log.pk, 300)
    proofs = [merkle.prove_inclusion(n, 300, hashes.reader(log.pk, 300)) for n in (0, 7, 299)]

    erase_leaves(*range(100))
    erase_leaves(*range(200, 300))

    assert Packet.objects.count() == 100
    assert hashes.root(log.pk, 300) == root
    for n, proof in zip((0, 7, 299), proofs, strict=True):
        stored = bytes(Leaf.objects.get(log=log, index=n).hash)
        merkle.verify_inclusion(stored, n, 300, proof, root)
    again = merkle.prove_inclusion(7, 500, hashes.reader(log.pk, 500))
    stored = bytes(Leaf.objects.get(log=log, index=7).hash)
    merkle.verify_inclusion(stored, 7, 500, again, hashes.root(log.pk, 500))
