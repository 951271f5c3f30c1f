"""How far the packs are that this process sends, by a token of the page that asked for each."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from auditlog.evidence.pack import Pack

REMEMBERED = 200


@dataclass(frozen=True)
class Progress:
    """How many packets are written. ``total`` is None until they are counted."""

    done: int
    total: int | None
    is_finished: bool

    @property
    def percent(self) -> int:
        if self.is_finished:
            return 100
        return min(99, self.done * 100 // self.total) if self.total else 0


_lock = threading.Lock()
_packs: OrderedDict[tuple[int, str], Pack] = OrderedDict()


def remember(person: int, token: str, pack: Pack) -> None:
    """Remember a pack that is sent to a person, until others take its place."""
    if not token:
        return
    with _lock:
        _packs[person, token] = pack
        _packs.move_to_end((person, token))
        while len(_packs) > REMEMBERED:
            _packs.popitem(last=False)


def find(person: int, token: str) -> Progress | None:
    """Return how far a person's pack is; None if it was not begun here."""
    with _lock:
        pack = _packs.get((person, token))
    return None if pack is None else Progress(pack.done, pack.total, pack.is_finished)
