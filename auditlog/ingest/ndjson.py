"""Bodies of one JSON object a line (application/x-ndjson). Blank lines are skipped; a bad line is
a refused item.

A line of an export is the item that its packet came as.
"""

from collections.abc import Iterable, Iterator

import msgspec

from auditlog.ingest.body import (
    BOM,
    ITEM_LIMIT,
    PIECE,
    STREAM_LIMIT,
    Piece,
    TooLarge,
    bounded,
    lines,
)
from auditlog.ingest.unread import Unread


def read(blocks: Iterable[bytes]) -> Iterator[Piece]:
    """As `cut`, and read."""
    return (unread.read() for unread in cut(blocks))


def cut(blocks: Iterable[bytes]) -> Iterator[Unread]:
    """Pieces of at most `PIECE` items. Raises BadBody when the body is over a limit, after the
    pieces before it.
    """
    items: list[bytes | None] = []
    for number, line in enumerate(lines(bounded(blocks, STREAM_LIMIT))):
        if number == ITEM_LIMIT:
            if items:
                yield Unread(items, exported=True)
            raise TooLarge(f"The body has more than the limit of {ITEM_LIMIT:,} items.")
        items.append(line if number else line and line.removeprefix(BOM))
        if len(items) == PIECE:
            yield Unread(items, exported=True)
            items = []
    if items:
        yield Unread(items, exported=True)


def complete(line: bytes) -> bool:
    """Whether a line is an object to its end."""
    try:
        msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return False
    return True
