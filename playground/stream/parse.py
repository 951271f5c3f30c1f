"""What a program posts to a pad, as items: as forgiving as a sniffer, since what agents really send
is to be seen.

A body is plain text (cut into messages as a log is), lines of JSON, or JSON. In both kinds of JSON
an object with a `wire` is an item as the log takes it. Any other value, and a line that is no JSON
at all, is what its text says, read as a line of a log is, with what the line says beside its
message; when no protocol claims it, it is shown all the same, whole. One that cannot be taken is an
`Refusal` in its place, and its neighbors are not touched.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

import msgspec

from auditlog.ingest import plain, zones
from auditlog.ingest.body import ARRAY_LIMIT, STREAM_LIMIT, bounded, lines
from auditlog.ingest.item import Item, Refusal, Refused, check, parse
from auditlog.ingest.logged import to_item
from auditlog.text import from_bytes
from cablese.transcript import split
from cablese.transcript.splitter import UNCLAIMED
from playground.display.glyphs import visible

PIECE = 500
"""Items that are shown together, at most."""
JSON = "application/json"
NDJSON = ("application/x-ndjson", "application/ndjson", "application/jsonl")
_BRIEF = 120
_BOM = b"\xef\xbb\xbf"
_members = msgspec.json.Decoder(list[msgspec.Raw])
_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_text = msgspec.json.Decoder(str)


Piece = Sequence[Item | Refusal]


def read(blocks: Iterable[bytes], media: str, protocol: str | None = None) -> Iterator[Piece]:
    """The body in pieces, as it comes. Raises BadBody over a limit, after the pieces before it."""
    if media == JSON:
        found = _of_json(b"".join(bounded(blocks, ARRAY_LIMIT)).removeprefix(_BOM), protocol)
    elif media in NDJSON:
        found = _of_lines(bounded(blocks, STREAM_LIMIT), protocol)
    else:
        yield from _of_text(blocks, protocol)
        return
    while piece := list(islice(found, PIECE)):
        yield piece


def _of_json(body: bytes, protocol: str | None) -> Iterator[Item | Refusal]:
    if not body.strip():
        return
    try:
        members = [bytes(member) for member in _members.decode(body)]
    except (ValueError, RecursionError):
        members = [body]
    for member in members:
        yield from _read(member, protocol)


def _of_lines(blocks: Iterable[bytes], protocol: str | None) -> Iterator[Item | Refusal]:
    for number, line in enumerate(lines(blocks)):
        if line is None:
            yield Refusal(413, "The line is longer than the limit.", "")
        elif line := line if number else line.removeprefix(_BOM):
            yield from _read(line.removesuffix(b"\r"), protocol)


def _read(raw: bytes, protocol: str | None) -> Iterator[Item | Refusal]:
    try:
        if "wire" in _object.decode(raw):
            yield parse(raw)
            return
    except Refused as refused:
        yield refused.refusal
        return
    except (ValueError, RecursionError):
        pass
    text = _said(raw)
    received = datetime.now(UTC)
    cuts = split(text, protocol, most=PIECE).messages
    found = [to_item(cut, received=received, zone=zones.UTC) for cut in cuts]
    try:
        yield from map(check, found or [Item(text, protocol)])
    except Refused as refused:
        yield msgspec.structs.replace(refused.refusal, pointer="")


def _said(raw: bytes) -> str:
    """The text that a JSON string stands for, and else the bytes as they are."""
    try:
        return _text.decode(raw)
    except (ValueError, RecursionError):
        return from_bytes(raw)


def _of_text(blocks: Iterable[bytes], protocol: str | None) -> Iterator[Piece]:
    reader = plain.Reader(protocol=protocol)
    told = 0
    for piece in reader.read(blocks):
        for at in range(0, len(piece.items), PIECE):
            yield piece.items[at : at + PIECE]
        yield from _left_out(reader, told)
        told = len(reader.ignored)
    yield from _left_out(reader, told)


def _left_out(reader: plain.Reader, told: int) -> Iterator[Piece]:
    """Lines that may have been meant as messages; prefixes, comments and fences go without
    a word.
    """
    left = [one for one in reader.ignored[told:] if one.reason == UNCLAIMED]
    if left:
        yield [
            Refusal(422, f"no protocol detected: {visible(one.text[:_BRIEF])}", "") for one in left
        ]
