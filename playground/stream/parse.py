"""Parse what a program posts to a pad into items. Tolerant, because a live session shows what
agents really send.

A body is plain text (split into messages like a log), lines of JSON, or JSON. In both kinds of
JSON, an object with a `wire` is an item, as in a batch for the log. Any other value, and a line
that is not JSON, is text that is read like a line of a log, with its metadata; without a detected
protocol, it is shown whole. An invalid item is a `Refusal` in its place and does not affect others.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

import msgspec

from auditlog.ingest import plain, zones
from auditlog.ingest.body import ARRAY_LIMIT, BOM, STREAM_LIMIT, bounded, lines
from auditlog.ingest.item import Item, Refusal, Refused, check, parse
from auditlog.ingest.logged import to_item
from auditlog.text import from_bytes
from cablese.transcript import split
from cablese.transcript.splitter import UNCLAIMED
from playground.display.glyphs import visible

CHUNK_SIZE = 500
"""The limit of items that are shown together."""
JSON = "application/json"
NDJSON = ("application/x-ndjson", "application/ndjson", "application/jsonl")
_BRIEF = 120
_members = msgspec.json.Decoder(list[msgspec.Raw])
_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_text = msgspec.json.Decoder(str)


Chunk = Sequence[Item | Refusal]


def read(blocks: Iterable[bytes], media: str, protocol: str | None = None) -> Iterator[Chunk]:
    """Yield the body in chunks, as it arrives. Raises BadBody over a limit, after the chunks before
    it.
    """
    if media == JSON:
        items = _of_json(b"".join(bounded(blocks, ARRAY_LIMIT)).removeprefix(BOM), protocol)
    elif media in NDJSON:
        items = _of_lines(bounded(blocks, STREAM_LIMIT), protocol)
    else:
        yield from _of_text(blocks, protocol)
        return
    while chunk := list(islice(items, CHUNK_SIZE)):
        yield chunk


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
        elif line := line if number else line.removeprefix(BOM):
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
    text = _text_of(raw)
    received = datetime.now(UTC)
    cuts = split(text, protocol, most=CHUNK_SIZE).messages
    items = [to_item(cut, received=received, zone=zones.UTC) for cut in cuts]
    try:
        yield from map(check, items or [Item(text, protocol)])
    except Refused as refused:
        yield msgspec.structs.replace(refused.refusal, pointer="")


def _text_of(raw: bytes) -> str:
    """Return the text of a JSON string, or else the bytes as text."""
    try:
        return _text.decode(raw)
    except (ValueError, RecursionError):
        return from_bytes(raw)


def _of_text(blocks: Iterable[bytes], protocol: str | None) -> Iterator[Chunk]:
    reader = plain.Reader(protocol=protocol)
    reported = 0
    for chunk in reader.read(blocks):
        for at in range(0, len(chunk.items), CHUNK_SIZE):
            yield chunk.items[at : at + CHUNK_SIZE]
        yield from _left_out(reader, reported)
        reported = len(reader.ignored)
    yield from _left_out(reader, reported)


def _left_out(reader: plain.Reader, reported: int) -> Iterator[Chunk]:
    """Yield the lines that may be messages; prefixes, comments, and fences are ignored."""
    left = [fragment for fragment in reader.ignored[reported:] if fragment.reason == UNCLAIMED]
    if left:
        yield [
            Refusal(422, f"no protocol detected: {visible(fragment.text[:_BRIEF])}", "")
            for fragment in left
        ]
