"""A log whose files are asked for before they are needed, because each answer takes a while."""

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager

from cablese.tlog.tile import Tile
from cablese.verify.mirror.source import Source, get_tile

DEPTH = 8
"""Files that are read at the same time, and so the most that are in memory."""


class Ahead(AbstractContextManager["Ahead"]):
    """Tiles of a source, in an order that is known. One that is passed over is forgotten."""

    def __init__(self, source: Source, order: Iterable[Tile]) -> None:
        self._source = source
        self._order = iter(order)
        self._asked: dict[Tile, Future[bytes | None]] = {}
        self._threads = ThreadPoolExecutor(DEPTH)

    def get(self, place: Tile) -> bytes | None:
        """Return a tile, as `get_tile` does."""
        self._ask()
        if place not in self._asked:
            return get_tile(self._source, place)
        for passed in list(self._asked):
            found = self._asked.pop(passed)
            self._ask()
            if passed == place:
                return found.result()
            found.cancel()
        raise AssertionError("the place was asked for")

    def _ask(self) -> None:
        while len(self._asked) < DEPTH and (place := next(self._order, None)) is not None:
            self._asked[place] = self._threads.submit(get_tile, self._source, place)

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
