"""Import a file into a log in chunks, with progress and resuming.

The response has the number of bytes taken from a chunk. A message that the next chunk may still
change is left, and the next chunk begins with it, as it does after as many messages as one request
may store. So no message is ever split. Event IDs are made of the file, the offset, and the wire, so
sending a chunk again adds no duplicates. A file that begins with one that was imported before
shares its event IDs, and is read up to there as that one was; for the next time, a complete import
is recorded after its last chunk.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from msgspec import structs

from auditlog.ingest import ndjson, plain, zones
from auditlog.ingest.body import BOM, ITEM_LIMIT, PIECE, Piece
from auditlog.ingest.item import Item, Refusal, Refused, check
from auditlog.ingest.logged import to_item
from auditlog.ingest.receive import Receipt, Rejection, receive
from auditlog.ingest.repeats import event_names, imported_files
from auditlog.ingest.repeats.event_names import NamedFile
from auditlog.ingest.repeats.imported_files import Earlier, WholeFile
from auditlog.log.writer import CONFLICT
from auditlog.sender import Sender
from cablese import transcript
from cablese.codec import JSON_LIMIT
from cablese.transcript.splitter import UNCLAIMED
from playground.templatetags.wire import shorten
from playground.workbench import resemblance

CHUNK_LIMIT = 8 * 1024 * 1024
"""The limit of a chunk in bytes. A longer message cannot be stored anyway."""
LOOK_LIMIT = 64 * 1024
"""Bytes of a file that are read for a preview, and to tell its format."""
KINDS = ("", "text", "ndjson")
"""Formats of a file: auto-detect, plain text, or NDJSON."""
_TAIL = 50
"""Messages at the end of a file that are read again when it is recorded."""
REFUSED = 200
"""The limit of errors that are listed; all are counted."""
FRAGMENTS = 20
"""The limit of fragments without a message that are listed; all are counted."""
_TEXT = 200
"""Characters of a fragment that are listed."""
_OTHER_METADATA = (
    "This message is stored with other metadata, for example in another time zone. "
    "The stored packet was not changed."
)

_COUNTS = ("taken", "lines", "kept", "valid", "again", "refused", "ignored", "unclaimed")


@dataclass(frozen=True, slots=True)
class Wrong:
    """A message that was not stored: its line in the file, and the error."""

    line: int
    detail: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text without a message: its first line in the file, and its beginning as it is shown."""

    line: int
    text: str


@dataclass(slots=True)
class Imported:
    """The result for a chunk, or for a whole file. ``taken`` counts bytes, ``lines`` the line ends
    in them.
    """

    kind: str
    taken: int = 0
    lines: int = 0
    kept: int = 0
    valid: int = 0
    again: int = 0
    refused: int = 0
    ignored: int = 0
    resembling: dict[str, int] = field(default_factory=dict)
    """Ignored fragments for each protocol that they resemble."""
    unclaimed: int = 0
    """Ignored fragments that are not around a message, of which the first are in `fragments`."""
    fragments: list[Fragment] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    first: int | None = None
    last: int | None = None
    context: str = ""
    """Lines of the file that tell how the next chunk is read."""

    @property
    def messages(self) -> int:
        return self.kept + self.again + self.refused

    @property
    def invalid(self) -> int:
        return self.kept - self.valid

    @property
    def resemblances(self) -> list[resemblance.Resemblance]:
        return resemblance.rank(self.resembling)

    @property
    def fragments_left(self) -> int:
        return self.unclaimed - len(self.fragments)

    def add(self, other: "Imported") -> None:
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, fragments in other.resembling.items():
            self.resembling[name] = self.resembling.get(name, 0) + fragments
        self.wrong = [*self.wrong, *other.wrong][:REFUSED]
        self.fragments = [*self.fragments, *other.fragments][:FRAGMENTS]
        self.first = other.first if self.first is None else self.first
        self.last = self.last if other.last is None else other.last


@dataclass(frozen=True, slots=True)
class FilePosition:
    """The ID of a file, the first byte and line of a chunk in it, and the log that it goes to."""

    file: str
    at: int
    line: int
    log: str
    protocol: str | None = None
    zone: str = zones.DEFAULT
    """The time zone of times that the file writes without one."""
    context: str = ""
    """The context of the chunk before this one."""
    earlier: Earlier | None = None
    """The earlier import of a file that this one begins with."""


class NumberedItem(NamedTuple):
    """An item before it is stored, or its error, with its line and its first byte in the file."""

    line: int
    byte: int
    item: Item | Refusal


