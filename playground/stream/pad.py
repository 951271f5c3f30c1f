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
from cablese.message import Message
from playground.stream.parse import Piece
from playground.stream.summary import Gap, Glance, Row, draw, look

LIFE = 60 * 60
"""Seconds."""
HELD = 5_000
HELD_BYTES = 1024 * 1024
"""The limits of messages and characters in a pad: as many as can be saved at once."""
DRAWN = 1_000
"""The limit of cached rows: as many as a page shows."""
PACE = 2_000.0
BURST = 10_000.0
"""The rate limit of a pad: messages per second, and at once."""


class Ended(LookupError):
    """The pad at this address was closed or has expired."""


class Unkept(Ended):
    """The pad ended because its key expired, was revoked, or can no longer write."""


@dataclass(slots=True)
class Entry:
    """A message of a pad. Its row is made on demand."""

    number: int
    at: float
    item: Item
    seen: Glance
    row: Row | None = None

    def drawn(self) -> Row:
        return self.row or draw(
            decode(self.item), number=self.number, at=self.at, count=self.seen.tokens
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
class Taken:
    """The result of a piece: the numbers of its first and last line, and what was rejected."""

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

    def take(self, piece: Piece, *, now: float | None = None) -> Taken:
        """Accept a piece up to the rate limit. Raises Ended, Unkept, and Unavailable."""
        now = time.time() if now is None else now
        allowed = self._admit(len(piece), now)
        known: Known = {}
        lines = [_read(one, self.protocol, known) for one in piece[:allowed]]
        read = [one for one in lines if not isinstance(one, Refusal)]
        unread = tuple((at, one) for at, one in enumerate(lines) if isinstance(one, Refusal))
        items = [item for item, _ in read]
        kept, unkept = self._keep(items)
        seen = look(items, [message for _, message in read])
        too_fast = len(piece) - allowed
        with self._changed:
            if self.ended:
                raise Ended
            first = self.last + 1
            self._append(lines, seen, now)
            self._skip(too_fast)
            self._count(seen, refused=len(unread) + too_fast, kept=kept)
            self._changed.notify_all()
        places = [at for at, one in enumerate(lines) if not isinstance(one, Refusal)]
        told = sorted([*unread, *((places[at], one) for at, one in unkept)], key=itemgetter(0))
        return Taken(first, first + len(piece) - 1, len(items), too_fast, kept, tuple(told))

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
                (one for one in self._lines if one.number == number and isinstance(one, Entry)),
                None,
            )

    def entries(self) -> list[Entry]:
        """Return all stored messages."""
        with self._changed:
            return [one for one in self._lines if isinstance(one, Entry)]

    @property
    def may_keep(self) -> bool:
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

    def _admit(self, wanted: int, now: float) -> int:
        """Return how many of ``wanted`` lines the rate limit allows."""
        with self._changed:
            room = min(BURST, self._room + max(0.0, now - self._since) * PACE)
            allowed = min(wanted, int(room))
            self._room, self._since = room - allowed, now
        return allowed

    def _keep(self, items: Sequence[Item]) -> tuple[int, list[tuple[int, Refusal]]]:
        """Store items in the log, if there is a key; return the number stored and the rejected."""
        if self.key_id is None or not items:
            return 0, []
        sender = self._sender()
        if sender is None:
            raise Unkept
        receipts = keep(items, sender=sender)
        refused = [one for one in receipts if isinstance(one, Rejection)]
        unkept = [
            (one.item, Refusal(one.status, f"Not stored: {one.error.detail}", one.error.pointer))
            for one in refused
        ]
        return len(receipts) - len(refused), unkept

    def _sender(self) -> access.Sender | None:
        found = access.holder(self.key_id) if self.key_id is not None else None
        return found if found is not None and "ingest" in found.scopes else None

    def _append(
        self, lines: Sequence[Refusal | tuple[Item, Message]], seen: Sequence[Glance], now: float
    ) -> None:
        glances = iter(seen)
        for one in lines:
            self.last += 1
            if isinstance(one, Refusal):
                self._lines.append(Gap(self.last, 1, f"Rejected: {one.detail}"))
                continue
            self._lines.append(Entry(self.last, now, one[0], next(glances)))
            self._bytes += _size(one[0])
            if len(self._lines) > DRAWN and isinstance(old := self._lines[-DRAWN - 1], Entry):
                old.row = None
        while len(self._lines) > HELD or self._bytes > HELD_BYTES:
            gone = self._lines.popleft()
            self._bytes -= _size(gone.item) if isinstance(gone, Entry) else 0

    def _skip(self, missing: int) -> None:
        if missing:
            self.last += missing
            self._lines.append(
                Gap(
                    self.last, missing, f"{missing:,} or more rejected: the limit is {PACE:,.0f}/s."
                )
            )

    def _count(self, seen: Sequence[Glance], *, refused: int, kept: int) -> None:
        was = self.totals
        self.totals = Totals(
            messages=was.messages + len(seen),
            invalid=was.invalid + sum(not one.valid for one in seen),
            tokens=was.tokens + sum(one.tokens for one in seen),
            refused=was.refused + refused,
            kept=was.kept + kept,
        )

    def _first(self) -> int:
        """Return the number of the first message, or the first number of a gap."""
        if not self._lines:
            return self.last + 1
        first = self._lines[0]
        return first.number if isinstance(first, Entry) else first.number - first.missing + 1


def _read(
    one: Item | Refusal, protocol: str | None, known: Known
) -> Refusal | tuple[Item, Message]:
    if isinstance(one, Refusal):
        return one
    if _size(one) > HELD_BYTES:
        return Refusal(
            413, f"The message is larger than the limit of {HELD_BYTES:,} characters.", ""
        )
    item = one if one.protocol not in (None, "auto") else structs.replace(one, protocol=protocol)
    try:
        message = decode_once(item, known, strict=False)
    except Refused as refused:
        return refused.refusal
    return structs.replace(item, protocol=message.protocol), message


def _size(item: Item) -> int:
    """Return the number of characters of an item, including its metadata."""
    beside = (
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
    return len(item.wire) + sum(len(str(one)) for one in beside if one is not None)
