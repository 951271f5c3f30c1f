"""Items as they were sent, which are read where their drafts are made."""

from msgspec import Struct

from auditlog.ingest import exported
from auditlog.ingest.body import LINE_LIMIT, Piece
from auditlog.ingest.item import Item, Refusal, Refused, keep_refusal, parse


class Unread(Struct, frozen=True):
    """Some items of a body, in order."""

    items: list[bytes | None]
    """None is a line over `LINE_LIMIT`, whose bytes were dropped."""
    exported: bool = False
    """Whether an item may be a line of an export."""

    def __len__(self) -> int:
        return len(self.items)

    def read(self) -> Piece:
        read = _read_line if self.exported else parse
        return Piece([
            Refusal(413, f"The line is larger than the limit of {LINE_LIMIT:,} bytes.", "")
            if item is None
            else keep_refusal(read, item)
            for item in self.items
        ])  # fmt: skip


def _read_line(line: bytes) -> Item:
    """An item, or one from a line of an export. Raises Refused."""
    try:
        return parse(line)
    except Refused:
        item = exported.read(line)
        if item is None:
            raise
        return item
