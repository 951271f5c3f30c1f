"""Bodies that are one JSON array of items (application/json), read whole."""

from collections.abc import Iterable, Iterator

import msgspec

from auditlog.ingest.body import ARRAY_LIMIT, ITEM_LIMIT, PIECE, BadBody, Piece, TooLarge, bounded
from auditlog.ingest.item import Item, Refusal, Refused, parse

# Members stay raw until each is read alone, so that a wrong one does not spoil its neighbours.
_decoder = msgspec.json.Decoder(list[msgspec.Raw])


def read(blocks: Iterable[bytes]) -> Iterator[Piece]:
    """Pieces of at most `PIECE` items. Raises BadBody before the first when the whole is no array or too large."""
    body = b"".join(bounded(blocks, ARRAY_LIMIT))
    try:
        members = _decoder.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        words = str(error).removeprefix("JSON is malformed: ")
        raise BadBody(f"The body is not a JSON array: {words}.") from None
    if len(members) > ITEM_LIMIT:
        raise TooLarge(f"The array has {len(members):,} items; at most {ITEM_LIMIT:,} are taken.")
    for at in range(0, len(members), PIECE):
        yield Piece([_item(member) for member in members[at : at + PIECE]])


def _item(member: msgspec.Raw) -> Item | Refusal:
    try:
        return parse(member)
    except Refused as refused:
        return refused.refusal
