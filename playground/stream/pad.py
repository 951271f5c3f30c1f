"""Pads, called live sessions on pages: a program posts messages and a page shows them.

A pad exists for one hour, only in the memory of this process. `manage.py up` starts one server
process with threads, so every request finds the same pads; a restart ends them all. A pad opened
with an API key also stores every message in the log.

Messages are numbered from 1. Rejected messages have numbers too, so a gap in the numbers is a gap.
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import itemgetter

from msgspec import Struct, structs

from auditlog import access
from auditlog.ingest.item import Item, Refusal, Refused
from auditlog.ingest.receive import Rejection, keep
from auditlog.log.draft import Known, decode, decode_once
from auditlog.sender import Sender
from cablese.message import Message
from playground.stream.parse import Chunk
from playground.stream.summary import Gap, Glance, Row, draw, summarize

LIFE = 60 * 60
"""Seconds."""
ENTRIES = 5_000
CHARACTERS = 1024 * 1024
"""The limits of messages and characters in a pad: as many as can be saved at once."""
DRAWN = 1_000
"""The limit of cached rows: as many as a page shows."""
PACE = 2_000.0
BURST = 10_000.0
"""The rate limit of a pad: messages per second, and at once."""


class Ended(LookupError):
    """The pad at this address was closed or has expired."""


class KeyLost(Ended):
    """The pad ended because its key expired, was revoked, or can no longer write."""


@dataclass(slots=True)
class Entry:
    """A message of a pad. Its row is made on demand."""

    number: int
    at: float
    item: Item
    glance: Glance
    row: Row | None = None

    def drawn(self) -> Row:
        return self.row or draw(
            decode(self.item), number=self.number, at=self.at, count=self.glance.tokens
        )


class Totals(Struct, frozen=True):
    """Counts since the live session was opened."""

    messages: int = 0
    invalid: int = 0
    tokens: int = 0
    refused: int = 0
    """Items that were rejected as invalid or too fast."""
    kept: int = 0
    """Receipts of the log."""


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The result of a chunk: the numbers of its first and last line, and what was rejected."""

    first: int
    last: int
    messages: int
    too_fast: int
    kept: int
    unread: tuple[tuple[int, Refusal], ...]


