"""A person who is signed in, and a log with packets to review."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.models import Packet
from tests.auditlog.sending import append, make_sender

GOOD = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
BAD = "RJE/PLN|g=42,t=1"


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


@pytest.fixture
def stored() -> list[Packet]:
    """Five packets, oldest first; every second one is invalid."""
    append(*[Item(wire) for wire in (BAD, GOOD, BAD, GOOD, BAD)], sender=make_sender())
    return list(Packet.objects.select_related("log").order_by("leaf"))
