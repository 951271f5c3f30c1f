"""The pads of this process, found by hashes of their addresses.

A pad has two secret addresses of 144 bits. The key reads and closes it. The posting address is a
hash of the key, so a program that posts cannot read. Only hashes of the two are stored here.
"""

import secrets
import threading
import time
from base64 import urlsafe_b64encode
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from auditlog import securitylog
from playground.stream.pad import LIFE, Ended, KeyLost, Pad

PADS = 32
PADS_PER_CALLER = 8
"""The limits of open pads: in total, and for one caller."""
UNUSED = 10 * 60
"""Seconds after which an unused pad can be closed for a new one."""
_REMEMBERED = 2_000
_BYTES = 18


class NoPad(LookupError):
    """No pad at this address, now or recently."""


@dataclass(eq=False)
class TooMany(Exception):
    """The limit of open pads is reached: the caller's own if `mine`. One ends after `seconds`."""

    mine: bool
    seconds: int


class Pads:
    """The pads of this process, found by hashes of their addresses."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._by_key: dict[bytes, Pad] = {}
        self._by_address: dict[bytes, Pad] = {}
        self._ended: OrderedDict[bytes, None] = OrderedDict()
        self._sweeper: threading.Timer | None = None

    def open(
        self, opener: str, *, protocol: str | None = None, key_id: str | None = None
    ) -> tuple[str, Pad]:
        """Open a pad and return it with its key, which is not stored. Raises TooMany."""
        self.sweep()
        key = secrets.token_urlsafe(_BYTES)
        with self._lock:
            now = self._clock()
            mine = [pad for pad in self._by_key.values() if pad.opener == opener]
            if len(mine) >= PADS_PER_CALLER:
                raise TooMany(mine=True, seconds=_until_end(mine, now))
            if len(self._by_key) >= PADS:
                self._make_room(mine, now, stranger=key_id is None)
            pad = Pad(opener=opener, now=now, protocol=protocol, key_id=key_id)
            self._by_key[_digest(key)] = pad
            self._by_address[_digest(address_of(key))] = pad
            self._schedule(LIFE)
        return key, pad

    def _make_room(self, mine: Sequence[Pad], now: float, *, stranger: bool) -> None:
        """Close a pad at the limit of pads. Raises TooMany if none can be closed.

        It is the least recently used pad of the opener that has most, or else one that is unused.
        A pad opened with a key is only closed for another pad with a key.
        """
        rivals = [pad for pad in self._by_key.values() if pad.key_id is None or not stranger]
        counts = Counter(pad.opener for pad in rivals)
        most = max(counts.values(), default=0)
        if most > len(mine) + 1:
            closable = [pad for pad in rivals if counts[pad.opener] == most]
        else:
            closable = [pad for pad in rivals if now - pad.used > UNUSED]
        if not closable:
            raise TooMany(mine=False, seconds=_until_end([*self._by_key.values()], now))
        self._drop([min(closable, key=lambda pad: pad.used)])

    def get(self, key: str) -> Pad:
        """Return the pad with a key. Raises NoPad, Ended, and KeyLost."""
        return self._find(self._by_key, key)

    def at(self, address: str) -> Pad:
        """Return the pad with a posting address. Raises NoPad, Ended, and KeyLost."""
        return self._find(self._by_address, address)

    def close(self, pad: Pad) -> None:
        """Close a pad and delete its messages."""
        with self._lock:
            self._drop([pad])

    def sweep(self) -> None:
        """Close expired pads."""
        with self._lock:
            now = self._clock()
            self._drop([pad for pad in self._by_key.values() if pad.expires <= now])

    def _find(self, pads: dict[bytes, Pad], secret: str) -> Pad:
        self.sweep()
        digest = _digest(secret)
        with self._lock:
            if digest not in pads:
                raise Ended if digest in self._ended else NoPad
            pad = pads[digest]
            pad.used = self._clock()
        # Outside the lock: the database may be slow.
        if not pad.may_store:
            self._lose(pad)
            raise KeyLost
        return pad

    def _lose(self, pad: Pad) -> None:
        """Close a pad whose key is no longer valid."""
        with self._lock:
            is_first = pad in self._by_key.values()
            self._drop([pad])
        if is_first:
            securitylog.record("pad.ended", key=pad.key_id)

    def _drop(self, dropped: Sequence[Pad]) -> None:
        for pads in (self._by_key, self._by_address):
            for digest in [digest for digest, pad in pads.items() if pad in dropped]:
                del pads[digest]
                self._ended[digest] = None
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
        for pad in dropped:
            pad.end()

    def _schedule(self, seconds: float) -> None:
        """Close pads that are never requested again, too."""
        if self._sweeper is None:
            self._sweeper = threading.Timer(seconds, self._sweep_again)
            self._sweeper.daemon = True
            self._sweeper.start()

    def _sweep_again(self) -> None:
        self.sweep()
        with self._lock:
            self._sweeper = None
            if self._by_key:
                self._schedule(
                    max(1.0, min(pad.expires for pad in self._by_key.values()) - self._clock())
                )


def _until_end(pads: Sequence[Pad], now: float) -> int:
    """Return the seconds until the oldest pad ends."""
    return max(1, int(min(pad.expires for pad in pads) - now))


def address_of(key: str) -> str:
    """Return the posting address of the pad with a key."""
    return urlsafe_b64encode(
        sha256(b"cablese/pad/post/v1\0" + key.encode()).digest()[:_BYTES]
    ).decode()


def _digest(secret: str) -> bytes:
    return sha256(secret.encode(errors="surrogatepass")).digest()


pads = Pads()