class Pad:
    def __init__(
        self, *, opener: str, now: float, protocol: str | None = None, key_id: str | None = None
    ) -> None:
        self.opener = opener
        self.protocol = protocol
        self.key_id = key_id
        self.opened = now
        self.expires = now + LIFE
        self.used = now
        """When it was last read or posted to."""
        self.ended = False
        self.last = 0
        """The number of the newest line."""
        self.totals = Totals()
        self._changed = threading.Condition()
        self._lines: deque[Entry | Gap] = deque()
        self._bytes = 0
        self._room, self._since = BURST, now

    def take(self, chunk: Chunk, *, now: float | None = None) -> ChunkResult:
        """Accept a chunk up to the rate limit. Raises Ended, KeyLost, and Unavailable."""
        now = time.time() if now is None else now
        allowed = self._admit(len(chunk), now)
        known: Known = {}
        lines = [_read(line, self.protocol, known) for line in chunk[:allowed]]
        read = [line for line in lines if not isinstance(line, Refusal)]
        unread = tuple((at, line) for at, line in enumerate(lines) if isinstance(line, Refusal))
        items = [item for item, _ in read]
        stored, rejected = self._store(items)
        glances = summarize(items, [message for _, message in read])
        too_fast = len(chunk) - allowed
        with self._changed:
            if self.ended:
                raise Ended
            first = self.last + 1
            self._append(lines, glances, now)
            self._skip(too_fast)
            self._count(glances, refused=len(unread) + too_fast, stored=stored)
            self._changed.notify_all()
        places = [at for at, line in enumerate(lines) if not isinstance(line, Refusal)]
        refused = sorted(
            [*unread, *((places[at], line) for at, line in rejected)], key=itemgetter(0)
        )
        return ChunkResult(
            first, first + len(chunk) - 1, len(items), too_fast, stored, tuple(refused)
        )

    def after(self, number: int) -> list[Entry | Gap]:
        """Return the lines after a number; a first gap replaces lines that were dropped."""
        with self._changed:
            newer = list(takewhile(lambda line: line.number > number, reversed(self._lines)))[::-1]
            lost = self._first() - 1 - number
        if lost > 0 and number > 0:
            return [
                Gap(number + lost, lost, f"{lost:,} arrived too fast to display."),
                *newer,
            ]
        return newer

    def find(self, number: int) -> Entry | None:
        with self._changed:
            return next(
                (line for line in self._lines if line.number == number and isinstance(line, Entry)),
                None,
            )

    def entries(self) -> list[Entry]:
        """Return all stored messages."""
        with self._changed:
            return [line for line in self._lines if isinstance(line, Entry)]

    @property
    def may_store(self) -> bool:
        """Return whether the pad's key is still valid. Queries the database."""
        return self.key_id is None or self._sender() is not None

    def wait(self, number: int, seconds: float) -> None:
        """Wait for a line after a number, the end of the pad, or ``seconds``."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or self.last > number, seconds)

    def end(self) -> None:
        with self._changed:
            self.ended = True
            self._lines.clear()
            self._changed.notify_all()

    def _admit(self, count: int, now: float) -> int:
        """Return how many of ``count`` lines the rate limit allows."""
        with self._changed:
            room = min(BURST, self._room + max(0.0, now - self._since) * PACE)
            allowed = min(count, int(room))
            self._room, self._since = room - allowed, now
        return allowed

    def _store(self, items: Sequence[Item]) -> tuple[int, list[tuple[int, Refusal]]]:
        """Store items in the log, if there is a key; return the number stored and the rejected."""
        if self.key_id is None or not items:
            return 0, []
        sender = self._sender()
        if sender is None:
            raise KeyLost
        receipts = keep(items, sender=sender)
        refused = [rejection for rejection in receipts if isinstance(rejection, Rejection)]
        rejected = [
            (
                rejection.item,
                Refusal(
                    rejection.status,
                    f"Not stored: {rejection.error.detail}",
                    rejection.error.pointer,
                ),
            )
            for rejection in refused
        ]
        return len(receipts) - len(refused), rejected

    def _sender(self) -> Sender | None:
        sender = access.holder(self.key_id) if self.key_id is not None else None
        return sender if sender is not None and "ingest" in sender.scopes else None

    def _append(
        self, lines: Sequence[Refusal | tuple[Item, Message]], glances: Sequence[Glance], now: float
    ) -> None:
        remaining = iter(glances)
        for line in lines:
            self.last += 1
            if isinstance(line, Refusal):
                self._lines.append(Gap(self.last, 1, f"Rejected: {line.detail}"))
                continue
            self._lines.append(Entry(self.last, now, line[0], next(remaining)))
            self._bytes += _size(line[0])
            if len(self._lines) > DRAWN and isinstance(old := self._lines[-DRAWN - 1], Entry):
                old.row = None
        while len(self._lines) > ENTRIES or self._bytes > CHARACTERS:
            dropped = self._lines.popleft()
            self._bytes -= _size(dropped.item) if isinstance(dropped, Entry) else 0

    def _skip(self, missing: int) -> None:
        if missing:
            self.last += missing
            self._lines.append(
                Gap(
                    self.last, missing, f"{missing:,} or more rejected: the limit is {PACE:,.0f}/s."
                )
            )

    def _count(self, glances: Sequence[Glance], *, refused: int, stored: int) -> None:
        old = self.totals
        self.totals = Totals(
            messages=old.messages + len(glances),
            invalid=old.invalid + sum(not glance.valid for glance in glances),
            tokens=old.tokens + sum(glance.tokens for glance in glances),
            refused=old.refused + refused,
            kept=old.kept + stored,
        )

    def _first(self) -> int:
        """Return the number of the first message, or the first number of a gap."""
        if not self._lines:
            return self.last + 1
        first = self._lines[0]
        return first.number if isinstance(first, Entry) else first.number - first.missing + 1


def _read(
    posted: Item | Refusal, protocol: str | None, known: Known
) -> Refusal | tuple[Item, Message]:
    if isinstance(posted, Refusal):
        return posted
    if _size(posted) > CHARACTERS:
        return Refusal(
            413, f"The message is larger than the limit of {CHARACTERS:,} characters.", ""
        )
    item = (
        posted
        if posted.protocol not in (None, "auto")
        else structs.replace(posted, protocol=protocol)
    )
    try:
        message = decode_once(item, known, strict=False)
    except Refused as refused:
        return refused.refusal
    return structs.replace(item, protocol=message.protocol), message


def _size(item: Item) -> int:
    """Return the number of characters of an item, including its metadata."""
    metadata = (
        item.content,
        item.event_id,
        item.from_,
        item.to,
        item.goal,
        item.task,
        item.thread,
        *(item.tags or ()),
        item.attributes,
    )
    return len(item.wire) + sum(len(str(value)) for value in metadata if value is not None)
