"""Pads: where a program posts messages and a page watches them come.

A pad lives for an hour in the memory of this process and nowhere else: not in a file, not in the database, not in a
line of the log. `manage.py up` starts one server process with threads, so every request meets the same pads; a restart
ends them all, as closing does. A pad that was opened with a key of the log hands every message to the log as well.

Its two addresses are secrets of 144 bits. The key reads and closes the pad; the posting address is a hash of it, so
that a program that posts cannot read. Here too only hashes of the two are held.

Messages are numbered from 1. Those that were refused have numbers too, so that a gap in the numbers is a gap.
"""

import secrets
import threading
import time
from base64 import urlsafe_b64encode
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import takewhile

from msgspec import Struct, structs

from auditlog import access
from auditlog.draft import decode
from auditlog.ingest.item import Item, Refused
from auditlog.ingest.receive import Receipt, keep
from playground.glance import Gap, Glance, Row, draw, look
from playground.posted import Piece, Unread
from protocols.message import Message

LIFE = 60 * 60
"""Seconds."""
PADS = 32
PADS_OF_ONE = 8
"""Open at a time, in all and by one caller."""
HELD = 5_000
HELD_BYTES = 1024 * 1024
"""A pad holds the newest messages, up to so many and so much text: as much as can be saved at once."""
DRAWN = 1_000
"""Rows that are kept drawn at most: as many as a page shows."""
PACE = 2_000.0
BURST = 10_000.0
"""Messages a second that a pad takes, and how many at once."""
_REMEMBERED = 2_000
_BYTES = 18


class NoPad(LookupError):
    """There is no pad at this address, and as far as we know there never was."""


class Ended(LookupError):
    """There was a pad at this address. It was closed, or its hour is over."""


class TooMany(Exception):
    """No more pads are opened: `mine` says whether the caller has too many. After `seconds` one of them ends."""

    def __init__(self, *, mine: bool, seconds: int) -> None:
        super().__init__()
        self.mine = mine
        self.seconds = seconds


class Unkept(Exception):
    """The key that the pad was opened with is no longer good."""


@dataclass(slots=True)
class Entry:
    """A message of a pad. Its row is drawn when somebody looks."""

    number: int
    at: float
    item: Item
    seen: Glance
    row: Row | None = None

    def drawn(self) -> Row:
        return self.row or draw(decode(self.item), number=self.number, at=self.at, count=self.seen.tokens)


class Totals(Struct, frozen=True):
    """All that came to a pad since it was opened."""

    messages: int = 0
    invalid: int = 0
    tokens: int = 0
    refused: int = 0
    """Pieces that were no message, or came too fast."""
    kept: int = 0
    """Receipts of the log."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a piece: numbers of the first and last message, those too fast, and what was not read and why."""

    first: int
    last: int
    messages: int
    too_fast: int
    kept: int
    unread: tuple[tuple[int, Unread], ...]


