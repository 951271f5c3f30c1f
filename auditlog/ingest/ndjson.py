"""Bodies of one JSON object a line (application/x-ndjson). Blank lines are skipped; a bad line is
a refused item.

A line of an export is the item that its packet came as.
"""

from collections.abc import Iterable, Iterator

import msgspec

from auditlog.ingest import exported
from auditlog.ingest.body import (
    ITEM_LIMIT,
    LINE_LIMIT,
    PIECE,
    STREAM_LIMIT,
    Piece,
    TooLarge,
    bounded,
    lines,
)
from auditlog.ingest.item import Item, Refusal, Refused, keep_refusal, parse

_BOM = b"\xef\xbb\xbf"


def read(blocks: Iterable[bytes]) -> Iterator[Piece]:
    """Pieces of at most `PIECE` items. Raises BadBody when the body is over a limit, after the
    pieces before it.
    """
    items: list[Item | Refusal] = []
    for number, line in enumerate(lines(bounded(blocks, STREAM_LIMIT))):
        if number == ITEM_LIMIT:
            if items:
                yield Piece(items)
            raise TooLarge(f"The body has more than the limit of {ITEM_LIMIT:,} items.")
        items.append(_item(line if number else line and line.removeprefix(_BOM)))
        if len(items) == PIECE:
            yield Piece(items)
            items = []
    if items:
        yield Piece(items)


def complete(line: bytes) -> bool:
    """Whether a line is an object to its end."""
    try:
        msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return False
    return True


def _item(line: bytes | None) -> Item | Refusal:
    if line is None:
        return Refusal(413, f"The line is larger than the limit of {LINE_LIMIT:,} bytes.", "")
    return keep_refusal(_parse, line)


def _parse(line: bytes) -> Item:
    """An item, or one from a line of an export. Raises Refused."""
    try:
        return parse(line)
    except Refused:
        item = exported.read(line)
        if item is None:
            raise
        return item
