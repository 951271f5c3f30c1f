"""Messages of a file have event IDs by which they are recognized, also once the file has grown."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditlog.erasure.erase import By, Order, erase
from auditlog.ingest import receive
from auditlog.ingest.item import Item, Refusal
from auditlog.ingest.repeats import event_names
from auditlog.ingest.repeats.event_names import NamedFile
from auditlog.ingest.repeats.imported_files import Part
from auditlog.models import Conflict, Log, Packet
from auditlog.sender import Sender
from tests.auditlog.sending import make_sender

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1"
GROWN = NamedFile(b"new", [Part(10, 8, b"first"), Part(30, 20, b"second")])


@pytest.fixture
def sender() -> Sender:
    return make_sender()


def name(byte: int, item: Item, file: NamedFile, sender: Sender) -> Any:
    (named,) = event_names.name([(byte, item)], file, sender=sender)
    return named


def store(byte: int, item: Item, file: NamedFile, sender: Sender) -> int:
    """Store an item and return the status of its result."""
    (result,) = receive.keep([name(byte, item, file, sender)], sender=sender)
    return result.status


def test_a_message_is_known_by_its_file_its_place_and_its_wire(sender: Sender) -> None:
    first = name(3, Item(WIRE), NamedFile(b"a"), sender).event_id

    assert first == name(3, Item(WIRE, from_="ada"), NamedFile(b"a"), sender).event_id
    others = [
        name(3, Item(WIRE), NamedFile(b"b"), sender).event_id,
        name(4, Item(WIRE), NamedFile(b"a"), sender).event_id,
        name(3, Item(f"{WIRE},p=1"), NamedFile(b"a"), sender).event_id,
    ]
    assert len({first, *others}) == 4
    assert first.startswith("import-")


@pytest.mark.parametrize(
    ("byte", "file"),
    [(0, b"first"), (9, b"first"), (10, b"second"), (29, b"second"), (30, b"new"), (99, b"new")],
)
def test_a_message_is_named_by_the_part_in_which_it_begins(
    sender: Sender, byte: int, file: bytes
) -> None:
    of_its_part = name(byte, Item(WIRE), NamedFile(file), sender).event_id

    assert name(byte, Item(WIRE), GROWN, sender).event_id == of_its_part


def test_an_event_id_of_an_item_and_an_error_stay(sender: Sender) -> None:
    refusal = Refusal(422, "no", "/wire")
    named = event_names.name([(0, Item(WIRE, event_id="a-1")), (5, refusal)], GROWN, sender=sender)

    assert named == [Item(WIRE, event_id="a-1"), refusal]


def test_a_message_whose_line_was_not_complete_is_stored_with_all_of_its_metadata(
    sender: Sender,
) -> None:
    half, whole = Item(WIRE), Item(WIRE, from_="planner")
    assert store(9, half, NamedFile(b"first"), sender) == 201

    assert [store(9, each, GROWN, sender) for each in (half, whole, whole)] == [200, 201, 200]
    assert Packet.objects.count() == 2
    assert not Conflict.objects.exists()


def test_a_message_whose_line_was_complete_is_refused_with_other_metadata(sender: Sender) -> None:
    item, other = Item(WIRE), Item(WIRE, from_="planner")
    assert store(7, item, NamedFile(b"first"), sender) == 201

    assert store(7, other, GROWN, sender) == 409


def test_the_same_file_again_is_refused_with_other_metadata_to_its_end(sender: Sender) -> None:
    same = NamedFile(b"new", GROWN.parts, size=30)
    assert store(29, Item(WIRE), NamedFile(b"second"), sender) == 201

    assert store(29, Item(WIRE, from_="planner"), same, sender) == 409
    assert store(29, Item(WIRE, from_="planner"), GROWN, sender) == 201


def test_a_message_that_was_erased_stays_so_with_more_metadata(sender: Sender) -> None:
    store(9, Item(WIRE), NamedFile(b"first"), sender)
    erase(log=Log.objects.get(slug="default"), leaves=[0], order=Order(By(), "asked for"))

    assert store(9, Item(WIRE, from_="planner"), GROWN, sender) == 410
    assert not Packet.objects.exists()


def test_stored_messages_are_looked_up_only_where_a_line_was_not_complete(sender: Sender) -> None:
    with CaptureQueriesContext(connection) as asked:
        for byte in (0, 7, 10, 19, 30):
            name(byte, Item(WIRE), GROWN, sender)
    assert len(asked) == 0
