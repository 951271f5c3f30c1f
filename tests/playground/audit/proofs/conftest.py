"""A log with a key, and a packet in it that is not signed yet."""

import pytest

from auditlog.ingest.item import Item
from auditlog.models import Log, Packet
from tests.auditlog.sending import WIRE, keep
from tests.auditlog.tree.conftest import data, log

__all__ = ["data", "log"]


@pytest.fixture
def packet(log: Log) -> Packet:
    return keep(Item(WIRE))