_Read = tuple[Imported, list[NumberedItem]]
"""The counts of a chunk, and its items."""


def store_chunk(
    data: bytes,
    position: FilePosition,
    *,
    kind: str,
    final: bool,
    sender: Sender,
    digest: bytes | None = None,
) -> Imported:
    """Store the complete messages of ``data``. Raises Unavailable.

    With the ``digest`` of the whole file, the import is recorded once its last byte is taken.
    """
    done, numbered = _read_again(data, position, kind=kind, final=final)
    size = position.at + len(data) if final else None
    parts = position.earlier.parts if position.earlier else ()
    file = NamedFile(imported_files.hide(position.file), parts, size)
    placed = [(each.byte, _address(each.item, position)) for each in numbered]
    items = event_names.name(placed, file, sender=sender)
    pieces = (Piece(items[at : at + PIECE]) for at in range(0, len(items), PIECE))
    _count(done, receive(pieces, sender=sender), numbered)
    if size and digest is not None and done.taken == len(data):
        settled = _find_settled(data, position, done.kind, numbered)
        imported_files.record(
            WholeFile(
                log=position.log,
                source_id=sender.source_id,
                size=size,
                settled=settled,
                digest=digest,
                file=file.file,
                earlier=position.earlier,
            )
        )
    return done


def _read_again(data: bytes, position: FilePosition, *, kind: str, final: bool) -> _Read:
    """Read a chunk, and what an earlier import read as it did, without what the file has now after
    it: a second heading of a chat, for one, would name the senders below the first.
    """
    parts = position.earlier.parts if position.earlier else ()
    ends = ((part.end - position.at, part.settled - position.at) for part in parts)
    end, settled = next((each for each in ends if each[1] > 0), (0, 0))
    if not 0 < end < len(data) + (not final):
        return _read(data, position, kind=kind, final=final)
    done, numbered = _read(data[:end], position, kind=kind, final=True)
    if done.taken > settled:
        done, _ = _read(data[:settled], position, kind=done.kind, final=True)
        numbered = [each for each in numbered if each.byte < position.at + settled]
    return done, numbered


def _find_settled(
    data: bytes, position: FilePosition, kind: str, numbered: Sequence[NumberedItem]
) -> int:
    """Return where the first message begins that is left unless the file is final: it may be read
    in another way once the file has grown. Only the last messages are read again.
    """
    begin = 0
    if len(numbered) > _TAIL:
        begin = data.rfind(b"\n", 0, numbered[-_TAIL].byte - position.at) + 1
    tail = replace(position, at=position.at + begin)
    return tail.at + _read(data[begin:], tail, kind=kind, final=False)[0].taken


def peek(data: bytes, position: FilePosition, *, kind: str, final: bool = False) -> _Read:
    """Return the counts and items of ``data``, the beginning of a file, or with ``final`` all of
    it. Stores nothing.
    """
    done, items = _read(data, position, kind=kind, final=final)
    if items or not data:
        return done, items
    # A message that continues after a short beginning is read as far as it is there.
    after = replace(
        position,
        at=position.at + done.taken,
        line=position.line + done.lines,
        context=done.context,
    )
    rest, items = _read(data[done.taken :], after, kind=done.kind, final=True)
    done.add(rest)
    return done, items


def _read(data: bytes, position: FilePosition, *, kind: str, final: bool) -> _Read:
    kind = kind or ("ndjson" if looks_like_items(data) else "text")
    read = _read_items if kind == "ndjson" else _read_text
    return read(data, position, final=final)


def looks_like_items(data: bytes) -> bool:
    """Return whether the first lines are items: each is an object, and the first has a wire. Lines
    of which fewer than half can be stored are plain text if that has more messages, as have the
    records of other programs.
    """
    head = data[:LOOK_LIMIT].removeprefix(BOM)
    if len(data) >= LOOK_LIMIT:  # The last line may go on.
        end = head.rfind(b"\n")
        head = head[:end] if end >= 0 else data.removeprefix(BOM).partition(b"\n")[0]
    lines = [line for line in head.split(b"\n") if line.strip()]
    if not lines or not all(line.lstrip().startswith(b"{") for line in lines):
        return False
    try:
        value = json.loads(lines[0])
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict) or "wire" not in value:
        return False
    body = b"\n".join(lines)
    items = [item for piece in ndjson.read([body]) for item in piece.items]
    fitting = count_fitting(items)
    if 2 * fitting >= len(items):
        return True
    pieces = plain.Reader().read([body])
    return fitting >= count_fitting(item for piece in pieces for item in piece.items)


