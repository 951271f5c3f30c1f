"""A packet's leaf is found by its ID, in its log, also after the packet was erased."""

import pytest

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.log.packet import NoSuchPacket
from auditlog.models import Leaf, Log
from auditlog.proofs import inclusion, place
from auditlog.tree import checkpoints
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.sending import WIRE, keep

pytestmark = pytest.mark.django_db


def test_a_packet_is_found_in_its_log(log: Log) -> None:
    logs.create(slug="other")
    packet = keep(Item(WIRE))

    assert place.find(packet.uid) == place.find(packet.uid, log="default") == (log, 1, False)
    for uid, slug in ((packet.uid, "other"), ("0" * 8, None), ("x", "default")):
        with pytest.raises(NoSuchPacket):
            place.find(uid, log=slug)


def test_an_erased_packet_keeps_its_proof(log: Log) -> None:
    packet = keep(Item(WIRE))
    checkpoints.sign_now(log)
    before = inclusion.prove(log, packet.leaf)

    erase_leaves(packet.leaf)

    assert place.find(packet.uid) == (log, packet.leaf, True)
    assert inclusion.prove(log, packet.leaf) == before
    assert Leaf.objects.get(log=log, index=packet.leaf).kind == "packet"