class Pad:
    def __init__(self, *, opener: str, now: float, protocol: str | None = None, key_id: str | None = None) -> None:
        self.opener = opener
        self.protocol = protocol
        self.key_id = key_id
        self.opened = now
        self.expires = now + LIFE
        self.ended = False
        self.last = 0
        """The number of the newest line."""
        self.totals = Totals()
        self._changed = threading.Condition()
        self._lines: deque[Entry | Gap] = deque()
        self._bytes = 0
        self._room, self._since = BURST, now

    def take(self, piece: Piece, *, now: float | None = None) -> Taken:
        """Take what came, as much of it as the pace allows. Raises Ended, Unkept and commits.Overloaded."""
        now = time.time() if now is None else now
        allowed = self._admit(len(piece), now)
        lines = [_read(one, self.protocol) for one in piece[:allowed]]
        read = [one for one in lines if not isinstance(one, Unread)]
        unread = tuple((at, one) for at, one in enumerate(lines) if isinstance(one, Unread))
        items = [item for item, _ in read]
        kept = self._keep(items)
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
            return Taken(first, self.last, len(items), too_fast, kept, unread)

    def after(self, number: int) -> list[Entry | Gap]:
        """The lines behind a number; a first gap stands for those that are no longer held."""
        with self._changed:
            newer = list(takewhile(lambda line: line.number > number, reversed(self._lines)))[::-1]
            lost = self._first() - 1 - number
        if lost > 0 and number > 0:
            return [Gap(number + lost, lost, "They went by before they could be shown."), *newer]
        return newer

    def find(self, number: int) -> Entry | None:
        with self._changed:
            return next((one for one in self._lines if one.number == number and isinstance(one, Entry)), None)

    def entries(self) -> list[Entry]:
        """All messages that are held."""
        with self._changed:
            return [one for one in self._lines if isinstance(one, Entry)]

    def wait(self, number: int, seconds: float) -> None:
        """Until there is a line behind a number, the pad has ended, or the seconds are over."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or self.last > number, seconds)

    def end(self) -> None:
        with self._changed:
            self.ended = True
            self._lines.clear()
            self._changed.notify_all()

    def _admit(self, wanted: int, now: float) -> int:
        """How many of so many lines there is room for at this pace."""
        with self._changed:
            room = min(BURST, self._room + max(0.0, now - self._since) * PACE)
            allowed = min(wanted, int(room))
            self._room, self._since = room - allowed, now
        return allowed

    def _keep(self, items: Sequence[Item]) -> int:
        if self.key_id is None or not items:
            return 0
        sender = access.holder(self.key_id)
        if sender is None or "ingest" not in sender.scopes:
            raise Unkept
        return sum(isinstance(one, Receipt) for one in keep(items, sender=sender))

    def _append(self, lines: Sequence[Unread | tuple[Item, Message]], seen: Sequence[Glance], now: float) -> None:
        glances = iter(seen)
        for one in lines:
            self.last += 1
            if isinstance(one, Unread):
                self._lines.append(Gap(self.last, 1, one.words))
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
            self._lines.append(Gap(self.last, missing, f"Refused: posted faster than {PACE:,.0f} a second."))

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
        """The number of the first message that is held or, of a gap, the first that it stands for."""
        if not self._lines:
            return self.last + 1
        first = self._lines[0]
        return first.number if isinstance(first, Entry) else first.number - first.missing + 1


class Pads:
    """The pads of this process, found by hashes of their addresses."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._by_key: dict[bytes, Pad] = {}
        self._by_address: dict[bytes, Pad] = {}
        self._gone: OrderedDict[bytes, None] = OrderedDict()
        self._sweeper: threading.Timer | None = None

    def open(self, opener: str, *, protocol: str | None = None, key_id: str | None = None) -> tuple[str, Pad]:
        """A new pad and its key, which is shown now and known to nobody else. Raises TooMany."""
        self.sweep()
        key = secrets.token_urlsafe(_BYTES)
        with self._lock:
            now = self._clock()
            mine = [pad for pad in self._by_key.values() if pad.opener == opener]
            full = mine if len(mine) >= PADS_OF_ONE else list(self._by_key.values())
            if full is mine or len(full) >= PADS:
                seconds = min(pad.expires for pad in full) - now
                raise TooMany(mine=full is mine, seconds=max(1, int(seconds)))
            pad = Pad(opener=opener, now=now, protocol=protocol, key_id=key_id)
            self._by_key[_digest(key)] = pad
            self._by_address[_digest(address_of(key))] = pad
            self._schedule(LIFE)
        return key, pad

    def get(self, key: str) -> Pad:
        """The pad that a key reads. Raises NoPad and Ended."""
        return self._find(self._by_key, key)

    def at(self, address: str) -> Pad:
        """The pad with a posting address. Raises NoPad and Ended."""
        return self._find(self._by_address, address)

    def close(self, key: str) -> None:
        """Forget a pad and all it holds. Raises NoPad and Ended."""
        pad = self.get(key)
        with self._lock:
            self._drop([pad])

    def sweep(self) -> None:
        """Forget what is older than an hour."""
        with self._lock:
            now = self._clock()
            self._drop([pad for pad in self._by_key.values() if pad.expires <= now])

    def _find(self, pads: dict[bytes, Pad], secret: str) -> Pad:
        self.sweep()
        digest = _digest(secret)
        with self._lock:
            if digest in pads:
                return pads[digest]
            raise Ended if digest in self._gone else NoPad

    def _drop(self, dropped: Sequence[Pad]) -> None:
        for pads in (self._by_key, self._by_address):
            for digest in [digest for digest, pad in pads.items() if pad in dropped]:
                del pads[digest]
                self._gone[digest] = None
        while len(self._gone) > _REMEMBERED:
            self._gone.popitem(last=False)
        for pad in dropped:
            pad.end()

    def _schedule(self, seconds: float) -> None:
        """What nobody asks for any more must go, too."""
        if self._sweeper is None:
            self._sweeper = threading.Timer(seconds, self._sweep_again)
            self._sweeper.daemon = True
            self._sweeper.start()

    def _sweep_again(self) -> None:
        self.sweep()
        with self._lock:
            self._sweeper = None
            if self._by_key:
                self._schedule(max(1.0, min(pad.expires for pad in self._by_key.values()) - self._clock()))


def address_of(key: str) -> str:
    """The posting address of the pad with a key."""
    return urlsafe_b64encode(sha256(b"cablese/pad/post/v1\0" + key.encode()).digest()[:_BYTES]).decode()


def _digest(secret: str) -> bytes:
    return sha256(secret.encode(errors="surrogatepass")).digest()


def _read(one: Item | Unread, protocol: str | None) -> Unread | tuple[Item, Message]:
    if isinstance(one, Unread):
        return one
    item = one if one.protocol not in (None, "auto") else structs.replace(one, protocol=protocol)
    try:
        message = decode(item)
    except Refused as refused:
        return Unread(refused.refusal.detail, refused.refusal.pointer)
    return structs.replace(item, protocol=message.protocol, log=None), message


def _size(item: Item) -> int:
    return len(item.wire) + len(item.content or "")


pads = Pads()