def count_fitting(items: Iterable[Item | Refusal]) -> int:
    """Return how many of the items can be stored."""
    return sum(isinstance(item, Item) for item in items)


def _read_items(data: bytes, position: FilePosition, *, final: bool) -> _Read:
    end = len(data) if final else data.rfind(b"\n") + 1
    if not end and len(data) >= CHUNK_LIMIT:
        end = len(data)
    block = data[:end]
    body = block.removeprefix(BOM) if not position.at else block
    items: list[NumberedItem] = []
    at = position.at + len(block) - len(body)
    for number, line in enumerate(body.split(b"\n"), position.line):
        if len(items) >= ITEM_LIMIT:
            end = at - position.at
            break
        if line.strip():
            for piece in ndjson.read([line]):
                items += [NumberedItem(number, at, item) for item in piece.items]
        at += len(line) + 1
    return Imported("ndjson", end, data.count(b"\n", 0, end)), items


def _read_text(data: bytes, position: FilePosition, *, final: bool) -> _Read:
    if not final and len(data) >= CHUNK_LIMIT:
        # A line is so long that all before took nothing. What comes after it may go on.
        final, data = True, data[: data.find(b"\n", 2 * JSON_LIMIT) + 1] or data
    mark = len(BOM) if not position.at and data.startswith(BOM) else 0
    data = data[mark:]
    text = data.decode(errors="surrogateescape") if final else _whole(data)
    cut = transcript.split(
        text, position.protocol, final=final, most=ITEM_LIMIT, context=position.context
    )
    end = cut.end if cut.remainder is None else cut.remainder.span.start
    ignored = [fragment for fragment in cut.ignored if fragment.span.start < end]
    received, zone = datetime.now(UTC), zones.find(position.zone)
    items: list[NumberedItem] = []
    line, at, byte = position.line, 0, position.at + mark
    for message in cut.messages:
        before = text[at : message.span.start]
        line, at, byte = line + before.count("\n"), message.span.start, byte + _size(before)
        try:
            item: Item | Refusal = check(to_item(message, received=received, zone=zone))
        except Refused as refused:
            item = refused.refusal
        items.append(NumberedItem(line, byte, item))
    block = text[:end]
    done = Imported(
        "text",
        mark + _size(block),
        block.count("\n"),
        ignored=len(ignored),
        resembling=resemblance.count(ignored),
        context=cut.context,
    )
    _list_unclaimed(done, text, ignored, position.line)
    return done, items


def _list_unclaimed(
    done: Imported, text: str, ignored: Iterable[transcript.Ignored], line: int
) -> None:
    """Count fragments without a message, and list the first, given the first line of the text."""
    unclaimed = [one for one in ignored if one.reason == UNCLAIMED]
    done.unclaimed = len(unclaimed)
    at = 0
    for one in sorted(unclaimed, key=lambda one: one.span.start)[:FRAGMENTS]:
        line, at = line + text.count("\n", at, one.span.start), one.span.start
        done.fragments.append(Fragment(line, shorten(one.text, _TEXT)))


def _whole(data: bytes) -> str:
    """Return the text without a character that the next chunk completes."""
    for back in range(1, min(4, len(data)) + 1):
        lead = data[-back]
        if lead >= 0xC0:
            long = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            data = data[:-back] if long > back else data
            break
        if lead < 0x80:
            break
    return data.decode(errors="surrogateescape")


def _size(text: str) -> int:
    return len(text.encode(errors="surrogateescape"))


def _address(item: Item | Refusal, position: FilePosition) -> Item | Refusal:
    if isinstance(item, Refusal) or item.log:
        return item
    return structs.replace(item, log=position.log)


def _count(
    done: Imported, results: Iterable[Receipt | Rejection], numbered: Sequence[NumberedItem]
) -> None:
    for result in results:
        if isinstance(result, Rejection):
            done.refused += 1
            if len(done.wrong) < REFUSED:
                done.wrong.append(_explain(result, numbered[result.item]))
        elif result.status == 200:
            done.again += 1
        else:
            done.kept += 1
            done.valid += result.valid
            done.first = result.leaf if done.first is None else done.first
            done.last = result.leaf


def _explain(result: Rejection, sent: NumberedItem) -> Wrong:
    if result.status == CONFLICT and isinstance(sent.item, Item) and sent.item.event_id is None:
        # Its event ID is made here, of its place and its wire.
        return Wrong(sent.line, _OTHER_METADATA)
    place = f" ({result.error.pointer})" if result.error.pointer else ""
    return Wrong(sent.line, f"{result.error.detail}{place}")
