"""The event IDs of messages of a file: of what identifies the file, the offset, and the wire.

So a file that is imported again, or a copy of it, adds no duplicates, and two equal lines are two
messages. The messages of an earlier file that the file begins with have the event IDs that they
were stored with.

The earlier file may have ended within a line, or within a record:

    {"time":"10:00:01","msg":"REQ/TSK|g=42,t=1"                     as it was imported
    {"time":"10:00:01","msg":"REQ/TSK|g=42,t=1","from":"planner"}   as it is now

Then the message is the same, and its metadata differs. The writer would refuse the event ID, so the
message gets one that its metadata is a part of, and is stored as well.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db import connection
from msgspec import structs

from auditlog.helpers import drafting
from auditlog.ingest.body import Piece
from auditlog.ingest.item import Item, Refusal
from auditlog.ingest.repeats.imported_files import Part
from auditlog.log import leaf, writer
from auditlog.log.draft import Draft
from auditlog.sender import Sender

_DIGITS = 40
"""Hexadecimal digits of the hash in an event ID."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file as its messages are named: what identifies it, the parts that earlier imports named,
    in order, and the number of its bytes, if it is known.
    """

    file: bytes
    parts: Sequence[Part] = ()
    size: int | None = None

    def find_part(self, byte: int) -> Part | None:
        at = bisect_right(self.parts, byte, key=lambda part: part.end)
        return self.parts[at] if at < len(self.parts) else None


Placed = tuple[int, Item | Refusal]
"""An item, and the offset of its first byte in the file."""


def name(placed: Sequence[Placed], file: NamedFile, *, sender: Sender) -> list[Item | Refusal]:
    """Return the items with their event IDs; those that state one keep it. Raises Unavailable."""
    named: list[Item | Refusal] = []
    unsettled: dict[int, bytes] = {}
    for byte, item in placed:
        if isinstance(item, Item) and item.event_id is None:
            part = file.find_part(byte)
            of = file.file if part is None else part.file
            identity = f"{of.hex()}\n{byte}\n{item.wire}".encode(errors="surrogateescape")
            # A file that ends where the part does is the same again.
            if part is not None and byte >= part.settled and part.end != file.size:
                unsettled[len(named)] = identity
            item = _give_id(item, identity)
        named.append(item)
    if unsettled:
        _rename_changed(named, unsettled, sender)
    return named


def _give_id(item: Item, identity: bytes) -> Item:
    return structs.replace(item, event_id=f"import-{sha256(identity).hexdigest()[:_DIGITS]}")


def _rename_changed(
    named: list[Item | Refusal], unsettled: dict[int, bytes], sender: Sender
) -> None:
    """Give other event IDs to those of the items that were stored with other metadata."""
    piece = Piece([named[at] for at in unsettled])
    made = drafting.make(piece, sender=sender, strict=False)
    drafts = {at: one for at, one in zip(unsettled, made, strict=True) if isinstance(one, Draft)}
    with connection.cursor() as cursor:
        taken = writer.find_conflicts(cursor, list(drafts.values()))
    for at, draft in drafts.items():
        item = named[at]
        if isinstance(item, Item) and draft.event_id in taken:
            facts = leaf.facts_bytes(
                supplied=draft.supplied, sent_at=draft.sent_at, content=draft.content
            )
            named[at] = _give_id(item, unsettled[at] + b"\n" + facts)
